/** Writes of the cluster in a log: the record with which a run is compared, and what cannot be in it. */
import { describe, expect, it } from 'vitest';
import { controller, create, incidentIn, owned, type Sent } from './log.ts';

const WEB = create('deployments', owned('Deployment', 'web'), { group: 'apps' });
const SET = owned('ReplicaSet', 'web-5d', ['Deployment', 'web'], { labels: { 'pod-template-hash': '5d' } });
const POD = owned('Pod', 'web-5d-x', ['ReplicaSet', 'web-5d'], { labels: { 'pod-template-hash': '5d' } });
const ROLLOUT: readonly Sent[] = [
  WEB,
  create('replicasets', SET, { group: 'apps', user: controller('deployment') }),
  create('pods', POD, { user: controller('replicaset') }),
  { verb: 'create', of: 'pods/binding', name: 'web-5d-x', user: 'system:kube-scheduler', body: { target: { name: 'n' } } },
  {
    verb: 'patch',
    of: 'pods/status',
    name: 'web-5d-x',
    user: 'system:node:n',
    body: {},
    answer: { ...POD, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
  },
  {
    verb: 'update',
    of: 'deployments/status',
    group: 'apps',
    name: 'web',
    user: controller('deployment'),
    body: {},
    answer: { ...owned('Deployment', 'web'), status: { readyReplicas: 1 } },
  },
];
const recordedOf = (...sent: readonly Sent[]) => incidentIn(sent).scenario.recorded;
const leftOut = (...sent: readonly Sent[]) => incidentIn(sent).leftOut;

describe('the record', () => {
  it('has what became true of each object, without names that were drawn', () => {
    const { scenario, writes, steps } = incidentIn(ROLLOUT);
    expect(scenario.recorded).toEqual({
      withinMs: 10000,
      untilMs: 6000,
      covers: ['Job created', 'Pod Ready', 'Pod bound', 'Pod created', 'Pod deleted', 'Pod phase', 'ReplicaSet created'],
      writes: [
        { atMs: 2000, of: 'ReplicaSet of Deployment default/web', did: 'created', by: 'deployment-controller', log: 'audit.log:2' },
        { atMs: 3000, of: 'Pod of ReplicaSet default/web-*', did: 'created', by: 'replicaset-controller', log: 'audit.log:3' },
        { atMs: 4000, of: 'Pod of ReplicaSet default/web-*', did: 'bound to n', by: 'scheduler', log: 'audit.log:4' },
        { atMs: 5000, of: 'Pod of ReplicaSet default/web-*', did: 'phase Running', by: 'agent/n', log: 'audit.log:5' },
        { atMs: 5000, of: 'Pod of ReplicaSet default/web-*', did: 'Ready True', by: 'agent/n', log: 'audit.log:5' },
      ],
    });
    expect([writes, steps, scenario.untilMs, scenario.cluster.nodes]).toEqual([
      5,
      1,
      17000,
      [{ name: 'n', capacity: { cpu: '4', memory: '8Gi', pods: '110' } }],
    ]);
  });

  it('ends a pod by its node', () => {
    const deletion = (user: string, at: number): Sent => ({
      verb: 'delete',
      of: 'pods',
      name: 'web-5d-x',
      user,
      at,
      body: {},
      answer: { ...POD, metadata: { ...POD.metadata, deletionTimestamp: '2024-03-01T00:00:40Z' } },
    });
    const both = recordedOf(
      ...ROLLOUT,
      deletion(controller('replicaset'), 10),
      deletion('system:node:n', 40),
      deletion('system:node:n', 41),
    );
    expect(both?.writes.slice(5)).toEqual([
      { atMs: 10000, of: 'Pod of ReplicaSet default/web-*', did: 'deleted', by: 'replicaset-controller', log: 'audit.log:7' },
    ]);
    expect(leftOut(...ROLLOUT, deletion('system:node:n', 40), deletion('system:node:n', 41))).toEqual([
      {
        why: 'writes of the cluster about objects from before the log',
        count: 1,
        first: ['audit.log:8: delete pods default/web-5d-x by system:node:n'],
      },
    ]);
  });

  it('has pods of a Deployment of which the ReplicaSets are not shown', () => {
    expect(recordedOf(WEB, create('pods', POD, { user: controller('replicaset') }))?.writes).toEqual([
      { atMs: 2000, of: 'Pod of ReplicaSet default/web-*', did: 'created', by: 'replicaset-controller', log: 'audit.log:2' },
    ]);
    expect(leftOut(create('pods', POD, { user: controller('replicaset') }))).toEqual([
      {
        why: 'writes of the cluster about objects from before the log',
        count: 1,
        first: ['audit.log:1: create pods default/web-5d-x by system:serviceaccount:kube-system:replicaset-controller'],
      },
    ]);
  });

  it('has objects of namespaces that are there', () => {
    const endpoint = (namespace: string): Sent =>
      create(
        'serviceaccounts',
        { kind: 'ServiceAccount', metadata: { name: 'b' } },
        { namespace, user: controller('service-account'), answer: { kind: 'ServiceAccount', metadata: { name: 'b', namespace } } },
      );
    expect(recordedOf(endpoint('kube-system'))?.writes).toEqual([
      { atMs: 1000, of: 'ServiceAccount kube-system/b', did: 'created', by: 'service-account-controller', log: 'audit.log:1' },
    ]);
    expect(leftOut(endpoint('shop'))).toEqual([
      {
        why: 'writes of the cluster about objects from before the log',
        count: 1,
        first: ['audit.log:1: create serviceaccounts shop/b by system:serviceaccount:kube-system:service-account-controller'],
      },
    ]);
  });

  it('does not cover what the log shows without bodies', () => {
    const bare = { more: { level: 'Metadata' } };
    const { scenario, leftOut: left } = incidentIn([
      ...ROLLOUT,
      create('pods', POD, { user: controller('replicaset'), ...bare }),
      { verb: 'create', of: 'pods/binding', name: 'y', user: 'system:kube-scheduler', body: {}, ...bare },
      { verb: 'delete', of: 'pods', name: 'y', user: controller('replicaset'), ...bare },
      { verb: 'update', of: 'pods/status', name: 'y', user: 'system:node:n', ...bare },
    ]);
    expect(scenario.recorded?.covers).toEqual(['Job created', 'Pod Ready', 'Pod phase', 'ReplicaSet created']);
    expect(left).toEqual([
      {
        why: 'writes of the cluster without a body in the log (level Metadata)',
        count: 4,
        first: [
          'audit.log:7: create pods default/web-5d-x by system:serviceaccount:kube-system:replicaset-controller',
          'audit.log:8: create pods/binding default/y by system:kube-scheduler',
          'audit.log:9: delete pods default/y by system:serviceaccount:kube-system:replicaset-controller',
        ],
      },
    ]);
  });

  it('is none where the cluster wrote nothing that counts', () => {
    expect(recordedOf(WEB)).toBeUndefined();
    const idle: readonly Sent[] = [
      create('pods', POD, { user: controller('replicaset'), code: 409 }),
      create('widgets', owned('Widget', 'w'), { group: 'a.b', user: controller('job') }),
      create('endpoints', owned('Endpoints', 'e'), { user: controller('endpoint') }),
      { verb: 'deletecollection', of: 'pods', user: controller('namespace'), body: {} },
    ];
    expect([recordedOf(...idle), leftOut(...idle)]).toEqual([undefined, []]);
  });
});
