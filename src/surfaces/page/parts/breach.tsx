/** The breach of an invariant or an expectation, above the stage from its moment on. */
import { go } from '../actions.ts';
import { breachesAt } from '../model/breaches.ts';
import type { Model } from '../model/index.ts';
import { since } from '../model/words.ts';
import { model as main, other, stepIn } from '../state.ts';

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
