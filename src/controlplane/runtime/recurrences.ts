/** Wake-ups that recur for as long as their object does not change: a run in which one is pending never becomes quiescent. */
import { type Pending, accessors } from '../../engine/index.ts';
import type { ClusterEvent } from './pending.ts';

const withAtMost = accessors('atMost');

export interface Recurrence {
  readonly process: string;
  readonly controller: string;
  /** The kind of the key, where the controller has `reconciles`. */
  readonly kind: string | undefined;
  readonly key: string;
  readonly everyMs: number;
  /** `fires every minute`. */
  readonly does: string;
}

export interface Recurrences {
  note(wake: Pending<ClusterEvent>, recurrence: Recurrence): void;
  /** Those whose next wake-up is pending, in the order in which they were first noted. */
  pending(): readonly Recurrence[];
  /** An upper bound of their number, without any computation. */
  readonly atMost: number;
}

export function createRecurrences(): Recurrences {
  const noted = new Map<string, { readonly wake: Pending<ClusterEvent>; readonly recurrence: Recurrence }>();
  return withAtMost(
    { atMost: () => noted.size },
    {
      note(wake, recurrence) {
        noted.set(`${recurrence.process} ${recurrence.controller} ${recurrence.key}`, { wake, recurrence });
      },
      pending() {
        for (const [name, { wake }] of noted) if (wake.cancelled || wake.part >= wake.parts) noted.delete(name);
        return [...noted.values()].map(({ recurrence }) => recurrence);
      },
    },
  );
}
