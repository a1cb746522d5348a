import { describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../../../src/controlplane/cluster.ts';
import type { Status } from '../../../../src/apiserver/machinery/index.ts';

const QUOTA: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'Forbidden',
  message: 'pods "a-" is forbidden: exceeded quota',
  code: 403,
};

/** A cluster in which no pod can be created, and the seconds of the attempts. */
function withoutQuota(): { readonly cluster: Cluster; readonly tries: number[] } {
  const tries: number[] = [];
  const cluster = createCluster({ latency: { api: 5, watch: 1 }, featureGates: { JobReadyPods: true } });
  cluster.addFaults({
    request: ({ by, request }, now) => {
      if (by.process !== 'controller-manager' || request.verb !== 'create' || request.kind !== 'Pod') return undefined;
      tries.push((now - cluster.startAt) / 1000);
      return { fail: QUOTA };
    },
  });
  return { cluster, tries };
}

describe('back-off of a Job', () => {
  it('is that of the recording when no pod can be created', () => {
    const { cluster, tries } = withoutQuota();
    const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1' }] } } };
    cluster.request('test', {
      verb: 'create',
      kind: 'Job',
      namespace: 'default',
      body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', namespace: 'default' }, spec },
    });
    cluster.runUntil(cluster.startAt + 140_000);
    // Recorded: 0.03, 0.06, 10.03, 50.04, 130.06 s.
    expect(tries.map(Math.floor)).toEqual([0, 0, 10, 50, 130]);
    const events = [...cluster.store.values('Event')].filter((event) => event['reason'] === 'FailedCreate');
    expect(events).toMatchObject([
      {
        count: 5,
        type: 'Warning',
        message: 'Error creating: pods "a-" is forbidden: exceeded quota',
        source: { component: 'job-controller' },
      },
    ]);
  });
});
