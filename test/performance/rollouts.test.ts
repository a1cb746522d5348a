/** The cost of a Deployment's pod, compared with a Job's and independent of their number: it is counted, not timed. */
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/controlplane/cluster.ts';
import { openCluster, runJobs, watched, type Counts } from './workloads.ts';

interface Rollout {
  readonly created: Counts;
  readonly rolled: Counts;
}

function ask(cluster: Cluster, request: Parameters<Cluster['request']>[1]): void {
  const response = cluster.request('test', request);
  if (!response.ok) throw new Error(response.status.message);
}

/** A Deployment of so many pods that do not exit; then its template changes. */
function runDeployment(replicas: number): Rollout {
  const visits = { pods: 0 };
  const cluster = openCluster(5, { controllers: (kinds) => watched(kinds, visits), agents: { podBehaviors: [{}] } });
  const counted = (act: () => void): Counts => {
    visits.pods = 0;
    const before = { ...cluster.counters, events: cluster.kernel.steps };
    act();
    if (!cluster.runUntilSettled(cluster.now + 86_400_000)) throw new Error('it did not settle');
    const [deployment] = cluster.store.values('Deployment');
    const { updatedReplicas, availableReplicas } = deployment?.status ?? {};
    if (updatedReplicas !== replicas || availableReplicas !== replicas)
      throw new Error(`${availableReplicas ?? 0} of ${replicas} are available`);
    const { commits, deliveries, reconciles } = cluster.counters;
    return {
      pods: replicas,
      commits: commits - before.commits,
      deliveries: deliveries - before.deliveries,
      reconciles: reconciles - before.reconciles,
      events: cluster.kernel.steps - before.events,
      visited: visits.pods,
    };
  };
  const template = (image: string): object => ({ metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } });
  const target = { kind: 'Deployment', namespace: 'default' } as const;
  const created = counted(() => {
    ask(cluster, {
      verb: 'create',
      ...target,
      body: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: template('web:1') },
      },
    });
  });
  const rolled = counted(() => {
    ask(cluster, { verb: 'patch', ...target, name: 'web', patchType: 'strategic', body: { spec: { template: template('web:2') } } });
  });
  return { created, rolled };
}

const perPod = (counts: Counts, what: keyof Counts): number => counts[what] / counts.pods;
const WHAT = ['commits', 'deliveries', 'reconciles', 'events', 'visited'] as const;

describe('a pod of a Deployment', () => {
  const small = runDeployment(100);
  const large = runDeployment(1_000);
  const job = runJobs({ jobs: 1, pods: 1_000, parallelism: 1_000 });

  it.each(WHAT)('takes at most one and a half times the %s of a pod of a Job', (what) => {
    expect(perPod(large.created, what)).toBeLessThanOrEqual(1.5 * Math.max(1, perPod(job, what)));
  });

  it.each(WHAT)('takes the same %s to be rolled out, of 100 and of 1,000', (what) => {
    expect(perPod(large.rolled, what)).toBeLessThanOrEqual(perPod(small.rolled, what) * 1.1);
  });
});
