/** Whole decisions about the pods of a DaemonSet: on each node, its status, and all that a sync writes. */
import { describe, expect, it } from 'vitest';
import { a, b, counts, lines, pod, PRESENT, ready, revision, set } from './whole.ts';
import { AT } from '../../../support/objects.ts';

describe('a DaemonSet', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'records its template, and creates a pod on each node that fits',
      () => lines([set(), a, { ...b, spec: { unschedulable: true, taints: [{ key: 'x', effect: 'NoSchedule' }] } }]),
      [
        'its template is new: revision 1; 0 of 1 nodes have a pod, 0 ready: 1 node lacks one',
        'create ControllerRevision d-6757c675b8 {metadata:{labels:{app:d,controller-revision-hash:6757c675b8},ownerReferences:[{apiVersion:apps/v1,kind:DaemonSet,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]},data:{spec:{template:{$patch:replace,metadata:{creationTimestamp:null,labels:{app:d}},spec:{containers:[{image:c:2,name:c}]}}}},revision:1}',
        'create Pod d- {metadata:{labels:{app:d,controller-revision-hash:6757c675b8},ownerReferences:[{apiVersion:apps/v1,kind:DaemonSet,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]},spec:{containers:[{name:c,image:c:2}],affinity:{nodeAffinity:{requiredDuringSchedulingIgnoredDuringExecution:{nodeSelectorTerms:[{matchFields:[{key:metadata.name,operator:In,values:[a]}]}]}}},tolerations:[{key:node.kubernetes.io/not-ready,operator:Exists,effect:NoExecute},{key:node.kubernetes.io/unreachable,operator:Exists,effect:NoExecute},{key:node.kubernetes.io/disk-pressure,operator:Exists,effect:NoSchedule},{key:node.kubernetes.io/memory-pressure,operator:Exists,effect:NoSchedule},{key:node.kubernetes.io/pid-pressure,operator:Exists,effect:NoSchedule},{key:node.kubernetes.io/unschedulable,operator:Exists,effect:NoSchedule}]}} {then:{about:"DaemonSet d",type:Normal,reason:SuccessfulCreate,message:"Created pod: {name}"}}',
        'update DaemonSet/status d {status:{currentNumberScheduled:0,numberMisscheduled:0,desiredNumberScheduled:1,numberReady:0,observedGeneration:1,numberUnavailable:1}}',
        'memory: {creates:1}',
        'enqueue: []',
      ],
    ],
    [
      'waits for its own writes, and counts meanwhile',
      () => lines([set(), a, pod('p', 'a', ready)], { expectationsSatisfied: false }),
      [
        'its cache does not show all of its own writes yet (1 of 1 nodes have a pod, 1 ready)',
        'update DaemonSet/status d {status:{currentNumberScheduled:1,numberMisscheduled:0,desiredNumberScheduled:1,numberReady:1,updatedNumberScheduled:1,numberAvailable:1}}',
        'enqueue: []',
      ],
    ],
    [
      'that has all pods has nothing to do',
      () => lines([set({}, counts(2, 2, 2, 2)), PRESENT, a, b, pod('p', 'a', ready), pod('q', 'b', ready)]),
      ['2 of 2 nodes have a pod, 2 ready: nothing to do', 'memory: null', 'enqueue: []'],
    ],
    [
      'is not observed by a status whose other members differ',
      () => lines([set({}, { ...counts(1, 1, 1, 1), collisionCount: 4, conditions: [] }), PRESENT, a, pod('p', 'a', ready)]),
      ['1 of 1 nodes have a pod, 1 ready: nothing to do', 'memory: null', 'enqueue: []'],
    ],
    [
      'counts pods that become available later, and wakes then',
      () => lines([set({ minReadySeconds: 60 }, counts(1, 1, 0, 1)), PRESENT, a, pod('p', 'a', { ready: 1 })]),
      [
        '1 of 1 nodes have a pod, 1 ready: nothing to do',
        'update DaemonSet/status d {status:{currentNumberScheduled:1,numberMisscheduled:0,desiredNumberScheduled:1,numberReady:1,observedGeneration:1,updatedNumberScheduled:1,numberUnavailable:1}}',
        'memory: null',
        'enqueue: [{key:default/d,afterMs:60000}]',
      ],
    ],
    [
      'that is being deleted does nothing',
      () => lines([set({}, {}, { deletionTimestamp: AT }), a]),
      ['it is being deleted: the garbage collector deletes its pods'],
    ],
    [
      'replaces a failed pod',
      () => lines([set({}, counts(1, 1, 0, 1)), PRESENT, a, pod('p', 'a', { phase: 'Failed' })]),
      [
        '1 of 1 nodes have a pod, 0 ready: 1 pod has failed',
        'event Warning FailedDaemonPod of DaemonSet d: Found failed daemon pod default/p on node a, will try to kill it',
        'delete Pod p {uid:uid-p,tolerate:[NotFound],then:{about:"DaemonSet d",type:Normal,reason:SuccessfulDelete,message:"Deleted pod: p"}}',
        'memory: {backoffs:{uid:uid-d,generation:1,parts:[[97,{nodes:[[a,{at:@60,delayMs:1000,waits:false}]],dueAt:null,leastMs:null}]],replaced:[a],mark:{view:1,turns:1}},creates:0}',
        'enqueue: []',
      ],
    ],
    [
      'deletes surplus and misplaced pods',
      () =>
        lines(
          [set({}, counts(1, 1, 1, 1)), PRESENT, a, pod('p', 'a', ready), pod('q', 'a', { made: 5 }), pod('r', 'b')].concat({
            ...b,
            spec: { taints: [{ key: 'x', effect: 'NoExecute' }] },
          } as never),
        ),
      [
        '1 of 1 nodes have a pod, 1 ready: 2 pods are to be deleted',
        'delete Pod q {uid:uid-q,tolerate:[NotFound],then:{about:"DaemonSet d",type:Normal,reason:SuccessfulDelete,message:"Deleted pod: q"}}',
        'delete Pod r {uid:uid-r,tolerate:[NotFound],then:{about:"DaemonSet d",type:Normal,reason:SuccessfulDelete,message:"Deleted pod: r"}}',
        'update DaemonSet/status d {status:{currentNumberScheduled:1,numberMisscheduled:1,desiredNumberScheduled:1,numberReady:1,observedGeneration:1,updatedNumberScheduled:1,numberAvailable:1}}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'updates one node at a time',
      () =>
        lines([
          set({}, counts(2, 2, 2, 0)),
          PRESENT,
          revision('c:1', 1, 'old'),
          a,
          b,
          pod('p', 'a', { hash: 'old', ready: 0 }),
          pod('q', 'b', { hash: 'old', ready: 1 }),
        ]),
      [
        '2 of 2 nodes have a pod, 2 ready, 2 of an older template: 1 pod to replace',
        'delete Pod p {uid:uid-p,tolerate:[NotFound],then:{about:"DaemonSet d",type:Normal,reason:SuccessfulDelete,message:"Deleted pod: p"}}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'updates with a pod beside the old one',
      () =>
        lines([
          set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } }, counts(2, 2, 2, 0)),
          PRESENT,
          a,
          b,
          pod('p', 'a', { hash: 'old', ready: 0 }),
          pod('q', 'b', { hash: 'old', ready: 1 }),
        ]),
      [
        '2 of 2 nodes have a pod, 2 ready, 2 of an older template: 1 node gets a surge pod',
        'create Pod d- {metadata:{labels:{app:d,controller-revision-hash:6757c675b8},ownerReferences:[{apiVersion:apps/v1,kind:DaemonSet,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]},spec:{containers:[{name:c,image:c:2}],affinity:{nodeAffinity:{requiredDuringSchedulingIgnoredDuringExecution:{nodeSelectorTerms:[{matchFields:[{key:metadata.name,operator:In,values:[a]}]}]}}},tolerations:[{key:node.kubernetes.io/not-ready,operator:Exists,effect:NoExecute},{key:node.kubernetes.io/unreachable,operator:Exists,effect:NoExecute},{key:node.kubernetes.io/disk-pressure,operator:Exists,effect:NoSchedule},{key:node.kubernetes.io/memory-pressure,operator:Exists,effect:NoSchedule},{key:node.kubernetes.io/pid-pressure,operator:Exists,effect:NoSchedule},{key:node.kubernetes.io/unschedulable,operator:Exists,effect:NoSchedule}]}} {then:{about:"DaemonSet d",type:Normal,reason:SuccessfulCreate,message:"Created pod: {name}"}}',
        'memory: {creates:1}',
        'enqueue: []',
      ],
    ],
    [
      'creates a pod beside one that is being deleted, where it surges and its node fits',
      () =>
        lines([
          set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } }, counts(1, 1, 0, 1)),
          PRESENT,
          a,
          { ...b, spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] } },
          pod('p', 'a', { dying: true }),
          pod('q', 'b', { dying: true }),
        ]).map((line) => line.replace(/^(create Pod d-).*/, '$1')),
      [
        '1 of 1 nodes have a pod, 0 ready: 1 node lacks one',
        'create Pod d-',
        'update DaemonSet/status d {status:{currentNumberScheduled:1,numberMisscheduled:1,desiredNumberScheduled:1,numberReady:0,observedGeneration:1,updatedNumberScheduled:1,numberUnavailable:1}}',
        'memory: {creates:1}',
        'enqueue: []',
      ],
    ],
    [
      'waits for one that is being deleted otherwise',
      () => lines([set({}, counts(1, 1, 0, 1)), PRESENT, a, pod('p', 'a', { dying: true })]),
      ['1 of 1 nodes have a pod, 0 ready: nothing to do', 'memory: null', 'enqueue: []'],
    ],
    [
      'updates by deletion where a surge is not enabled',
      () =>
        lines(
          [
            set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } }, counts(1, 1, 1, 0)),
            PRESENT,
            a,
            pod('p', 'a', { hash: 'old', ready: 0 }),
          ],
          { gates: { DaemonSetUpdateSurge: false } },
        ),
      [
        '1 of 1 nodes have a pod, 1 ready, 1 of an older template: 1 pod to replace',
        'delete Pod p {uid:uid-p,tolerate:[NotFound],then:{about:"DaemonSet d",type:Normal,reason:SuccessfulDelete,message:"Deleted pod: p"}}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'does not update with OnDelete',
      () =>
        lines([set({ updateStrategy: { type: 'OnDelete' } }, counts(1, 1, 1, 0)), PRESENT, a, pod('p', 'a', { hash: 'old', ready: 0 })]),
      ['1 of 1 nodes have a pod, 1 ready, 1 of an older template: nothing to do', 'memory: null', 'enqueue: []'],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});
