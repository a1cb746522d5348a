/**
 * Counts work without a clock: how many blocks of code ran, by V8's coverage. The same on every machine; native work (a sort, a regular
 * expression, a copy) counts as one call.
 */
import { Session } from 'node:inspector/promises';

export interface Counter {
  /**
   * Counts the blocks since the last call. Reading all counters takes longer than most requests, so there is one call for each, and almost
   * nothing should run in between.
   */
  count(act: () => unknown): Promise<number>;
  close(): Promise<void>;
}

/** Files of `src` and of this folder, without the test runner. */
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
