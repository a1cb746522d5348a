/** A thread of a sweep: performs chunks of tasks until it is terminated. */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { parentPort, workerData } from 'node:worker_threads';
import { type Plugins, pluginsFrom } from '../plugins/index.ts';
import type { Chunk, Finished, ThreadData } from './run/pool.ts';
import { timed } from './run/task.ts';

const pluginSets: readonly Plugins[] = (workerData as ThreadData).sources.map((sources) => {
  const plugins = pluginsFrom(sources);
  // The main thread has already loaded the same sources.
  if ('problems' in plugins) throw new Error(plugins.problems.join('\n'));
  return plugins;
});

const pluginsOf = (at: number): Plugins => {
  const plugins = pluginSets[at];
  if (plugins === undefined) throw new Error(`this thread was started with ${pluginSets.length} sources of definitions, not ${at + 1}`);
  return plugins;
};

parentPort?.on('message', (chunk: Chunk | undefined) => {
  if (chunk === undefined) {
    parentPort?.close();
    return;
  }
  const answers: readonly Finished[] = chunk.tasks.map((task, at) => ({
    index: chunk.from + at,
    ...timed({ ...task, plugins: pluginsOf(task.plugins) }),
  }));
  parentPort?.postMessage(answers);
});
