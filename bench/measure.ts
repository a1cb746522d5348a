/** Clocks and scales: CPU time, wall time, live memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export interface Timed<T> {
  readonly ms: number;
  readonly value: T;
}

/** Milliseconds of processor time of this process during a function, including garbage collection. */
export function cpu<T>(act: () => T): Timed<T> {
  const before = process.cpuUsage();
  const value = act();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, value };
}

/** Milliseconds of wall time. */
export function wall<T>(act: () => T): Timed<T> {
  const before = process.hrtime.bigint();
  const value = act();
  return { ms: Number(process.hrtime.bigint() - before) / 1e6, value };
}

/** Reachable bytes after a full collection. */
export function liveBytes(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/**
 * The best of several rounds for each case. Cases alternate, each with a collected heap, so that other load of the machine affects all of
 * them equally. The first result of a case is kept for checks.
 */
export function inTurns<T>(rounds: number, cases: readonly (() => Timed<T>)[]): readonly Timed<T>[] {
  const best: Timed<T>[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [at, act] of cases.entries()) {
      collect();
      const timed = act();
      const before = best[at];
      if (before === undefined || timed.ms < before.ms) best[at] = timed;
    }
  }
  return best;
}
