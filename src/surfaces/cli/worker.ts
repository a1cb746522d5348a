/** A thread of a sweep: takes chunks of tasks until it is told that there are no more. */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { parentPort, workerData } from 'node:worker_threads';
import { type Own, ownFrom } from '../plugins/index.ts';
import type { Chunk, Finished, ThreadData } from './run/pool.ts';
import { timed } from './run/task.ts';

const owns: readonly Own[] = (workerData as ThreadData).sources.map((sources) => {
  const own = ownFrom(sources);
  // The thread that started this one has made the same of them.
  if ('problems' in own) throw new Error(own.problems.join('\n'));
  return own;
});

const ownOf = (at: number): Own => {
  const own = owns[at];
  if (own === undefined) throw new Error(`this thread was started with ${owns.length} sources of definitions, not ${at + 1}`);
  return own;
};

parentPort?.on('message', (chunk: Chunk | undefined) => {
  if (chunk === undefined) {
    parentPort?.close();
    return;
  }
  const answers: readonly Finished[] = chunk.tasks.map((task, at) => ({
    index: chunk.from + at,
    ...timed({ ...task, own: ownOf(task.own) }),
  }));
  parentPort?.postMessage(answers);
});
