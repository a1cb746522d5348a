/** A worker thread of a search: handles one task after another until it is terminated. */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { parentPort, workerData } from 'node:worker_threads';
import { ownFrom } from '../../plugins/index.ts';
import { answer, type Ask, type SearchData } from './task.ts';

const { sources, ground } = workerData as SearchData;
const own = ownFrom(sources);
// The thread that started this one has made the same of them.
if ('problems' in own) throw new Error(own.problems.join('\n'));

parentPort?.on('message', (ask: Ask) => {
  parentPort?.postMessage(answer(ask, ground, own));
});
