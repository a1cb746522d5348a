/**
 * Prints the source files that the life of a Job with one pod goes through, from its create to its end, as JSON: files of which V8 ran a
 * function, without what only loading them runs. In a process of its own, because coverage is counted in all that a process runs.
 */
import { Session } from 'node:inspector/promises';
import { openCluster, runJobs } from '../../bench/jobs.ts';

const cluster = openCluster(1);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
// Functions that have run so far are not counted.
await session.post('Profiler.takePreciseCoverage');
runJobs(cluster, { jobs: 1, pods: 1, parallelism: 1 });
const { result } = await session.post('Profiler.takePreciseCoverage');
const ran = result.filter(
  ({ url, functions }) => url.includes('/src/') && functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0),
);
console.log(JSON.stringify(ran.map(({ url }) => url.slice(url.lastIndexOf('/src/') + 1)).toSorted()));
