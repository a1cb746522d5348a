/** The agent's handling of a pod's volumes while the server responds late, or not at all. */
import { describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../../../src/controlplane/cluster.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';

const USER = { name: 'user', groups: ['system:masters'] };
const refused = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'no',
  reason: 'InternalError',
  code: 500,
} as const;

const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'notes' },
  spec: { storageClassName: '', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const volume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'notes' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: '', hostPath: { path: '/notes' } },
};
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: {
    nodeName: 'node-0',
    containers: [{ name: 'c', image: 'c:1' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'notes' } }],
  },
};

/** A cluster in which a claim is bound before its pod is created. */
function opened(api: number): { readonly cluster: Cluster; readonly states: readonly string[]; readonly create: () => void } {
  const cluster = createCluster({ seed: 1, nodes: [{ name: 'node-0', capacity: { cpu: '4', pods: '110' } }], latency: { api, watch: 0 } });
  const states: string[] = [];
  for (const body of [volume, claim])
    cluster.request('user', {
      verb: 'create',
      kind: body.kind,
      ...(body === claim ? { namespace: 'default' } : {}),
      body,
      user: USER,
    });
  cluster.runUntil(cluster.startAt + 20_000);
  const from = cluster.now;
  cluster.store.onChange(({ object, at }) => {
    if (object?.kind !== 'Pod') return;
    const { phase, containerStatuses = [] } = (object as Pod).status;
    states.push(`${at - from} ${phase} ${Object.keys(containerStatuses[0]?.state ?? {}).join()}`.trim());
  });
  const create = (): void => {
    cluster.request('user', { verb: 'create', kind: 'Pod', namespace: 'default', body: pod, user: USER });
  };
  return { cluster, states, create };
}

describe('a pod with a claim', () => {
  it('runs at once where everything is there and requests take no time', () => {
    const { cluster, states, create } = opened(0);
    create();
    cluster.runUntil(cluster.now + 1_000);
    expect(states).toEqual(['0 Pending', '0 Running running']);
  });

  it('costs a request for the claim and one for the volume before it can run', () => {
    const { cluster, states, create } = opened(10);
    create();
    cluster.runUntil(cluster.now + 1_000);
    // Two responses, then half of a request; the containers start a request after they were reported as created.
    expect(states).toEqual(['0 Pending', '25 Pending waiting', '35 Running running']);
  });

  it('is reported as waiting while the server does not respond, and runs soon after it does', () => {
    const { cluster, states, create } = opened(0);
    const from = cluster.now;
    const lift = cluster.addFaults({
      request: ({ by: { process }, request: { verb, kind } }) =>
        process === 'agent/node-0' && verb === 'get' && kind === 'PersistentVolumeClaim' ? { fail: refused } : undefined,
    });
    cluster.plan(from + 5_000, 'the server answers again', lift);
    create();
    cluster.runUntil(from + 10_000);
    expect(states).toEqual(['0 Pending', '0 Pending waiting', '6000 Running running']);
  });

  it('that is deleted during a live read never runs', () => {
    const { cluster, states, create } = opened(10);
    create();
    cluster.plan(cluster.now + 15, 'delete', () => {
      cluster.request('user', { verb: 'delete', kind: 'Pod', namespace: 'default', name: 'p', user: USER });
    });
    cluster.runUntil(cluster.now + 1_000);
    expect(states.some((state) => state.includes('Running'))).toBe(false);
    expect(cluster.store.get('Pod', 'default/p')).toBeUndefined();
  });
});
