/** Whole decisions about a ReplicaSet: its pods, its status, and what follows a refused write. */
import { describe, expect, it } from 'vitest';
import { replicaSet } from '../../../../src/controlplane/controllers/replica-set/controller.ts';
import { at } from '../../../support/objects.ts';
import { decide, type Situation } from '../../../support/reconcile.ts';
import { set, pod, counts, FAILURE, dying, lines } from './whole.ts';

describe('a ReplicaSet', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'creates a missing pod',
      () => lines([set(2, counts(1)), pod('a')]),
      [
        '1 of 2 pods, 1 ready: 1 more pod to create',
        'create Pod web- {metadata:{labels:{app:web,tier:x},ownerReferences:[{apiVersion:apps/v1,kind:ReplicaSet,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},spec:{containers:[{name:c,image:c:1}]}} {then:{about:"ReplicaSet web",type:Normal,reason:SuccessfulCreate,message:"Created pod: {name}"}}',
        'memory: {planned:1}',
      ],
    ],
    [
      'creates pods, and counts none',
      () => lines([set(2)]),
      [
        '0 of 2 pods, 0 ready: 2 more pods to create',
        'create Pod web- {metadata:{labels:{app:web,tier:x},ownerReferences:[{apiVersion:apps/v1,kind:ReplicaSet,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},spec:{containers:[{name:c,image:c:1}]}} {then:{about:"ReplicaSet web",type:Normal,reason:SuccessfulCreate,message:"Created pod: {name}"}}',
        'create Pod web- {metadata:{labels:{app:web,tier:x},ownerReferences:[{apiVersion:apps/v1,kind:ReplicaSet,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},spec:{containers:[{name:c,image:c:1}]}} {then:{about:"ReplicaSet web",type:Normal,reason:SuccessfulCreate,message:"Created pod: {name}"}}',
        'update ReplicaSet/status web {status:{replicas:0,observedGeneration:3}}',
        'memory: {planned:2}',
      ],
    ],
    [
      'that has all pods has nothing to do',
      () => lines([set(2, counts(2)), pod('a'), pod('b')]),
      ['2 of 2 pods, 2 ready: nothing to do', 'memory: null'],
    ],
    [
      'deletes a surplus pod',
      () => lines([set(1, counts(2)), pod('a'), pod('b', 30)]),
      [
        '2 of 1 pods, 2 ready: 1 too many',
        'delete Pod b {uid:uid-b,tolerate:[NotFound],then:{about:"ReplicaSet web",type:Normal,reason:SuccessfulDelete,message:"Deleted pod: b"}}',
        'memory: {planned:0}',
      ],
    ],
    [
      'waits for its own writes',
      () => lines([set(3, counts(1)), pod('a')], { expectationsSatisfied: false }),
      ['its cache does not show all of its own writes yet (1 of 3 pods, 1 ready)', 'memory: null'],
    ],
    [
      'that is being deleted only counts',
      () => lines([set(3, counts(0), { meta: dying }), pod('a')]),
      [
        'it is being deleted (1 of 3 pods, 1 ready)',
        'update ReplicaSet/status web {metadata:{deletionTimestamp:00:00:00},status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3}}',
        'memory: null',
      ],
    ],
    [
      'does not count pods that have ended or are going',
      () =>
        lines([set(2, {}), pod('a'), pod('b', 0, { phase: 'Failed' }), pod('c', 0, { phase: 'Succeeded' }), pod('d', 0, { meta: dying })]),
      [
        '1 of 2 pods, 1 ready: 1 more pod to create',
        'create Pod web- {metadata:{labels:{app:web,tier:x},ownerReferences:[{apiVersion:apps/v1,kind:ReplicaSet,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},spec:{containers:[{name:c,image:c:1}]}} {then:{about:"ReplicaSet web",type:Normal,reason:SuccessfulCreate,message:"Created pod: {name}"}}',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3}}',
        'memory: {planned:1}',
      ],
    ],
    [
      'counts pods with all labels of its template',
      () => lines([set(2, {}), pod('a'), pod('b', null, { meta: { labels: { app: 'web' } } })]),
      [
        '2 of 2 pods, 1 ready: nothing to do',
        'update ReplicaSet/status web {status:{replicas:2,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3}}',
        'memory: null',
      ],
    ],
    [
      'counts all pods where its template has no labels',
      () => lines([set(1, {}, { spec: { selector: {}, template: { metadata: {}, spec: { containers: [] } } } }), pod('a')]),
      [
        '1 of 1 pods, 1 ready: nothing to do',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3}}',
        'memory: null',
      ],
    ],
    [
      'counts pods as available after a time, and wakes then',
      () => lines([set(2, {}, { spec: { minReadySeconds: 30 } }), pod('a', 30), pod('b', 31)]),
      [
        '2 of 2 pods, 2 ready: nothing to do',
        'update ReplicaSet/status web {status:{replicas:2,fullyLabeledReplicas:2,readyReplicas:2,availableReplicas:1,observedGeneration:3}}',
        'memory: null',
        'enqueue: [{key:default/web,afterMs:30000}]',
      ],
    ],
    [
      'needs no wake-up while pods are not ready',
      () => lines([set(2, counts(2, 1, 0), { spec: { minReadySeconds: 30 } }), pod('a', 31), pod('b', null)]),
      ['2 of 2 pods, 1 ready: nothing to do', 'memory: null'],
    ],
    [
      'counts a pod whose readiness has no time as available where no time is asked for',
      () => lines([set(1, {}), pod('a', 0, { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: null }] } })]),
      [
        '1 of 1 pods, 1 ready: nothing to do',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3}}',
        'memory: null',
      ],
    ],
    [
      'does not count it where a time is asked for',
      () =>
        lines([
          set(1, {}, { spec: { minReadySeconds: 1 } }),
          pod('a', 0, { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: null }] } }),
        ]),
      [
        '1 of 1 pods, 1 ready: nothing to do',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,observedGeneration:3}}',
        'memory: null',
        'enqueue: [{key:default/web,afterMs:1000}]',
      ],
    ],
    [
      'adopts pods that it selects, and releases others',
      () =>
        lines([
          set(2, counts(1)),
          pod('a', 0, { meta: { ownerReferences: [] } }),
          pod('b', 0, { meta: { labels: { app: 'x' } } }),
          pod('c', 0, { phase: 'Failed', meta: { ownerReferences: [] } }),
        ]),
      [
        '1 of 2 pods, 1 ready: 1 more pod to create',
        'patch Pod b {metadata:{uid:uid-b,ownerReferences:[{$patch:delete,uid:uid-web}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
        'check ReplicaSet web {uid:uid-web}',
        'patch Pod a {metadata:{uid:uid-a,ownerReferences:[{apiVersion:apps/v1,kind:ReplicaSet,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
        'create Pod web- {metadata:{labels:{app:web,tier:x},ownerReferences:[{apiVersion:apps/v1,kind:ReplicaSet,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},spec:{containers:[{name:c,image:c:1}]}} {then:{about:"ReplicaSet web",type:Normal,reason:SuccessfulCreate,message:"Created pod: {name}"}}',
        'memory: {planned:1}',
      ],
    ],
    [
      'takes a failure back once there is none',
      () => lines([set(1, { ...counts(1), conditions: [FAILURE] }), pod('a')]),
      [
        '1 of 1 pods, 1 ready: nothing to do',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3}}',
        'memory: null',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });

  it('creates and deletes at most 500 pods in a sync', () => {
    const writes = (objects: Situation['objects']) =>
      decide(replicaSet, { objects, now: at(60) }).writes.filter(({ op }) => op !== 'update').length;
    expect([writes([set(501)]), writes([set(0), ...Array.from({ length: 501 }, (_, index) => pod(`p${index}`))])]).toEqual([500, 500]);
  });
});
