/** What is said above the stage: the last change with its reason, which screen readers announce, and a breach from its moment on. */
import { counters } from '../counters.ts';
import { beginsAt } from '../model/axis.ts';
import type { Model } from '../model/index.ts';
import { sentenceOf, since } from '../model/words.ts';
import { headlineIn, model as main, other, stepIn } from '../state.ts';
import { go } from '../actions.ts';
import { breachesAt } from '../model/headline.ts';

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

export function BreachOf({ of }: { readonly of: Model }) {
  const breaches = breachesAt(of, stepIn(of));
  const last = breaches.at(-1);
  if (last === undefined) return null;
  const at = (of.trace.entries[last.step - 1]?.at ?? of.trace.startAt) - of.trace.startAt;
  const canGo = other.value === undefined && of === main.value;
  return (
    <p class="breach" role="status" title={`${last.title}: ${last.message}`}>
      <b>✗ {last.title}</b> <span>{last.message}</span>
      {canGo ? (
        <button class="link" onClick={() => go(last.step)}>
          at {since(at)}
        </button>
      ) : (
        <span>at {since(at)}</span>
      )}
      {breaches.length > 1 && <small>{breaches.length} breaches so far</small>}
    </p>
  );
}
