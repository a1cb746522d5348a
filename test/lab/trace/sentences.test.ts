/** The sentences of pods, nodes and leases, and what is said where only one of two things has changed, or nothing. */
import { describe, expect, it } from 'vitest';
import { headline, headlineOf, wordsFor } from '../../../src/lab/trace/index.ts';
import { objectOf, other, wrote } from './made.ts';

const sentence = (kind: string, before: object, after: object): string | undefined =>
  wordsFor({ kind, key: 'default/x', before: objectOf(kind, 'x', 1, before), after: objectOf(kind, 'x', 2, after) });

interface PodParts {
  readonly phase?: string;
  readonly node?: string;
  readonly ready?: string;
  readonly restarts?: readonly (number | undefined)[];
  readonly scheduled?: string;
  readonly initialized?: string;
}
const podOf = ({ phase = 'Pending', node, ready, restarts, scheduled, initialized }: PodParts) => ({
  spec: node === undefined ? {} : { nodeName: node },
  status: {
    phase,
    conditions: Object.entries({ Ready: ready, PodScheduled: scheduled, Initialized: initialized }).flatMap(([type, status]) =>
      status === undefined ? [] : [{ type, status }],
    ),
    ...(restarts === undefined ? {} : { containerStatuses: restarts.map((restartCount) => ({ restartCount })) }),
  },
});

describe('a pod', () => {
  const [bound, running] = [{ node: 'n' }, { node: 'n', phase: 'Running' }];
  it.each<[PodParts, PodParts, string | undefined]>([
    [{}, bound, 'binds x to n'],
    [{ node: '' }, bound, 'binds x to n'],
    [{}, running, 'binds x to n; it is running, not ready'],
    [{ node: 'm' }, bound, 'binds x to n'],
    [bound, running, 'x is running, not ready (was starting)'],
    [running, { ...running, ready: 'True' }, 'x is ready (was running, not ready)'],
    [{ ...running, ready: 'True' }, { ...running, ready: 'False' }, 'x is running, not ready (was ready)'],
    [{}, { phase: 'Failed' }, 'x is failed (was waiting for a node)'],
    [bound, { ...bound, phase: 'Succeeded' }, 'x is done (was starting)'],
    [{ node: '' }, { node: '', phase: 'Failed' }, 'x is failed (was waiting for a node)'],
    [{}, { scheduled: 'False' }, 'finds no node for x'],
    [{ scheduled: 'True' }, { scheduled: 'False' }, 'finds no node for x'],
    [{ scheduled: 'False' }, { scheduled: 'False' }, undefined],
    [{}, { scheduled: 'True' }, undefined],
    [{}, { ready: 'False' }, undefined],
    [bound, { ...bound, initialized: 'True' }, 'accepts x, and starts it'],
    [{ ...bound, initialized: 'True' }, { ...bound, initialized: 'True' }, undefined],
    [{ ...bound, ready: 'True' }, { ...bound, ready: 'True' }, undefined],
  ])('%j to %j', (before, after, said) => {
    expect(sentence('Pod', podOf(before), podOf(after))).toBe(said);
  });

  it.each<[readonly (number | undefined)[], readonly (number | undefined)[], string | undefined]>([
    [[0], [1], 'for the 1st time'],
    [[1], [2], 'for the 2nd time'],
    [[1, 1], [1, 2], 'for the 3rd time'],
    [[undefined, 3], [1, 3], 'for the 4th time'],
    [[9], [10], 'for the 10th time'],
    [[10], [11], 'for the 11th time'],
    [[11], [12], 'for the 12th time'],
    [[12], [13], 'for the 13th time'],
    [[13], [14], 'for the 14th time'],
    [[20], [21], 'for the 21st time'],
    [[110], [111], 'for the 111th time'],
    [[121], [122], 'for the 122nd time'],
    [[2], [2], undefined],
    [[3], [2], undefined],
  ])('restarts: %j to %j', (before, after, time) => {
    expect(sentence('Pod', podOf({ ...running, restarts: before }), podOf({ ...running, restarts: after }))).toBe(
      time === undefined ? undefined : `restarts a container of x (${time})`,
    );
  });
});

describe('a node', () => {
  const nodeOf = (ready: string | undefined, ...taints: readonly object[]) => ({
    spec: taints.length === 0 ? {} : { taints },
    status: ready === undefined ? {} : { conditions: [{ type: 'Ready', status: ready }] },
  });
  const taint = (key: string | undefined, effect?: string) => ({ key, effect });
  it.each<[object, object, string | undefined]>([
    [nodeOf(undefined), nodeOf('True'), 'x is now ready (was new)'],
    [nodeOf('True'), nodeOf('Unknown'), 'x is now silent (was ready)'],
    [nodeOf('Unknown'), nodeOf('False'), 'x is now not ready (was silent)'],
    [nodeOf('False'), nodeOf(undefined), 'x is now in an unknown state (was not ready)'],
    [nodeOf('True'), nodeOf('True', taint('a', 'NoSchedule')), 'taints x with a:NoSchedule'],
    [
      nodeOf('True', taint('a', 'NoSchedule')),
      nodeOf('True', taint('a', 'NoSchedule'), taint('b', 'NoExecute'), taint(undefined)),
      'taints x with b:NoExecute, :',
    ],
    [
      nodeOf('True', taint('a', 'NoSchedule'), taint('b', 'NoExecute')),
      nodeOf('True', taint('b', 'NoExecute')),
      'removes the taint a:NoSchedule from x',
    ],
    [nodeOf('True', taint('a', 'NoSchedule')), nodeOf('True', taint('a', 'NoExecute')), 'taints x with a:NoExecute'],
    [nodeOf('True', taint('a')), nodeOf('True', taint('a')), undefined],
    [nodeOf(undefined), nodeOf(undefined), undefined],
  ])('%j to %j', (before, after, said) => {
    expect(sentence('Node', before, after)).toBe(said);
  });
});

describe('other kinds', () => {
  const condition = (type: string, status = 'True', more: object = {}) => ({ conditions: [{ type, status, ...more }] });
  const autoscaler = (desiredReplicas: number, averageUtilization?: number, currentReplicas?: number) => ({
    status: {
      desiredReplicas,
      currentReplicas,
      ...(averageUtilization === undefined ? {} : { currentMetrics: [{ resource: { current: { averageUtilization } } }] }),
    },
  });
  const budget = (disruptionsAllowed: number, currentHealthy: number) => ({
    status: { disruptionsAllowed, currentHealthy, desiredHealthy: 1 },
  });
  it.each<[string, object, object, string | undefined]>([
    ['Lease', { spec: { holderIdentity: 'a' } }, { spec: { holderIdentity: 'b' } }, 'b acquires x (held by a before)'],
    ['Lease', { spec: { holderIdentity: 'a' } }, { spec: { holderIdentity: 'a' } }, undefined],
    ['HorizontalPodAutoscaler', autoscaler(2), autoscaler(2, 40), 'x reads 40% utilization, and wants 2 replicas still'],
    ['HorizontalPodAutoscaler', autoscaler(2, 40), autoscaler(2, 50), 'x reads 50% utilization (was 40%), and wants 2 replicas still'],
    ['HorizontalPodAutoscaler', autoscaler(2, 40), autoscaler(2, 40), undefined],
    ['HorizontalPodAutoscaler', autoscaler(2, 40), autoscaler(2), undefined],
    ['HorizontalPodAutoscaler', autoscaler(2, 40), autoscaler(3, 50, 1), 'x wants 3 replicas (was 2; 1 exist)'],
    ['HorizontalPodAutoscaler', autoscaler(2), autoscaler(3), 'x wants 3 replicas (was 2; 0 exist)'],
    ...[[], [{}], [{ resource: {} }]].map(
      (currentMetrics) =>
        ['HorizontalPodAutoscaler', autoscaler(2, 40), { status: { desiredReplicas: 2, currentMetrics } }, undefined] as [
          string,
          object,
          object,
          undefined,
        ],
    ),
    ['PodDisruptionBudget', budget(1, 2), budget(2, 2), 'x allows 2 disruptions: 2 healthy, at least 1 required'],
    ['PodDisruptionBudget', budget(1, 2), budget(1, 3), 'x allows 1 disruption: 3 healthy, at least 1 required'],
    ['PodDisruptionBudget', budget(1, 2), budget(0, 2), 'x allows 0 disruptions: 2 healthy, at least 1 required'],
    ['PersistentVolumeClaim', { spec: {} }, { spec: { volumeName: '' }, status: { phase: 'Bound' } }, 'x is bound'],
    ['PersistentVolume', {}, { status: { phase: 'Bound' } }, 'x is bound'],
    ['PersistentVolume', { status: { phase: 'Bound' } }, {}, undefined],
    [
      'VolumeAttachment',
      { spec: { nodeName: 'n', source: {} } },
      { spec: { nodeName: 'n', source: {} }, status: { attached: true } },
      'its volume is attached to n',
    ],
    [
      'VolumeAttachment',
      { spec: { nodeName: 'n', source: {} }, status: { attached: true } },
      { spec: { nodeName: 'n', source: {} } },
      'its volume is detached from n',
    ],
    ['VolumeAttachment', { spec: { nodeName: 'n', source: {} } }, { spec: { nodeName: 'n', source: {} } }, undefined],
    ['Job', { status: {} }, { status: { failed: 1, ...condition('Failed') } }, 'x has failed: 1 failed'],
    ['Job', { status: condition('Complete') }, { status: condition('Complete') }, undefined],
    [
      'Job',
      { status: {} },
      {
        status: {
          conditions: [
            { type: 'Other', status: 'True', reason: 'R' },
            { type: 'Failed', status: 'True' },
          ],
        },
      },
      'x has failed',
    ],
    ['StatefulSet', { status: { updateRevision: 'a' } }, { status: { replicas: 1 } }, 'counts x: 1 existing'],
    ['StatefulSet', { status: { updateRevision: 'a' } }, { status: { updateRevision: 'b' } }, 'updates x to revision b'],
    [
      'Deployment',
      { status: condition('Progressing', 'True', { reason: 'NewReplicaSetAvailable' }) },
      { status: { replicas: 1, ...condition('Progressing', 'True', { reason: 'NewReplicaSetAvailable' }) } },
      'counts x: 1 existing',
    ],
    ['Deployment', { status: {} }, { status: condition('Available', 'True', { reason: 'DeploymentPaused' }) }, undefined],
    [
      'ReplicaSet',
      { spec: { replicas: 1 }, status: { replicas: 0 } },
      { spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 1 } },
      'counts x: 1 existing and 1 ready',
    ],
    ['CronJob', { status: { lastSuccessfulTime: 'T' } }, { status: { lastSuccessfulTime: 'T' } }, undefined],
    ['CronJob', { status: { lastScheduleTime: 'T', lastSuccessfulTime: 'T' } }, { status: { active: [{}] } }, 'counts x: 1 running'],
    ['Endpoints', {}, { subsets: [{}] }, undefined],
    ['EndpointSlice', {}, { endpoints: [{}, {}] }, 'x has 2 ready addresses (was 0)'],
    ['EndpointSlice', { endpoints: [{ conditions: {} }] }, {}, 'x has 0 ready addresses (was 1)'],
    ['ResourceQuota', {}, { status: { hard: { pods: '4' }, used: { pods: '1', cpu: '2' } } }, 'x has 1 of 4 pods and 2 of 0 cpu in use'],
    [
      'ResourceQuota',
      { status: { used: {} } },
      { status: { used: { a: '1', b: '2', c: '3' } } },
      'x has 1 of 0 a, 2 of 0 b and 3 of 0 c in use',
    ],
    ['ResourceQuota', {}, {}, undefined],
    ['Namespace', { status: {} }, { status: { phase: 'Active' } }, 'x is active'],
    ['Namespace', { status: { phase: 'Active' } }, { status: {} }, undefined],
    ['Namespace', { status: {} }, { status: condition('NamespaceContentRemaining') }, 'finds what keeps x: NamespaceContentRemaining'],
    ['Namespace', { status: {} }, { status: condition('NamespaceContentRemaining', 'False') }, undefined],
    ['ConfigMap', { data: { a: '1' } }, { data: { a: '2' } }, undefined],
  ])('%s: %j to %j', (kind, before, after, said) => {
    expect(sentence(kind, before, after)).toBe(said);
  });
});

describe('the headline of a write', () => {
  const map = (data: object, metadata: object = {}) => objectOf('ConfigMap', 'x', 1, { data }, metadata);
  const owners = (controller?: boolean) => ({
    ownerReferences: [
      { kind: 'ReplicaSet', name: 'r' },
      { kind: 'Job', name: 'pi', ...(controller === undefined ? {} : { controller }) },
    ],
  });

  it('is there for creations, deletions and changes; Events are reported', () => {
    expect(headline(wrote(0, map({}))(1))).toBe('creates ConfigMap x');
    expect(headline(wrote(0, map({}, owners(true)))(1))).toBe('creates ConfigMap x for Job pi');
    expect(headline(wrote(0, map({}, owners()))(1))).toBe('creates ConfigMap x');
    expect(headline(wrote(0, map({ a: '1' }), { previous: map({}), deleted: true })(1))).toBe('deletes ConfigMap x');
    expect(headline(wrote(0, map({ a: '2' }), { previous: map({ a: '1' }) })(1))).toBe('changes ConfigMap x: data.a 1 → 2');
    expect(headline(wrote(0, objectOf('Event', 'e', 1, { reason: 'Started', message: 'It runs.' }))(1))).toBe('reports Started: It runs.');
    expect(headline(wrote(0, objectOf('Event', 'e', 1, { reason: 'Started', message: 1 }))(1))).toBe('reports Started: ');
    expect(headline(other(0, { type: 'note', text: '' })(1))).toBeUndefined();
  });

  it('is of the change alone where an object was marked before, or has fewer finalizers', () => {
    const marked = { deletionTimestamp: 'T' };
    const words = (before: object, after: object) =>
      headlineOf({ kind: 'ConfigMap', key: 'other/x', before: map({}, before), after: map({}, after) });
    expect(words(marked, { ...marked, finalizers: ['a'] })).toBe('changes ConfigMap other/x: metadata.finalizers');
    expect(words({ finalizers: ['a', 'b', 'c'] }, { finalizers: ['c'] })).toBe('removes finalizers a, b from other/x');
    expect(words({ finalizers: ['a'] }, {})).toBe('removes finalizer a from other/x');
    expect(words({}, { ...marked, deletionGracePeriodSeconds: 0 })).toBe('marks ConfigMap x for deletion');
    expect([wordsFor({ kind: 'Pod', key: 'x', after: map({}) }), wordsFor({ kind: 'Pod', key: 'x', before: map({}) })]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
