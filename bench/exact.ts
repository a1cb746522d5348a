/**
 * What a pod of a Job takes, in counts that do not depend on the machine: kernel events, look-ups in maps, bytes allocated.
 *
 * A change that goes to several processes at one instant is one event. Events and look-ups are the same in each run; look-ups are counted by putting counting methods in the place of `Map.prototype`'s for as
 * long as a fixed load runs. Bytes are what the heap in use grows by while nothing is collected: that takes a process of its own with a
 * young generation that holds all of it, and one thread, so that optimised code comes at the same moments; then they repeat to a few bytes
 * a pod. All are taken between two loads of different size, so that what happens once does not count.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openCluster, runJobs } from './jobs.ts';

/** Pods of the smaller load; the larger has three times as many. */
const PODS = 1_000;
const PARALLELISM = 100;

/** A load on a cluster of its own; `act` is what is counted. */
const load = (pods: number, around: (act: () => number) => number): number => {
  const cluster = openCluster(5);
  return around(() => runJobs(cluster, { jobs: 1, pods, parallelism: PARALLELISM }).events);
};

/** What each pod of the larger load adds. */
const perPod = (pods: number, measure: (pods: number) => number): number => {
  const less = measure(pods);
  return (measure(3 * pods) - less) / (2 * pods);
};

/** Kernel events a pod. */
export const eventsPerPod = (pods = PODS): number => perPod(pods, (count) => load(count, (act) => act()));

/** Calls of a Map's `get`, `has` and `set` a pod. */
export function lookupsPerPod(pods = PODS): number {
  // What is worked out once in a process is worked out here.
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

/** Bytes allocated a pod, measured in a process of its own: the program `bench-bytes` of `dist/`. */
export const bytesPerPod = (dist: URL, pods = PODS): number =>
  Number(execFileSync(process.execPath, [...FLAGS, fileURLToPath(new URL('bench-bytes.js', dist)), String(pods)], { encoding: 'utf8' }));

const FLAGS = ['--single-threaded', '--min-semi-space-size=1024', '--max-semi-space-size=1024'];

/** What `bench-bytes` prints: it is the process of `bytesPerPod`. */
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
