/** Starvation: a key that has failed six times in a row and for a second, while no fault was active. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Entry } from '../trace/index.ts';
import { accessors } from '../../engine/index.ts';

const withStarvationCurrent = accessors('starvation', 'current');

/** Failures in a row. */
const FAILURES = 6;
/**
 * Six come within a third of a second where the back-off begins at 5 ms; what is only late, news of a slow watch, takes no longer than
 * this.
 */
const LATE_MS = 1_000;

/** A key that makes no progress. */
export interface Starvation {
  /** Of the failure that was the last so far, or of the one that was too many; milliseconds since the epoch. */
  readonly at: number;
  readonly process: string;
  readonly controller: string;
  readonly key: string;
  readonly failures: number;
  /** What the server said last; undefined: its own decision counts as a failure. */
  readonly said: string | undefined;
  /** The reason of the decision that failed. */
  readonly why: string;
}

export interface StarvationWatch {
  hear(entry: Entry): void;
  /** The first one; undefined: there is none so far. */
  readonly starvation: Starvation | undefined;
  /** The same while it lasts: its key has succeeded since, or somebody from outside has done something, where there is none. */
  readonly current: Starvation | undefined;
}

interface Streak {
  failures: number;
  /** When they began. */
  since: number;
  /** Failures in a row as the key counts them, when its last decision was told. */
  counted: number;
  said: string | undefined;
}

/**
 * Watches from an instant on, milliseconds since the epoch; `world`: where it happens, once it is there. While a fault is about nothing
 * counts. `patienceMs`: so much later they must still go on.
 */
export function watchStarvation(world: () => Pick<Cluster, 'faults'> | undefined, from = -Infinity, patienceMs = 0): StarvationWatch {
  const streaks = new Map<string, Streak>();
  let starvation: Starvation | undefined;
  /** Those that last, by their streaks: who begins anew is in none. */
  const lasting = new Map<Streak, Starvation>();
  const begin = (name: string, streak: Streak): void => {
    const before = streaks.get(name);
    if (before !== undefined) lasting.delete(before);
    streaks.set(name, streak);
  };
  return withStarvationCurrent(
    {
      starvation: () => starvation,
      current: () => lasting.values().next().value,
    },
    {
      hear(entry) {
        if (entry.at < from) return;
        if (entry.type === 'fault' || (entry.type === 'process' && entry.what !== 'leads')) {
          streaks.clear();
          lasting.clear();
        } else if (entry.type === 'refusal' && entry.controller !== undefined) {
          const streak = streaks.get(`${entry.actor} ${entry.controller} ${entry.key ?? ''}`);
          if (streak !== undefined) streak.said = entry.status.message;
        } else if (entry.type === 'reconcile') {
          const { process, controller, key, failures, why } = entry;
          const name = `${process} ${controller} ${key}`;
          const streak = streaks.get(name);
          if ((world()?.faults.length ?? 0) > 0 || failures === 0) {
            if (streak !== undefined || failures === 0) begin(name, { failures: 0, since: entry.at, counted: failures, said: undefined });
            return;
          }
          if (streak === undefined || failures <= streak.counted) {
            begin(name, { failures: 0, since: entry.at, counted: failures, said: streak?.said });
            return;
          }
          streak.failures += failures - streak.counted;
          streak.counted = failures;
          if (streak.failures < FAILURES || entry.at < Math.max(from + patienceMs, streak.since + LATE_MS)) return;
          const found = { at: entry.at, process, controller, key, failures: streak.failures, said: streak.said, why };
          lasting.set(streak, found);
          starvation ??= found;
        }
      },
    },
  );
}
