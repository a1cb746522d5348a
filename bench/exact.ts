/**
 * The cost of a pod of a Job in counts that do not depend on the machine: kernel events, look-ups in maps, bytes allocated.
 * A change that is delivered to several processes at one instant is one event. Events and look-ups are the same in each run; look-ups are
 * counted by replacing the methods of `Map.prototype` while a fixed load runs. Bytes are the growth of the used heap without a collection:
 * that takes a process of its own with a young generation that holds all of it, and one thread, so that optimized code appears at the same
 * moments; then they repeat to a few bytes per pod. All are differences of two loads, so that one-time costs do not count.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { watchOnly, withHandledKinds } from '../src/controlplane/runtime/index.ts';
import type { Controller, Delta, ProcessSpec, Watch } from '../src/controlplane/runtime/index.ts';
import { openCluster, runJobs, unpaced } from './jobs.ts';

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

/** What a pod costs in messages. */
export interface Messages {
  /** Kernel events, deliveries that a controller is called for, and writes. */
  readonly hops: number;
  /** Calls of controllers with a change of an object. */
  readonly calls: number;
}

/** Hops and calls of controllers per pod. A delivery that no controller is called for is a number in the digest and a line of the trace. */
export function messagesPerPod(pods = PODS): Messages {
  const counted: Messages[] = [pods, 3 * pods].map((count) => {
    const seen = { calls: 0, deliveries: 0, last: undefined as Delta | undefined };
    const note = (delta: Delta): void => {
      seen.calls++;
      // The calls of one delivery come one after the other, with one record.
      if (seen.last !== delta) seen.deliveries++;
      seen.last = delta;
    };
    const cluster = openCluster(5, { alter: (spec) => listeningTo(unpaced(spec), note) });
    seen.calls = 0;
    seen.deliveries = 0;
    const { events, commits } = runJobs(cluster, { jobs: 1, pods: count, parallelism: PARALLELISM });
    return { hops: events + seen.deliveries + commits, calls: seen.calls };
  });
  const [less, more] = [counted[0] ?? { hops: 0, calls: 0 }, counted[1] ?? { hops: 0, calls: 0 }];
  return { hops: (more.hops - less.hops) / (2 * pods), calls: (more.calls - less.calls) / (2 * pods) };
}

/** A process whose controllers report the changes that they are called with. */
function listeningTo(spec: ProcessSpec, note: (delta: Delta) => void): ProcessSpec {
  const noted = (watch: Watch): Watch => {
    const { enqueue } = watch;
    return enqueue === watchOnly
      ? watch
      : { ...watch, enqueue: (delta, at) => (note(delta), enqueue === undefined ? delta.key : enqueue(delta, at)) };
  };
  const controllers = spec.controllers.map((controller): Controller => {
    const { observe, self, watches = [], reconciles } = controller;
    return {
      ...controller,
      watches: watches.map(noted),
      ...(reconciles === undefined ? {} : { self: noted({ ...self, kind: reconciles }) }),
      ...(observe === undefined
        ? {}
        : { observe: withHandledKinds<NonNullable<Controller['observe']>>((delta, at) => (note(delta), observe(delta, at)), observe) }),
    };
  });
  return { ...spec, controllers };
}

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
