/**
 * The cost of a pod of a Job in counts that do not depend on the machine: kernel events, look-ups in maps, bytes allocated.
 * A change that is delivered to several processes at one instant is one event. Events and look-ups are the same in each run; look-ups are
 * counted by replacing the methods of `Map.prototype` while a fixed load runs. Bytes are the growth of the used heap without a collection:
 * that takes a process of its own with a young generation that holds all of it, and one thread, so that optimized code appears at the same
 * moments; then they repeat to a few bytes per pod. All are differences of two loads, so that one-time costs do not count.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openCluster, runJobs } from './jobs.ts';

/** Pods of the smaller load; the larger has three times as many. */
const PODS = 1_000;
const PARALLELISM = 100;

/** A load on a fresh cluster; `act` is the counted part. */
const load = (pods: number, around: (act: () => number) => number): number => {
  const cluster = openCluster(5);
  return around(() => runJobs(cluster, { jobs: 1, pods, parallelism: PARALLELISM }).events);
};

/** The increase for each pod of the larger load. */
export const perPod = (pods: number, measure: (pods: number) => number): number => {
  const less = measure(pods);
  return (measure(3 * pods) - less) / (2 * pods);
};

/** Kernel events per pod. */
export const eventsPerPod = (pods = PODS): number => perPod(pods, (count) => load(count, (act) => act()));

/** Calls of a Map's `get`, `has` and `set` per pod. */
export function lookupsPerPod(pods = PODS): number {
  // Lazily computed values of the process are computed here.
  load(pods, (act) => act());
  return perPod(pods, (count) => load(count, countLookups));
}

function countLookups(act: () => unknown): number {
  const { get, has, set } = Map.prototype;
  let count = 0;
  const counted = <A extends unknown[], R>(method: (...given: A) => R) =>
    function (this: unknown, ...given: A): R {
      count++;
      return Reflect.apply(method, this, given);
    };
  Object.assign(Map.prototype, { get: counted(get), has: counted(has), set: counted(set) });
  try {
    act();
  } finally {
    Object.assign(Map.prototype, { get, has, set });
  }
  return count;
}

/** The programs of `dist/` that print bytes: of a cluster without observers, and of a run of a scenario with its invariants. */
export type BytesProgram = 'bench-bytes' | 'bench-run-bytes';

/** Bytes allocated per pod, measured in a separate process. */
export const bytesPerPod = (dist: URL, pods = PODS, program: BytesProgram = 'bench-bytes'): number =>
  Number(execFileSync(process.execPath, [...FLAGS, fileURLToPath(new URL(`${program}.js`, dist)), String(pods)], { encoding: 'utf8' }));

const FLAGS = ['--single-threaded', '--min-semi-space-size=1024', '--max-semi-space-size=1024'];

/** The output of `bench-bytes`, the process of `bytesPerPod`. */
export function measureBytes(pods: number): number {
  load(pods, (act) => act());
  return perPod(pods, (count) =>
    load(count, (act) => {
      const before = process.memoryUsage().heapUsed;
      act();
      return process.memoryUsage().heapUsed - before;
    }),
  );
}
