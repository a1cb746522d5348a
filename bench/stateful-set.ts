/** The cost of a replica does not depend on the size of the StatefulSet. */
import { controllers } from '../src/controlplane/controllers/index.ts';
import { kindsFor } from '../src/apiserver/kinds/index.ts';
import { namesFor } from '../src/apiserver/machinery/index.ts';
import type { Benchmark } from './benchmark.ts';
import { openCluster } from './jobs.ts';
import { cpu, inTurns, type Timed } from './measure.ts';

/** Scales up to so many replicas, in parallel, and down to none. */
function upAndDown(replicas: number): Timed<number> {
  const cluster = openCluster(20, { agents: { podBehaviors: [{}] } });
  const ask = (request: Parameters<typeof cluster.request>[1]): void => {
    const response = cluster.request('bench', request);
    if (!response.ok) throw new Error(response.status.message);
  };
  const settle = (wanted: number): void => {
    if (!cluster.runUntilSettled(cluster.now + 86_400_000)) throw new Error('it did not settle');
    if (cluster.store.size('Pod') !== wanted) throw new Error(`${cluster.store.size('Pod')} of ${wanted} pods are there`);
  };
  const before = cluster.counters.commits;
  return {
    ...cpu(() => {
      ask({
        verb: 'create',
        kind: 'Service',
        namespace: 'default',
        body: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec: { clusterIP: 'None' } },
      });
      ask({
        verb: 'create',
        kind: 'StatefulSet',
        namespace: 'default',
        body: {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata: { name: 'web', namespace: 'default' },
          spec: {
            replicas,
            serviceName: 'web',
            podManagementPolicy: 'Parallel',
            selector: { matchLabels: { app: 'web' } },
            template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'work:1' }] } },
          },
        },
      });
      settle(replicas);
      ask({ verb: 'patch', kind: 'StatefulSet', namespace: 'default', name: 'web', patchType: 'merge', body: { spec: { replicas: 0 } } });
      settle(0);
    }),
    value: cluster.counters.commits - before,
  };
}

export const statefulSet: Benchmark = {
  name: 'stateful-set',
  asks: 'a replica of a StatefulSet of 10,000 against one of 1,000, up and down',
  run(scale) {
    if (!controllers(kindsFor(namesFor('orch.io'))).some(({ reconciles }) => reconciles === 'StatefulSet'))
      return { skipped: 'no controller reconciles StatefulSets yet' };
    const sizes = [scale.size(1_000), scale.size(10_000)];
    upAndDown(scale.size(1_000));
    const timed = inTurns(
      scale.rounds,
      sizes.map((replicas) => () => upAndDown(replicas)),
    );
    const rows = timed.map(({ ms, value }, at) => ({
      label: 'up and down',
      ms,
      units: sizes[at] ?? 1,
      unit: 'replica',
      work: { commits: value / (sizes[at] ?? 1) },
    }));
    const [small, large] = rows.map(({ ms, units }) => ms / units);
    return { rows, score: { value: (large ?? 0) / (small ?? 1), limit: 1.3, is: 'most', unit: 'x' } };
  },
};
