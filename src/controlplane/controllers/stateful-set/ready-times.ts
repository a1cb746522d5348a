/** Since when each pod has been ready, so that counting available pods visits only the others. */
import { placeAmong } from '../../../schema/values/index.ts';
import { createOrdinalSet, type OrdinalSet } from './ordinal-set.ts';
import { withSize } from '../../../engine/index.ts';

export interface ReadyTimes {
  /** Ready pods. */
  readonly size: number;
  /** @param since milliseconds since the epoch; Infinity where the pod's status has no time. */
  add(ordinal: number, since: number): void;
  remove(ordinal: number, since: number): void;
  /** The number of pods that became ready at an instant or later. */
  countSince(instant: number): number;
  /** The smallest ordinal among them. */
  firstSince(instant: number): number | undefined;
  /** The earliest time among them. */
  earliestSince(instant: number): number | undefined;
  has(ordinal: number, since: number): boolean;
}

/** No ready pods. */
export function createReadyTimes(): ReadyTimes {
  const byTime = new Map<number, OrdinalSet>();
  /** In ascending order; pods become ready in order of time, so new entries nearly always go to the end. */
  const times: number[] = [];
  let size = 0;

  return withSize(
    { size: () => size },
    {
      add(ordinal, since) {
        let ordinals = byTime.get(since);
        if (ordinals === undefined) {
          byTime.set(since, (ordinals = createOrdinalSet()));
          times.splice(placeAmong(times, since), 0, since);
        }
        ordinals.add(ordinal);
        size++;
      },
      remove(ordinal, since) {
        const ordinals = byTime.get(since);
        if (ordinals === undefined) return;
        ordinals.delete(ordinal);
        size--;
        if (ordinals.size > 0) return;
        byTime.delete(since);
        times.splice(placeAmong(times, since), 1);
      },
      countSince(instant) {
        let count = 0;
        for (let at = placeAmong(times, instant); at < times.length; at++) count += byTime.get(times[at] ?? 0)?.size ?? 0;
        return count;
      },
      firstSince(instant) {
        let first: number | undefined;
        for (let at = placeAmong(times, instant); at < times.length; at++) {
          const here = byTime.get(times[at] ?? 0)?.next(0);
          if (here !== undefined && (first === undefined || here < first)) first = here;
        }
        return first;
      },
      earliestSince: (instant) => times[placeAmong(times, instant)],
      has: (ordinal, since) => byTime.get(since)?.has(ordinal) === true,
    },
  );
}
