/** A worker thread of a search: handles one task after another until it is terminated. */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { parentPort, workerData } from 'node:worker_threads';
import { pluginsFrom } from '../../plugins/index.ts';
import { performTask, type WorkerTask, type SearchData } from './worker-pool.ts';

const { sources, ground, judge } = workerData as SearchData;
const plugins = pluginsFrom(sources);
// The main thread has already loaded the same sources.
if ('problems' in plugins) throw new Error(plugins.problems.join('\n'));

parentPort?.on('message', (task: WorkerTask) => parentPort?.postMessage(performTask(task, { ground, plugins, judge })));
