/**
 * The trigger time of an endpoints update: the oldest change of a pod's readiness since the last sync. Models: v1.24
 * pkg/controller/util/endpoint trigger_time_tracker.go.
 */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { parseTime } from '../../schema/values/index.ts';
import { accessors } from '../../engine/index.ts';

const withVersion = accessors('version');

interface Turn {
  readonly version: number;
  readonly at: number;
}

/** The readiness changes of the pods behind one service. */
export interface Times {
  /** Records the present state of a pod, or that it is no longer selected. */
  see(pod: Pod, selected: boolean): void;
  /** The version to pass to `since` after a sync at this moment. */
  readonly version: number;
  /** The oldest change after a version; undefined: none. Earlier changes may be dropped. */
  since(version: number): number | undefined;
  /** The recorded changes, as plain data. */
  describe(): unknown;
}

export function createTimes(): Times {
  const turnedAt = new Map<string, number>();
  let turns: Turn[] = [];
  let version = 0;
  let askedFor = 0;
  return withVersion(
    { version: () => version },
    {
      see({ metadata: { name }, status }, selected) {
        const text = selected ? (status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? undefined) : undefined;
        if (text === undefined) {
          turnedAt.delete(name);
          return;
        }
        const at = parseTime(text);
        const before = turnedAt.get(name);
        turnedAt.set(name, at);
        if (before !== undefined && at <= before) return;
        if (turns.length > 0 && turns[0] !== undefined && turns[0].version <= askedFor)
          turns = turns.filter((turn) => turn.version > askedFor);
        turns.push({ version: ++version, at });
      },
      since(after) {
        askedFor = after;
        let oldest: number | undefined;
        for (const turn of turns) if (turn.version > after && (oldest === undefined || turn.at < oldest)) oldest = turn.at;
        return oldest;
      },
      describe: () => [turnedAt, turns, version, askedFor],
    },
  );
}
