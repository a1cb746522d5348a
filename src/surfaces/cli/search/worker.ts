/** A worker thread of a search: handles one task after another until it is terminated. */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { parentPort, workerData } from 'node:worker_threads';
import { pluginsFrom } from '../../plugins/index.ts';
import { answer, type Ask, type SearchData } from './task.ts';

const { sources, ground } = workerData as SearchData;
const plugins = pluginsFrom(sources);
// The thread that started this one has made the same of them.
if ('problems' in plugins) throw new Error(plugins.problems.join('\n'));

parentPort?.on('message', (ask: Ask) => {
  parentPort?.postMessage(answer(ask, ground, plugins));
});
