/**
 * The cost of a pod of a DaemonSet does not depend on the number of nodes, also while all pods are replaced; beside it, the cost of a pod
 * of a Job on as many nodes.
 */
import type { Benchmark } from './benchmark.ts';
import { openCluster, timeJobs } from './jobs.ts';
import { cpu, inTurns, type Timed } from './measure.ts';

type Request = Parameters<ReturnType<typeof openCluster>['request']>[1];
/** Without latency everything would happen at one instant, which has a limit of events. */
const latency = { api: 1, watch: 1 } as const;

type Rolling = Readonly<Record<'maxUnavailable' | 'maxSurge', number | string>>;

const setOf = (rollingUpdate: Rolling): Request => ({
  verb: 'create',
  kind: 'DaemonSet',
  namespace: 'default',
  body: {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'watch', namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: 'watch' } },
      updateStrategy: { rollingUpdate },
      template: { metadata: { labels: { app: 'watch' } }, spec: { containers: [{ name: 'c', image: 'work:1' }] } },
    },
  },
});
const NEXT: Request = {
  verb: 'patch',
  kind: 'DaemonSet',
  namespace: 'default',
  name: 'watch',
  patchType: 'merge',
  body: { spec: { template: { spec: { containers: [{ name: 'c', image: 'work:2' }] } } } },
};

/** A pod on every node; with `rolls`, their replacement is timed. */
function everywhere(nodes: number, rolls: Rolling | undefined): Timed<number> {
  const cluster = openCluster(nodes, { agents: { podBehaviors: [{}] }, latency });
  const settled = (request: Request): void => {
    const response = cluster.request('bench', request);
    if (!response.ok) throw new Error(response.status.message);
    if (!cluster.runUntilSettled(cluster.now + 864_000_000)) throw new Error('it did not settle');
    if (cluster.store.size('Pod') !== nodes) throw new Error(`${cluster.store.size('Pod')} of ${nodes} nodes have a pod`);
  };
  const first = setOf(rolls ?? { maxUnavailable: 1, maxSurge: 0 });
  if (rolls !== undefined) settled(first);
  const before = cluster.counters.reconciles;
  const { ms } = cpu(() => {
    settled(rolls === undefined ? first : NEXT);
  });
  return { ms, value: cluster.counters.reconciles - before };
}

const LOADS = [
  ['on every node', undefined],
  ['replaced one by one', { maxUnavailable: 1, maxSurge: 0 }],
  ['replaced a tenth at a time', { maxUnavailable: '10%', maxSurge: 0 }],
  ['replaced beside the old', { maxUnavailable: 0, maxSurge: '100%' }],
] as const;

export const daemonSet: Benchmark = {
  name: 'daemon-set',
  asks: 'a pod of a DaemonSet on 5,000 nodes against one on 1,000, and against one of a Job',
  run(scale) {
    const sizes = [scale.size(1_000), scale.size(5_000)];
    everywhere(scale.size(200), undefined);
    const rows = LOADS.flatMap(([label, rolls]) =>
      inTurns(
        1,
        sizes.map((nodes) => () => everywhere(nodes, rolls)),
      ).map(({ ms, value }, at) => ({ label, ms, units: sizes[at] ?? 1, unit: 'pod', work: { reconciles: value / (sizes[at] ?? 1) } })),
    );
    const most = sizes[1] ?? 1;
    const job = inTurns(1, [() => timeJobs({ jobs: 1, pods: most, parallelism: most, nodes: most, options: { latency } })]).map(
      ({ ms }) => ({
        label: 'a Job on as many',
        ms,
        units: most,
        unit: 'pod',
      }),
    );
    const growth = LOADS.map((_, at) => cost(rows[2 * at + 1]) / cost(rows[2 * at]));
    return { rows: [...rows, ...job], score: { value: Math.max(...growth), limit: 1.5, is: 'most', unit: 'x' } };
  },
};

const cost = (row: { readonly ms: number; readonly units: number } | undefined): number => (row?.ms ?? 0) / (row?.units ?? 1);
