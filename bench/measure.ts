/** Clocks and scales: CPU time, wall time, live memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export interface Timed<T> {
  readonly ms: number;
  readonly value: T;
}

/** Milliseconds of processor time of this process while something was done, its garbage collection included. */
export function cpu<T>(act: () => T): Timed<T> {
  const before = process.cpuUsage();
  const value = act();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, value };
}

/** Milliseconds by the clock on the wall. */
export function wall<T>(act: () => T): Timed<T> {
  const before = process.hrtime.bigint();
  const value = act();
  return { ms: Number(process.hrtime.bigint() - before) / 1e6, value };
}

/** Bytes alive after a full collection. */
export function liveBytes(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/**
 * The best of several rounds for each case. Cases take turns, each with clean memory, so that whatever else the machine does meets all of
 * them alike.
 * The first answer of a case is kept for checks.
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
