/** Large loads: the cost of a unit at a tenth of the size and at full size, the memory of a live object, and the peak. */
import type { Cluster } from '../src/controlplane/cluster.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { createJob, openCluster } from './jobs.ts';
import { cpu, inTurns, liveBytes, type Timed } from './measure.ts';

const DAY = 86_400_000;
const NODES = 20;
const CRON_JOBS = 100;

interface Load {
  readonly label: string;
  readonly unit: string;
  readonly size: number;
  /** Creates the load and runs it to its end; `sample` is called on the way. Returns the number of units. */
  run(cluster: Cluster, size: number, sample: () => void): number;
  /** Absent: pods run for a second. */
  readonly forever?: true;
  /** Absent: 20. */
  readonly nodes?: number;
}

const container = { containers: [{ name: 'c', image: 'work:1' }] };
const template = { metadata: { labels: { app: 'web' } }, spec: container };

/** Sends a request of the user. @throws when it is refused. */
function ask(cluster: Cluster, request: Parameters<Cluster['request']>[1]): void {
  const response = cluster.request('bench', request);
  if (!response.ok) throw new Error(response.status.message);
}

const createIn = (cluster: Cluster, apiVersion: string, kind: string, name: string, spec: object): void => {
  ask(cluster, {
    verb: 'create',
    kind,
    namespace: 'default',
    body: { apiVersion, kind, metadata: { name, namespace: 'default' }, spec },
  });
};

/** Runs until the cluster is settled, in slices of virtual time. @throws where it does not settle in a day. */
function settle(cluster: Cluster, sample: () => void): void {
  const end = cluster.now + DAY;
  let until = cluster.now;
  while (!cluster.runUntilSettled((until += 10_000))) {
    sample();
    if (until > end) throw new Error('the load did not settle');
  }
  sample();
}

function expectPods(cluster: Cluster, wanted: number): void {
  const pods = cluster.store.size('Pod');
  if (pods !== wanted) throw new Error(`${pods} of ${wanted} pods are there`);
}

const LOADS: readonly Load[] = [
  {
    label: 'a Job',
    unit: 'pod',
    size: 20_000,
    run(cluster, pods, sample) {
      createJob(cluster, 'big', pods, pods);
      settle(cluster, sample);
      return pods;
    },
  },
  {
    label: 'a rollout of a Deployment',
    unit: 'pod',
    size: 5_000,
    forever: true,
    run(cluster, replicas, sample) {
      const selector = { matchLabels: { app: 'web' } };
      createIn(cluster, 'apps/v1', 'Deployment', 'web', { replicas, selector, template, revisionHistoryLimit: 1 });
      settle(cluster, sample);
      const body = { spec: { template: { spec: { containers: [{ name: 'c', image: 'work:2' }] } } } };
      ask(cluster, { verb: 'patch', kind: 'Deployment', namespace: 'default', name: 'web', patchType: 'strategic', body });
      settle(cluster, sample);
      expectPods(cluster, replicas);
      return 2 * replicas;
    },
  },
  {
    label: 'a StatefulSet and its Service',
    unit: 'pod',
    size: 2_000,
    forever: true,
    run(cluster, replicas, sample) {
      const selector = { app: 'web' };
      createIn(cluster, 'v1', 'Service', 'web', { clusterIP: 'None', selector });
      const spec = { replicas, serviceName: 'web', podManagementPolicy: 'Parallel', selector: { matchLabels: selector }, template };
      createIn(cluster, 'apps/v1', 'StatefulSet', 'web', spec);
      settle(cluster, sample);
      expectPods(cluster, replicas);
      return replicas;
    },
  },
  {
    label: 'a year of 100 daily CronJobs',
    unit: 'run',
    size: 365,
    // Each node reports its status every five minutes, which would be most of the year.
    nodes: 1,
    run(cluster, days, sample) {
      for (let at = 0; at < CRON_JOBS; at++) {
        const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', ...container } } } };
        createIn(cluster, 'batch/v1', 'CronJob', `tick-${at}`, { schedule: `${at % 60} ${at % 24} * * *`, jobTemplate });
      }
      const before = cluster.counters.commits;
      for (let day = 0; day < days; day++) {
        cluster.runUntil(cluster.now + DAY);
        sample();
      }
      const runs = CRON_JOBS * days;
      if (cluster.counters.commits - before < runs) throw new Error('fewer commits than runs');
      return runs;
    },
  },
];

interface Outcome {
  readonly units: number;
  readonly commits: number;
  readonly peak: number;
  readonly objects: number;
  readonly live: number;
}

const objectsOf = ({ store }: Cluster): number => store.kinds().reduce((sum, kind) => sum + store.size(kind), 0);

function timed(load: Load, size: number): Timed<Outcome> {
  const empty = liveBytes();
  const cluster = openCluster(load.nodes ?? NODES, load.forever === true ? { agents: { podBehaviors: [{}] } } : {});
  const before = { bytes: liveBytes(), objects: objectsOf(cluster), commits: cluster.counters.commits };
  let peak = 0;
  const sample = (): void => {
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  };
  const { ms, value: units } = cpu(() => load.run(cluster, size, sample));
  const live = liveBytes() - before.bytes;
  const commits = cluster.counters.commits - before.commits;
  return { ms, value: { units, commits, peak: peak - empty, objects: objectsOf(cluster) - before.objects, live } };
}

export const bulk: Benchmark = {
  name: 'bulk',
  asks: 'a Job of 20,000, a rollout of 5,000, a StatefulSet of 2,000, a year of 100 CronJobs: a unit at full size against a tenth',
  run(scale) {
    const rows: Row[] = [];
    let worst = 0;
    for (const load of LOADS) {
      const sizes = [load.size / 10, load.size].map((size) => scale.size(Math.round(size)));
      timed(load, sizes[0] ?? 1);
      const [small, large] = inTurns(
        scale.rounds,
        sizes.map((size) => () => timed(load, size)),
      ).map(({ ms, value }) => {
        rows.push({
          label: load.label,
          ms,
          units: value.units,
          unit: load.unit,
          work: {
            commits: Math.round((value.commits / value.units) * 100) / 100,
            'bytes a live object': Math.round(value.live / Math.max(1, value.objects)),
            'peak MB': Math.round(value.peak / 1e6),
          },
        });
        return ms / value.units;
      });
      worst = Math.max(worst, (large ?? 0) / (small ?? 1));
    }
    return { rows, score: { value: worst, limit: 1.3, is: 'most', unit: 'x' } };
  },
};
