/** The load of most benchmarks: Jobs that run to completion on a cluster, with a check of the result. */
import { createCluster, type Cluster, type ClusterOptions } from '../src/controlplane/cluster.ts';
import type { Job } from '../src/apiserver/kinds/index.ts';
import type { ProcessSpec } from '../src/controlplane/runtime/index.ts';
import { cpu, type Timed } from './measure.ts';

export interface Load {
  readonly jobs: number;
  /** The completions of each Job. */
  readonly pods: number;
  readonly parallelism: number;
  readonly nodes?: number;
  readonly options?: Partial<ClusterOptions>;
}

/** The counts of a run. */
export interface Work {
  readonly pods: number;
  readonly commits: number;
  readonly deliveries: number;
  readonly reconciles: number;
  readonly events: number;
  readonly virtualSeconds: number;
  readonly cluster: Cluster;
}

const DAYS = 86_400_000;
const RUN_MS = 1_000;

/** A process without client-side throttling, because the benchmarks measure the cost of work and not its pace. */
export const unpaced = ({ requestRate: _requests, eventRate: _events, ...process }: ProcessSpec): ProcessSpec => process;

/**
 * A cluster whose pods run for a second. Finalizer tracking is on: without it v1.24 loses count of a Job whose finished pods are
 * garbage-collected (more than 12,500) and creates them again, as the real one does.
 */
export const openCluster = (nodes: number, options: Partial<ClusterOptions> = {}): Cluster =>
  createCluster({
    seed: 1,
    featureGates: { JobTrackingWithFinalizers: true },
    nodes: Array.from({ length: nodes }, (_, at) => ({ name: `node-${at}`, capacity: { cpu: '1000', memory: '1000Gi', pods: '100000' } })),
    alter: unpaced,
    agents: { podBehaviors: [{ runForMs: RUN_MS }] },
    ...options,
  });

/** Creates a Job. @throws when it is refused. */
export function createJob(cluster: Cluster, name: string, completions: number, parallelism: number): void {
  const response = cluster.request('bench', {
    verb: 'create',
    kind: 'Job',
    namespace: 'default',
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name, namespace: 'default' },
      spec: { completions, parallelism, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'work:1' }] } } },
    },
  });
  if (!response.ok) throw new Error(`the Job ${name} was refused: ${response.status.message ?? response.code}`);
}

/** Creates the Jobs of a load and runs until the cluster is settled. */
export function runJobs(cluster: Cluster, { jobs, pods, parallelism }: Load): Work {
  const before = { ...cluster.counters, events: cluster.kernel.steps, at: cluster.now };
  for (let at = 0; at < jobs; at++) createJob(cluster, `job-${at}`, pods, parallelism);
  if (!cluster.runUntilSettled(cluster.now + 1_000 * DAYS)) throw new Error('the load did not settle');
  checkJobs(cluster, { jobs, pods, parallelism });
  const { commits, deliveries, reconciles } = cluster.counters;
  return {
    cluster,
    pods: jobs * pods,
    commits: commits - before.commits,
    deliveries: deliveries - before.deliveries,
    reconciles: reconciles - before.reconciles,
    events: cluster.kernel.steps - before.events,
    virtualSeconds: (cluster.now - before.at) / 1000,
  };
}

/** Checks that every Job is complete and has counted every pod, and that no pod failed. */
function checkJobs(cluster: Cluster, { jobs, pods }: Load): void {
  let complete = 0;
  for (const job of cluster.store.values('Job') as Iterable<Job>) {
    if (job.status.succeeded !== pods || (job.status.failed ?? 0) > 0)
      throw new Error(`${job.metadata.name} counted ${job.status.succeeded ?? 0} of ${pods} pods, ${job.status.failed ?? 0} failed`);
    if (job.status.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True') === true) complete++;
  }
  if (complete !== jobs) throw new Error(`${complete} of ${jobs} Jobs are complete`);
}

/** A load on a fresh cluster; only the load is timed. */
export function timeJobs(load: Load): Timed<Work> {
  const cluster = openCluster(load.nodes ?? 20, load.options);
  return cpu(() => runJobs(cluster, load));
}

/** The counts of a run, per pod. */
export const perPod = ({ pods, commits, deliveries, reconciles, events }: Work): Readonly<Record<string, number>> => ({
  commits: round(commits / pods),
  deliveries: round(deliveries / pods),
  reconciles: round(reconciles / pods),
  events: round(events / pods),
});

const round = (value: number): number => Math.round(value * 100) / 100;

/** Warms up the compiler. */
export function warmUp(): void {
  for (let at = 0; at < 2; at++) timeJobs({ jobs: 1, pods: 3_000, parallelism: 500 });
}
