/** Jobs on a cluster with all counters: the gates of this folder compare them. No clocks. */
import { createCluster, type Cluster, type ClusterOptions } from '../../src/controlplane/cluster.ts';
import { controllers } from '../../src/controlplane/controllers/index.ts';
import type { Job, KindRegistry } from '../../src/apiserver/kinds/index.ts';
import type { CacheView, Controller, ProcessSpec } from '../../src/controlplane/runtime/index.ts';

/** The counts of a run. */
export interface Counts {
  readonly pods: number;
  readonly commits: number;
  readonly deliveries: number;
  readonly reconciles: number;
  readonly events: number;
  /** Pods that controllers of the controller manager received or visited. */
  readonly visited: number;
}

export interface Run extends Counts {
  readonly cluster: Cluster;
}

/** Without the rate limits of its client: the cost of work is counted, not its pace. */
const unpaced = ({ requestRate: _requests, eventRate: _events, ...process }: ProcessSpec): ProcessSpec => process;

export const openCluster = (nodes: number, options: Partial<ClusterOptions> = {}): Cluster =>
  createCluster({
    seed: 1,
    featureGates: { JobTrackingWithFinalizers: true },
    nodes: Array.from({ length: nodes }, (_, at) => ({ name: `node-${at}`, capacity: { cpu: '1000', memory: '1000Gi', pods: '100000' } })),
    alter: unpaced,
    agents: { podBehaviors: [{ runForMs: 1_000 }] },
    ...options,
  });

export function createJob(cluster: Cluster, name: string, completions: number, parallelism: number): void {
  const response = cluster.request('test', {
    verb: 'create',
    kind: 'Job',
    namespace: 'default',
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name },
      spec: { completions, parallelism, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'work:1' }] } } },
    },
  });
  if (!response.ok) throw new Error(response.status.message);
}

/** Runs Jobs to completion and counts. */
export function runJobs({
  jobs,
  pods,
  parallelism,
  nodes = 5,
  options = {},
}: {
  readonly jobs: number;
  readonly pods: number;
  readonly parallelism: number;
  readonly nodes?: number;
  readonly options?: Partial<ClusterOptions>;
}): Run {
  const visits = { pods: 0 };
  const cluster = openCluster(nodes, { controllers: (kinds) => watched(kinds, visits), ...options });
  visits.pods = 0;
  const before = { ...cluster.counters, events: cluster.kernel.steps };
  for (let at = 0; at < jobs; at++) createJob(cluster, `job-${at}`, pods, parallelism);
  if (!cluster.runUntilSettled(cluster.now + 86_400_000)) throw new Error('it did not settle');
  for (const job of cluster.store.values('Job') as Iterable<Job>)
    if (job.status.succeeded !== pods) throw new Error(`${job.metadata.name}: ${job.status.succeeded ?? 0} of ${pods} succeeded`);
  const { commits, deliveries, reconciles } = cluster.counters;
  return {
    cluster,
    pods: jobs * pods,
    commits: commits - before.commits,
    deliveries: deliveries - before.deliveries,
    reconciles: reconciles - before.reconciles,
    events: cluster.kernel.steps - before.events,
    visited: visits.pods,
  };
}

/** The controllers, with caches that count the pods that they return. */
export function watched(kinds: KindRegistry, visits: { pods: number }): readonly Controller[] {
  return controllers(kinds).map((controller): Controller => ({
    ...controller,
    reconcile: (input) => controller.reconcile({ ...input, cache: countingCache(input.cache, visits) }),
  }));
}

function countingCache(cache: CacheView, visits: { pods: number }): CacheView {
  const counted = <T extends readonly unknown[]>(kind: string, list: T): T => {
    if (kind === 'Pod') visits.pods += list.length;
    return list;
  };
  return {
    ...cache,
    by: (kind, index, value) => counted(kind, cache.by(kind, index, value)),
    controlledBy: (kind, owner) => counted(kind, cache.controlledBy(kind, owner)),
    list: (kind, namespace) => counted(kind, cache.list(kind, namespace)),
    aggregate: (aggregate, group) => countingMaps(cache.aggregate(aggregate, group), visits),
  };
}

/** A summary whose maps count the entries that are read one by one. */
function countingMaps<S>(summary: S, visits: { pods: number }): S {
  if (summary instanceof Map) return countingMap(summary, visits) as S;
  if (typeof summary !== 'object' || summary === null) return summary;
  return new Proxy(summary, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      return value instanceof Map ? countingMap(value, visits) : value;
    },
  });
}

const WALKS: ReadonlySet<PropertyKey> = new Set(['values', 'keys', 'entries', Symbol.iterator]);

const countingMap = (map: Map<unknown, unknown>, visits: { pods: number }): Map<unknown, unknown> =>
  new Proxy(map, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, given);
        return WALKS.has(name) ? counting(answer as Iterable<unknown>, visits) : answer;
      };
    },
  });

function* counting(items: Iterable<unknown>, visits: { pods: number }): Generator<unknown> {
  for (const item of items) {
    visits.pods++;
    yield item;
  }
}
