/** Starvation: a key that has failed six times in a row and for a second, while no fault was active. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { goesOn, type Entry } from '../trace/index.ts';

/** The number of failures in a row that counts as starvation. */
const FAILURES = 6;
/**
 * Six failures take a third of a second where the back-off begins at 5 ms. A delayed watch event alone makes a key fail for less than this,
 * in milliseconds.
 */
const LATE_MS = 1_000;

/** A key whose retries all fail. */
export interface Starvation {
  /** The time of the last failure, or of the one that reached the limit, milliseconds since the epoch. */
  readonly at: number;
  readonly process: string;
  readonly controller: string;
  readonly key: string;
  readonly failures: number;
  /** The last response of the server; undefined: the controller's own decision counts as a failure. */
  readonly said: string | undefined;
  /** The reason of the decision that failed. */
  readonly why: string;
}

interface Streak {
  failures: number;
  since: number;
  /** The failure count of the key at its last observed decision. */
  counted: number;
  said: string | undefined;
}

/**
 * Creates a detector for entries from `from` on, in milliseconds since the epoch; `world`: returns the cluster, once it exists. Nothing
 * counts while a fault is active. `patienceMs`: failures must still go on this long after `from`.
 */
export function watchStarvation(world: () => Pick<Cluster, 'faults' | 'runtime'> | undefined, from = -Infinity, patienceMs = 0) {
  const streaks = new Map<string, Streak>();
  let starvation: Starvation | undefined;
  /** Starvations that last, by streak; a new streak of the same key has none. */
  const lasting = new Map<Streak, Starvation>();
  const begin = (name: string, streak: Streak): void => {
    const before = streaks.get(name);
    if (before !== undefined) lasting.delete(before);
    streaks.set(name, streak);
  };
  /** Whether the last decision about a key failed too: a key that succeeds and then rests has no entry that says so. */
  const goesOnFailing = ({ process, controller, key }: Starvation): boolean =>
    (world()?.runtime.process(process)?.running.get(controller)?.queue.failures(key) ?? 0) > 0;
  return {
    /** The first starvation; undefined: none so far. */
    get starvation(): Starvation | undefined {
      return starvation;
    },
    /** A starvation that still lasts; it ends when its key succeeds or an action comes from outside. Undefined: none. */
    get current(): Starvation | undefined {
      return [...lasting.values()].find(goesOnFailing);
    },
    observe(entry: Entry): void {
      if (entry.at < from) return;
      if (entry.type === 'fault' || (entry.type === 'process' && !goesOn(entry))) {
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
  };
}
