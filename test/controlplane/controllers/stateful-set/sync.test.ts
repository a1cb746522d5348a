/** Whole decisions about a StatefulSet: its pods in order, its updates, and its status. */
import { describe, expect, it } from 'vitest';
import type { Pod, StatefulSet } from '../../../../src/apiserver/kinds/index.ts';
import { statefulSet } from '../../../../src/controlplane/controllers/stateful-set/controller.ts';
import { at, AT } from '../../../support/objects.ts';
import { decide, linesOf, type Situation } from '../../../support/reconcile.ts';
import { dying, revisionOf, setOf, setPod } from '../../../support/sets.ts';

const web = (spec: Parameters<typeof setOf>[1] = {}, status: object = {}, meta: object = {}): StatefulSet =>
  setOf('web', spec, status, { resourceVersion: '7', ...meta });
const OLD = revisionOf(setOf('web', { image: 'sim:0' }), 'r0', 1);
const NOW = revisionOf(web(), 'r1', 2);
const counts = (replicas: number, ready: number, current: number, updated: number, revision = 'r1') => ({
  observedGeneration: 1,
  replicas,
  readyReplicas: ready,
  availableReplicas: ready,
  ...(current === 0 ? {} : { currentReplicas: current }),
  ...(updated === 0 ? {} : { updatedReplicas: updated }),
  currentRevision: revision,
  updateRevision: 'r1',
  collisionCount: 0,
});
const pods = (self: StatefulSet, ...more: readonly (Parameters<typeof setPod>[2] | undefined)[]): readonly Pod[] =>
  more.flatMap((each, ordinal) => (each === undefined ? [] : [setPod(self, ordinal, each)]));
/** Without the bodies of created pods. */
const lines = (objects: Situation['objects'], more: Partial<Situation> = {}) =>
  linesOf(decide(statefulSet, { objects, now: at(60), ...more })).map((line) =>
    line.startsWith('create Pod') ? line.split(' ').slice(0, 3).join(' ') : line,
  );
const PARALLEL = { podManagementPolicy: 'Parallel' } as const;

describe('a StatefulSet', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'records its template, and creates its first pod',
      () => lines([web()]),
      [
        'its template is new: revision 1; web-0 is missing and has the lowest ordinal',
        'create ControllerRevision web-d8f49b57f {metadata:{labels:{app:web,controller.kubernetes.io/hash:d8f49b57f},ownerReferences:[{apiVersion:apps/v1,kind:StatefulSet,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},data:{spec:{template:{$patch:replace,metadata:{creationTimestamp:null,labels:{app:web}},spec:{containers:[{image:sim:1,name:c}],restartPolicy:Always}}}},revision:1}',
        'create Pod web-0',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:1,currentReplicas:1,updatedReplicas:1,currentRevision:web-d8f49b57f,updateRevision:web-d8f49b57f,collisionCount:0,availableReplicas:0}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'waits until a pod is ready before it creates the next',
      () => lines([web({}, counts(1, 0, 1, 1)), NOW, ...pods(web(), { ready: false })]),
      ['web-0 is not ready: the other pods wait for it', 'memory: {}'],
    ],
    [
      'creates the next once it is ready',
      () => lines([web({}, counts(1, 1, 1, 1)), NOW, ...pods(web(), {})]),
      [
        'web-0 is ready, so the next ordinal is created',
        'create Pod web-1',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:2,readyReplicas:1,currentReplicas:2,updatedReplicas:2,currentRevision:r1,updateRevision:r1,collisionCount:0,availableReplicas:1}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'creates all missing pods at once where they need no order',
      () => lines([web(PARALLEL, counts(1, 1, 1, 1)), NOW, setPod(web(), 1)]),
      [
        'web-0 is missing, and 2 more like it',
        'create Pod web-0',
        'create Pod web-2',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:1,currentReplicas:3,updatedReplicas:3,currentRevision:r1,updateRevision:r1,collisionCount:0,availableReplicas:1}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'that has all pods has nothing to do',
      () => lines([web({}, counts(3, 3, 3, 3)), NOW, ...pods(web(), {}, {}, {})]),
      ['3 of 3 pods, 3 ready: nothing to do', 'memory: {}'],
    ],
    [
      'waits for a pod that is being deleted',
      () => lines([web({}, counts(3, 3, 3, 3)), NOW, ...pods(web(), {}, { meta: dying }, {})]),
      [
        'web-1 is terminating: the other pods wait for it',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:3,currentReplicas:2,updatedReplicas:2,currentRevision:r1,updateRevision:r1,collisionCount:0,availableReplicas:3}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'replaces a failed pod',
      () => lines([web({}, counts(3, 3, 3, 3)), NOW, ...pods(web(), {}, { status: { phase: 'Failed' } }, {})]),
      [
        'web-1 has failed and is recreated, and 1 more like it',
        'event Warning RecreatingFailedPod of StatefulSet web: StatefulSet default/web is recreating failed Pod web-1',
        'delete Pod web-1 {uid:uid-web-1,tolerate:[NotFound],then:{about:"StatefulSet web",type:Normal,reason:SuccessfulDelete,message:"delete Pod web-1 in StatefulSet web successful"},otherwise:{about:"StatefulSet web",type:Warning,reason:FailedDelete,message:"delete Pod web-1 in StatefulSet web failed error: {error}"}}',
        'create Pod web-1',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:2,currentReplicas:3,updatedReplicas:3,currentRevision:r1,updateRevision:r1,collisionCount:0,availableReplicas:2}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'scales down from its last pod',
      () => lines([web({ replicas: 1 }, counts(3, 3, 3, 3)), NOW, ...pods(web(), {}, {}, {})]),
      [
        'only one pod is wanted, so web-2 is deleted',
        'delete Pod web-2 {uid:uid-web-2,tolerate:[NotFound],then:{about:"StatefulSet web",type:Normal,reason:SuccessfulDelete,message:"delete Pod web-2 in StatefulSet web successful"},otherwise:{about:"StatefulSet web",type:Warning,reason:FailedDelete,message:"delete Pod web-2 in StatefulSet web failed error: {error}"}}',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:3,currentReplicas:2,updatedReplicas:2,currentRevision:r1,updateRevision:r1,collisionCount:0,availableReplicas:3}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'scales down all at once where they need no order',
      () => lines([web({ ...PARALLEL, replicas: 1 }, counts(3, 3, 3, 3)), NOW, ...pods(web(), {}, {}, {})]),
      [
        'only one pod is wanted, so web-2 is deleted, and 1 more like it',
        'delete Pod web-2 {uid:uid-web-2,tolerate:[NotFound],then:{about:"StatefulSet web",type:Normal,reason:SuccessfulDelete,message:"delete Pod web-2 in StatefulSet web successful"},otherwise:{about:"StatefulSet web",type:Warning,reason:FailedDelete,message:"delete Pod web-2 in StatefulSet web failed error: {error}"}}',
        'delete Pod web-1 {uid:uid-web-1,tolerate:[NotFound],then:{about:"StatefulSet web",type:Normal,reason:SuccessfulDelete,message:"delete Pod web-1 in StatefulSet web successful"},otherwise:{about:"StatefulSet web",type:Warning,reason:FailedDelete,message:"delete Pod web-1 in StatefulSet web failed error: {error}"}}',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:3,currentReplicas:1,updatedReplicas:1,currentRevision:r1,updateRevision:r1,collisionCount:0,availableReplicas:3}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'scales down its last pod though another one is not ready',
      () => lines([web({ replicas: 1 }, counts(3, 2, 3, 3)), NOW, ...pods(web(), {}, { ready: false }, {})]),
      [
        'only one pod is wanted, so web-2 is deleted',
        'delete Pod web-2 {uid:uid-web-2,tolerate:[NotFound],then:{about:"StatefulSet web",type:Normal,reason:SuccessfulDelete,message:"delete Pod web-2 in StatefulSet web successful"},otherwise:{about:"StatefulSet web",type:Warning,reason:FailedDelete,message:"delete Pod web-2 in StatefulSet web failed error: {error}"}}',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:2,currentReplicas:2,updatedReplicas:2,currentRevision:r1,updateRevision:r1,collisionCount:0,availableReplicas:2}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'counts pods as available after a time, and wakes then',
      () =>
        lines([web({ replicas: 1, minReadySeconds: 90 }, {}), NOW, ...pods(web(), {})], { gates: { StatefulSetMinReadySeconds: true } }),
      [
        'web-0 has not been ready for minReadySeconds: the other pods wait for it',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:1,readyReplicas:1,currentReplicas:1,updatedReplicas:1,currentRevision:r1,updateRevision:r1,collisionCount:0,availableReplicas:0}}',
        'memory: {lookAt:@150,lacks:true,statusFrom:7}',
        'wakeAt: @150',
      ],
    ],
    [
      'that is being deleted only counts',
      () => lines([web({}, {}, { deletionTimestamp: AT }), NOW, ...pods(web(), {})]),
      [
        'it is being deleted (1 of 3 pods, 1 ready)',
        'update StatefulSet/status web {metadata:{deletionTimestamp:00:00:00},status:{observedGeneration:1,replicas:1,readyReplicas:1,currentReplicas:1,updatedReplicas:1,currentRevision:r1,updateRevision:r1,collisionCount:0,availableReplicas:1}}',
        'memory: {statusFrom:7}',
      ],
    ],
    ['waits for its own status', () => lines([web()], { memory: { statusFrom: '7' } }), ['its cache does not show its own write yet']],
    [
      'keeps the count of conflicts with its version',
      () => lines([web({}, counts(3, 3, 3, 3)), NOW, ...pods(web(), {}, {}, {})], { memory: { conflicts: { over: '7', times: 2 } } }),
      ['3 of 3 pods, 3 ready: nothing to do', 'memory: {conflicts:{over:7,times:2}}'],
    ],
    [
      'forgets conflicts with another version',
      () => lines([web({}, counts(3, 3, 3, 3)), NOW, ...pods(web(), {}, {}, {})], { memory: { conflicts: { over: '6', times: 2 } } }),
      ['3 of 3 pods, 3 ready: nothing to do', 'memory: {}'],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

describe('an update of a StatefulSet', () => {
  const old = { revision: 'r0' };
  const before = counts(3, 3, 3, 0, 'r0');
  const updating = (spec: Parameters<typeof setOf>[1] = {}, ...more: Parameters<typeof pods>[1][]) =>
    lines([web(spec, before), OLD, NOW, ...pods(web(), ...more)]);
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'begins with the last pod',
      () => updating({}, old, old, old),
      [
        'web-2 is to be recreated from revision r1',
        'delete Pod web-2 {uid:uid-web-2,tolerate:[NotFound],then:{about:"StatefulSet web",type:Normal,reason:SuccessfulDelete,message:"delete Pod web-2 in StatefulSet web successful"},otherwise:{about:"StatefulSet web",type:Warning,reason:FailedDelete,message:"delete Pod web-2 in StatefulSet web failed error: {error}"}}',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:3,currentReplicas:2,currentRevision:r0,updateRevision:r1,collisionCount:0,availableReplicas:3}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'goes on once that is ready',
      () => updating({}, old, old, {}),
      [
        'web-1 is to be recreated from revision r1',
        'delete Pod web-1 {uid:uid-web-1,tolerate:[NotFound],then:{about:"StatefulSet web",type:Normal,reason:SuccessfulDelete,message:"delete Pod web-1 in StatefulSet web successful"},otherwise:{about:"StatefulSet web",type:Warning,reason:FailedDelete,message:"delete Pod web-1 in StatefulSet web failed error: {error}"}}',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:3,currentReplicas:1,updatedReplicas:1,currentRevision:r0,updateRevision:r1,collisionCount:0,availableReplicas:3}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'waits until that is ready',
      () => updating({}, old, old, { ready: false }),
      [
        'web-2 is not ready: the other pods wait for it',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:2,currentReplicas:2,updatedReplicas:1,currentRevision:r0,updateRevision:r1,collisionCount:0,availableReplicas:2}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'waits until it is created again',
      () => updating({}, old, old, undefined),
      [
        'web-2 is missing, and its predecessors are ready',
        'create Pod web-2',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:2,currentReplicas:2,updatedReplicas:1,currentRevision:r0,updateRevision:r1,collisionCount:0,availableReplicas:2}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'is over once all pods are updated',
      () => updating({}, {}, {}, {}),
      [
        '3 of 3 pods, 3 ready: nothing to do',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:3,currentReplicas:3,updatedReplicas:3,currentRevision:r1,updateRevision:r1,collisionCount:0,availableReplicas:3}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'stops at its partition',
      () => updating({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } }, old, old, {}),
      [
        '3 of 3 pods, 3 ready: nothing to do',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:3,currentReplicas:2,updatedReplicas:1,currentRevision:r0,updateRevision:r1,collisionCount:0,availableReplicas:3}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'creates a pod below its partition by the former revision',
      () => updating({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } }, old, undefined, {}),
      [
        'web-1 is missing, and its predecessors are ready',
        'create Pod web-1',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:3,readyReplicas:2,currentReplicas:2,updatedReplicas:1,currentRevision:r0,updateRevision:r1,collisionCount:0,availableReplicas:2}}',
        'memory: {statusFrom:7}',
      ],
    ],
    [
      'is left to clients with OnDelete',
      () => updating({ updateStrategy: { type: 'OnDelete' } }, old, old, old),
      ['3 of 3 pods, 3 ready: nothing to do', 'memory: {}'],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

it.each([
  ['the update', undefined, 'currentReplicas:1,updatedReplicas:1'],
  ['the update', 1, 'currentReplicas:1,updatedReplicas:1'],
  ['the former revision', 2, 'currentReplicas:2'],
])('a rolling update without parameters creates web-1 by %s while the status has %s current pods', (_, current, shown) => {
  const status = { ...counts(2, 2, 0, 0, 'r0'), currentReplicas: current };
  const self = web({ updateStrategy: { type: 'RollingUpdate' }, replicas: 2 }, status);
  expect(lines([self, OLD, NOW, setPod(web(), 0, { revision: 'r0' })])).toEqual([
    'web-1 is missing, and its predecessors are ready',
    'create Pod web-1',
    `update StatefulSet/status web {status:{observedGeneration:1,replicas:2,readyReplicas:1,${shown},currentRevision:r0,updateRevision:r1,collisionCount:0,availableReplicas:1}}`,
    'memory: {statusFrom:7}',
  ]);
});
