/** The entry at the cursor as a sentence with its reason, which screen readers announce. */
import { counters } from '../counters.ts';
import { beginsAt } from '../model/axis.ts';
import type { Model } from '../model/index.ts';
import { sentenceOf, since } from '../model/words.ts';
import { stepIn } from '../state.ts';

export function Narration({ of }: { readonly of: Model }) {
  counters.renders++;
  const said = sentenceOf(of.trace, lastSentence(of, stepIn(of)));
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

/** The last entry that is not a note: notes are shown on the left. */
export function lastSentence({ trace: { entries } }: Model, step: number): number {
  let at = step;
  while (at > 0 && entries[at - 1]?.type === 'note') at--;
  return at;
}
