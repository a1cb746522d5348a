/** The last warning Event about an object: the action of a controller, and the server's answer. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { Explainer } from '../contract.ts';
import { at, isDone } from '../words.ts';

/** The explainers of pods report these in full. */
const REPORTED: ReadonlySet<string> = new Set(['FailedScheduling']);

export const warning: Explainer = {
  name: 'warning',
  explain(object, situation) {
    if (object.kind === 'Event' || isDone(object)) return [];
    const { uid, namespace = 'default' } = object.metadata;
    const when = (event: { readonly lastTimestamp?: string | null; readonly eventTime?: string | null }): number =>
      Date.parse(event.lastTimestamp ?? event.eventTime ?? '') || 0;
    const [last] = situation.world
      .list('Event', namespace)
      .flatMap((event) =>
        isOf('Event', event) && event.type === 'Warning' && event.involvedObject?.uid === uid && !REPORTED.has(event.reason ?? '')
          ? [event]
          : [],
      )
      .sort((a, b) => when(b) - when(a));
    if (last === undefined) return [];
    const often = (last.count ?? 1) > 1 ? `, ${last.count} times` : '';
    return [{ text: `has a warning of ${at(situation, when(last))}${often}: ${last.reason ?? ''}: ${last.message ?? ''}` }];
  },
};
