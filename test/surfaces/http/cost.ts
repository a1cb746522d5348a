/**
 * Work without a clock: how many blocks of code ran, as V8 counts them for coverage. The same on every machine; what is native (a sort, a
 * regular expression, a copy) counts as the call that it is.
 */
import { Session } from 'node:inspector/promises';

export interface Counter {
  /**
   * Blocks that ran while something was done, and since the last time: a look at all counters takes longer than most requests do, so there
   * is one a time, and between two of them next to nothing should run.
   */
  count(act: () => unknown): Promise<number>;
  close(): Promise<void>;
}

/** Not the test runner's: files of `src`, and those beside this one. */
const OURS = /\/src\/[a-z]+\/|\/test\/surfaces\/http\//;

export async function blockCounter(): Promise<Counter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const taken = async (): Promise<number> => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    let sum = 0;
    for (const { url, functions } of result)
      if (OURS.test(url)) for (const { ranges } of functions) for (const { count } of ranges) sum += count;
    return sum;
  };
  await taken();
  return {
    async count(act) {
      await act();
      return taken();
    },
    async close() {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}
