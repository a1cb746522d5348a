/** The headline: the last change of what is shown, with its reason, which screen readers announce. */
import { counters } from '../counters.ts';
import { beginsAt } from '../model/axis.ts';
import type { Model } from '../model/index.ts';
import { sentenceOf, since } from '../model/words.ts';
import { headlineIn } from '../state.ts';

export function Narration({ of }: { readonly of: Model }) {
  counters.renders++;
  const said = sentenceOf(of.trace, headlineIn(of));
  return (
    <div class="narration" aria-live="polite">
      {said === undefined ? (
        <p class="say">
          <time>{since(beginsAt(of.trace) - of.trace.startAt)}</time>{' '}
          {of.run.window?.from ? 'Before this stretch of a long run.' : 'Before the first entry: the cluster is up.'}
        </p>
      ) : (
        <>
          <p class="say" title={`${said.who} ${said.what}`}>
            <time>{said.time}</time> <b>{said.who}</b> {said.what}
          </p>
          <p class="because" title={said.why}>
            {said.why === '' ? '' : `because ${said.why}`}
          </p>
        </>
      )}
    </div>
  );
}
