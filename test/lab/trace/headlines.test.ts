/** The sentence of a change, from the two revisions alone: what is said, and that nothing is said of what has not changed. */
import { expect, it } from 'vitest';
import { headlineOf, wordsFor } from '../../../src/lab/trace/index.ts';

const at = (kind: string, members: object) =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'x', namespace: 'default' }, ...members }) as never;
const sentence = (kind: string, before: object, after: object): string | undefined =>
  wordsFor({ kind, key: 'default/x', before: at(kind, before), after: at(kind, after) });

it.each<readonly [string, object, object, string | undefined]>([
  // Volumes and claims.
  ['PersistentVolumeClaim', { spec: {} }, { spec: {}, status: { phase: 'Pending' } }, 'x is pending'],
  [
    'PersistentVolumeClaim',
    { spec: {}, status: { phase: 'Pending' } },
    { spec: { volumeName: 'pv' }, status: { phase: 'Bound' } },
    'x is bound to pv (was pending)',
  ],
  [
    'PersistentVolumeClaim',
    { spec: {}, status: { phase: 'Bound' } },
    { spec: { volumeName: 'pv' }, status: { phase: 'Bound' } },
    undefined,
  ],
  ['PersistentVolumeClaim', { spec: {}, status: { phase: 'Bound' } }, { spec: {} }, undefined],
  ['PersistentVolume', { status: { phase: 'Available' } }, { status: { phase: 'Bound' } }, 'x is bound (was available)'],
  ['PersistentVolume', { status: { phase: 'Bound' } }, { status: { phase: 'Bound' } }, undefined],
  ['PersistentVolume', { status: { phase: 'Bound' } }, { status: {} }, undefined],
  ...(
    [
      [{}, { attached: true }, 'pv is attached to n'],
      [{ attached: true }, { attached: false }, 'pv is detached from n'],
      [{ attached: false }, { attached: false, attachError: { message: 'full' } }, 'pv on n: full'],
      [{ attached: true }, { attached: true, detachError: { message: 'busy' } }, 'pv on n: busy'],
      [{ attached: true }, { attached: true }, undefined],
    ] as const
  ).map(([was, is, said]) => {
    const spec = { nodeName: 'n', source: { persistentVolumeName: 'pv' } };
    return ['VolumeAttachment', { spec, status: was }, { spec, status: is }, said] as const;
  }),
  // Counts: only those that changed.
  ['CronJob', { status: {} }, { status: { active: [{}, {}] } }, 'counts x: 2 running'],
  ['CronJob', { status: { active: [{}, {}] } }, { status: { active: [{}] } }, 'counts x: 1 running (was 2)'],
  ['CronJob', { status: {} }, { status: { lastScheduleTime: 'T1' } }, 'x has started its run of T1'],
  [
    'CronJob',
    { status: { lastScheduleTime: 'T1' } },
    { status: { lastScheduleTime: 'T1', lastSuccessfulTime: 'T2' } },
    'x has had a success at T2',
  ],
  ['CronJob', { status: { lastScheduleTime: 'T1' } }, { status: { lastScheduleTime: 'T1' } }, undefined],
  [
    'DaemonSet',
    { status: { desiredNumberScheduled: 3, currentNumberScheduled: 1, numberReady: 1, numberMisscheduled: 0 } },
    { status: { desiredNumberScheduled: 3, currentNumberScheduled: 3, numberReady: 2, updatedNumberScheduled: 3, numberMisscheduled: 1 } },
    'counts x: 3 scheduled (was 1), 2 ready (was 1), 3 of the new template and 1 misscheduled',
  ],
  ['DaemonSet', { status: {} }, { status: { desiredNumberScheduled: 2 } }, 'counts x: 2 desired'],
  [
    'StatefulSet',
    { status: { replicas: 1, updateRevision: 'a' } },
    { status: { replicas: 2, readyReplicas: 1, updatedReplicas: 1, updateRevision: 'b' } },
    'updates x to revision b: 2 existing (was 1), 1 ready and 1 of the new revision',
  ],
  ['StatefulSet', { status: { replicas: 0 } }, { status: { replicas: 0, updateRevision: 'a' } }, undefined],
  ['StatefulSet', { status: { updateRevision: 'a' } }, { status: { updateRevision: 'a', replicas: 1 } }, 'counts x: 1 existing'],
  ['ReplicaSet', { spec: { replicas: 1 }, status: {} }, { spec: { replicas: 2 }, status: {} }, 'scales x to 2 (was 1)'],
  [
    'ReplicaSet',
    { spec: {}, status: {} },
    { spec: {}, status: { conditions: [{ type: 'ReplicaFailure', status: 'True' }] } },
    'x cannot create its pods',
  ],
  ['ReplicaSet', { spec: {}, status: { replicas: 1 } }, { spec: {}, status: { replicas: 1, readyReplicas: 1 } }, 'counts x: 1 ready'],
  ...(
    [
      ['DeploymentPaused', 'x is paused'],
      ['ProgressDeadlineExceeded', 'x is stuck'],
      ['ReplicaSetUpdated', undefined],
    ] as const
  ).map(([reason, said]) => ['Deployment', { status: {} }, { status: { conditions: [{ type: 'Progressing', reason }] } }, said] as const),
  [
    'Deployment',
    { status: { replicas: 1 } },
    { status: { replicas: 2, updatedReplicas: 1, availableReplicas: 1 } },
    'counts x: 2 existing (was 1), 1 of the new template and 1 available',
  ],
  // Jobs: what ended has no active pods.
  [
    'Job',
    { status: { active: 1, succeeded: 1 } },
    { status: { succeeded: 2, conditions: [{ type: 'Complete', status: 'True' }] } },
    'x is complete: 2 done (was 1)',
  ],
  [
    'Job',
    { status: { active: 1 } },
    { status: { failed: 1, conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] } },
    'x has failed (BackoffLimitExceeded): 1 failed',
  ],
  [
    'Job',
    { status: { active: 1 } },
    { status: { conditions: [{ type: 'Suspended', status: 'True' }] } },
    'x is suspended: 0 active (was 1)',
  ],
  ['Job', { status: { active: 1 } }, { status: { active: 1, ready: 1 } }, 'counts x: 1 ready'],
  // Addresses.
  ['Endpoints', {}, { subsets: [{ addresses: [{}] }, { addresses: [{}] }] }, 'x has 2 ready addresses (was 0)'],
  [
    'Endpoints',
    { subsets: [{ addresses: [{}, {}] }] },
    { subsets: [{ addresses: [{}] }, { notReadyAddresses: [{}] }] },
    'x has 1 ready address (was 2)',
  ],
  [
    'EndpointSlice',
    { endpoints: [] },
    { endpoints: [{ conditions: { ready: true } }, { conditions: { ready: false } }, {}] },
    'x has 2 ready addresses (was 0)',
  ],
  ['EndpointSlice', { endpoints: [] }, { endpoints: [{ conditions: { ready: false } }] }, 'x has 1 endpoints (was 0), 0 ready'],
  ['EndpointSlice', { endpoints: [{}] }, { endpoints: [{}] }, undefined],
  // What others count.
  [
    'HorizontalPodAutoscaler',
    { status: { desiredReplicas: 1 } },
    { status: { desiredReplicas: 3, currentReplicas: 1 } },
    'x wants 3 replicas (was 1; 1 exist)',
  ],
  [
    'ResourceQuota',
    { status: { used: { pods: '1' } } },
    { status: { hard: { pods: '4' }, used: { pods: '2' } } },
    'x has 2 of 4 pods in use',
  ],
  ['ResourceQuota', { status: { used: { pods: '1' } } }, { status: { hard: { pods: '4' }, used: { pods: '1' } } }, undefined],
  [
    'PodDisruptionBudget',
    { status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 } },
    { status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 } },
    'x allows 1 disruption: 2 healthy, at least 1 required',
  ],
  [
    'PodDisruptionBudget',
    { status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 } },
    { status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2 } },
    undefined,
  ],
  ['Namespace', { status: { phase: 'Active' } }, { status: { phase: 'Terminating' } }, 'x is terminating (was active)'],
  [
    'Namespace',
    { status: { phase: 'Terminating' } },
    { status: { phase: 'Terminating', conditions: [{ type: 'NamespaceContentRemaining', status: 'True', message: 'pods remain' }] } },
    'finds what keeps x: pods remain',
  ],
  // Who leads, and nodes.
  ['Lease', { spec: { holderIdentity: 'a' } }, { spec: { holderIdentity: '' } }, 'a releases x'],
  ['Lease', { spec: {} }, { spec: { holderIdentity: 'b' } }, 'b acquires x'],
  ['Lease', { spec: { holderIdentity: 'b', renewTime: 1 } }, { spec: { holderIdentity: 'b', renewTime: 2 } }, 'b renews x'],
  ['Lease', { spec: { holderIdentity: 'b', renewTime: 1 } }, { spec: { holderIdentity: 'b', renewTime: 1 } }, undefined],
  ['Node', { spec: {}, status: {} }, { spec: {}, status: { conditions: [{ type: 'Ready', status: 'True' }] } }, 'x is now ready (was new)'],
  ['Node', { spec: {}, status: {} }, { spec: { taints: [{ key: 'a', effect: 'NoExecute' }] }, status: {} }, 'taints x with a:NoExecute'],
  [
    'Node',
    { spec: { taints: [{ key: 'a', effect: 'NoExecute' }] }, status: {} },
    { spec: { taints: [] }, status: {} },
    'removes the taint a:NoExecute from x',
  ],
])('of a %s, from %j to %j: %s', (kind, before, after, said) => {
  expect(sentence(kind, before, after)).toBe(said);
});

it('says of a deletion what delays it, beside the other change', () => {
  const pod = (metadata: object, phase: string) => ({ metadata: { name: 'x', ...metadata }, spec: { nodeName: 'n' }, status: { phase } });
  const marked = (metadata: object) => sentence('Pod', pod({}, 'Running'), pod({ deletionTimestamp: 'T', ...metadata }, 'Running'));
  expect(marked({})).toBe('marks Pod x for deletion');
  expect(marked({ deletionGracePeriodSeconds: 30 })).toBe('marks Pod x for deletion; it has 30 s to stop');
  expect(marked({ finalizers: ['a', 'b'], deletionGracePeriodSeconds: 30 })).toBe('marks Pod x for deletion; held by a, b');
  expect(sentence('Pod', pod({}, 'Running'), pod({ deletionTimestamp: 'T' }, 'Succeeded'))).toBe(
    'x is done (was running, not ready), and marks Pod x for deletion',
  );
  expect(sentence('Pod', pod({ finalizers: ['a', 'b'] }, 'Running'), pod({ finalizers: ['b'] }, 'Running'))).toBe(
    'removes finalizer a from x',
  );
  const revisions = { kind: 'Pod', key: 'default/x' };
  expect([headlineOf(revisions), headlineOf({ ...revisions, before: at('Pod', {}) })]).toEqual(['Pod x is gone', 'deletes Pod x']);
});
