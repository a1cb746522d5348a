/** A thread of a sweep: takes chunks of tasks until it is told that there are no more. */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { parentPort } from 'node:worker_threads';
import type { Chunk, Finished } from './run/pool.ts';
import { perform } from './run/task.ts';

parentPort?.on('message', (chunk: Chunk | undefined) => {
  if (chunk === undefined) {
    parentPort?.close();
    return;
  }
  const answers: readonly Finished[] = chunk.tasks.map((task, at) => ({ index: chunk.from + at, summary: perform(task) }));
  parentPort?.postMessage(answers);
});
