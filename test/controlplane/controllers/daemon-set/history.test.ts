/** Whole decisions about what a DaemonSet owns: the history of its template, and the pods that it adopts and releases. */
import { describe, expect, it } from 'vitest';
import { a, counts, HASH, lines, pod, PRESENT, ready, revision, set } from './whole.ts';
import { nodeOf } from '../../../support/objects.ts';

describe('the history of a DaemonSet', () => {
  const done = set({}, counts(0, 0, 0, 0));
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'takes a former revision of the template for the present one',
      () => lines([done, revision('c:2', 1, HASH), revision('c:1', 2, 'old'), revision('c:0', 3, 'older')]),
      [
        'the template equals that of d-1, which becomes revision 4; 0 of 0 nodes have a pod, 0 ready: nothing to do',
        'update ControllerRevision d-1 {metadata:{labels:{app:d,controller-revision-hash:6757c675b8},ownerReferences:[{apiVersion:apps/v1,kind:DaemonSet,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]},data:{spec:{template:{$patch:replace,metadata:{creationTimestamp:null,labels:{app:d}},spec:{containers:[{image:c:2,name:c}]}}}},revision:4}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'merges revisions of one template into the latest, with their pods',
      () =>
        lines([
          set({}, counts(1, 1, 1, 0)),
          revision('c:2', 1, 'twin'),
          revision('c:2', 3, HASH),
          a,
          pod('p', 'a', { hash: 'twin', ready: 0 }),
        ]),
      [
        '1 of 1 nodes have a pod, 1 ready, 1 of an older template: 1 pod to replace',
        'patch Pod p {metadata:{labels:{controller-revision-hash:6757c675b8}}} {patchType:merge,awaited:true}',
        'delete ControllerRevision d-1 {uid:uid-d-1,tolerate:[NotFound]}',
        'delete Pod p {uid:uid-p,tolerate:[NotFound],then:{about:"DaemonSet d",type:Normal,reason:SuccessfulDelete,message:"Deleted pod: p"}}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'labels a revision by its name',
      () => lines([done, revision('c:2', 1, undefined)]),
      [
        '0 of 0 nodes have a pod, 0 ready: nothing to do',
        'patch ControllerRevision d-1 {metadata:{labels:{controller-revision-hash:d-1}}} {patchType:merge}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'adopts revisions that it selects, and releases others',
      () =>
        lines([
          done,
          revision('c:2', 2, HASH, { ownerReferences: [] }),
          revision('c:1', 1, 'old', { labels: { app: 'x', 'controller-revision-hash': 'old' } }),
        ]),
      [
        '0 of 0 nodes have a pod, 0 ready: nothing to do',
        'patch ControllerRevision d-1 {metadata:{uid:uid-d-1,ownerReferences:[{$patch:delete,uid:uid-d}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
        'check DaemonSet d {uid:uid-d}',
        'patch ControllerRevision d-2 {metadata:{uid:uid-d-2,ownerReferences:[{apiVersion:apps/v1,kind:DaemonSet,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'is limited to the latest revisions without pods',
      () =>
        lines([
          set({ revisionHistoryLimit: 1, updateStrategy: { type: 'OnDelete' } }, counts(1, 1, 1, 0)),
          revision('c:5', 5, 'five'),
          revision('c:2', 9, HASH),
          revision('c:4', 4, 'four'),
          revision('c:3', 3, 'three'),
          a,
          pod('p', 'a', { hash: 'three', ready: 0 }),
        ]),
      [
        '1 of 1 nodes have a pod, 1 ready, 1 of an older template: nothing to do',
        'delete ControllerRevision d-4 {uid:uid-d-4,tolerate:[NotFound]}',
        'delete ControllerRevision d-5 {uid:uid-d-5,tolerate:[NotFound]}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'keeps ten revisions where no limit is set',
      () =>
        lines([
          set({ revisionHistoryLimit: undefined }, counts(0, 0, 0, 0)),
          revision('c:2', 99, HASH),
          ...Array.from({ length: 11 }, (_, index) => revision(`d:${index}`, index + 10, `h${index}`)),
        ]),
      [
        '0 of 0 nodes have a pod, 0 ready: nothing to do',
        'delete ControllerRevision d-10 {uid:uid-d-10,tolerate:[NotFound]}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'of equal numbers loses the first name first',
      () =>
        lines([
          set({ revisionHistoryLimit: 1 }, counts(0, 0, 0, 0)),
          revision('c:2', 99, HASH),
          revision('d:1', 7, 'x', { name: 'z', uid: 'z' }),
          revision('d:2', 7, 'y', { name: 'y', uid: 'y' }),
        ]),
      [
        '0 of 0 nodes have a pod, 0 ready: nothing to do',
        'delete ControllerRevision y {uid:y,tolerate:[NotFound]}',
        'memory: null',
        'enqueue: []',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

describe('pods of a DaemonSet', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'are adopted, and then counted',
      () => lines([set({}, counts(1, 0, 0, 0)), PRESENT, a, pod('p', 'a', ready, { ownerReferences: [] })]),
      [
        '1 of 1 nodes have a pod, 1 ready: nothing to do',
        'check DaemonSet d {uid:uid-d}',
        'patch Pod p {metadata:{uid:uid-p,ownerReferences:[{apiVersion:apps/v1,kind:DaemonSet,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
        'update DaemonSet/status d {status:{currentNumberScheduled:1,numberMisscheduled:0,desiredNumberScheduled:1,numberReady:1,observedGeneration:1,updatedNumberScheduled:1,numberAvailable:1}}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'that it does not select any more are released',
      () => lines([set({}, counts(1, 1, 1, 1)), PRESENT, a, pod('p', 'a', ready, { labels: { app: 'x' } })]),
      [
        '0 of 1 nodes have a pod, 0 ready: 1 node lacks one',
        'patch Pod p {metadata:{uid:uid-p,ownerReferences:[{$patch:delete,uid:uid-d}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
        'create Pod d- {metadata:{labels:{app:d,controller-revision-hash:6757c675b8},ownerReferences:[{apiVersion:apps/v1,kind:DaemonSet,name:d,uid:uid-d,controller:true,blockOwnerDeletion:true}]},spec:{containers:[{name:c,image:c:2}],affinity:{nodeAffinity:{requiredDuringSchedulingIgnoredDuringExecution:{nodeSelectorTerms:[{matchFields:[{key:metadata.name,operator:In,values:[a]}]}]}}},tolerations:[{key:node.kubernetes.io/not-ready,operator:Exists,effect:NoExecute},{key:node.kubernetes.io/unreachable,operator:Exists,effect:NoExecute},{key:node.kubernetes.io/disk-pressure,operator:Exists,effect:NoSchedule},{key:node.kubernetes.io/memory-pressure,operator:Exists,effect:NoSchedule},{key:node.kubernetes.io/pid-pressure,operator:Exists,effect:NoSchedule},{key:node.kubernetes.io/unschedulable,operator:Exists,effect:NoSchedule}]}} {then:{about:"DaemonSet d",type:Normal,reason:SuccessfulCreate,message:"Created pod: {name}"}}',
        'update DaemonSet/status d {status:{currentNumberScheduled:0,numberMisscheduled:0,desiredNumberScheduled:1,numberReady:0,observedGeneration:1,numberUnavailable:1}}',
        'memory: {creates:1}',
        'enqueue: []',
      ],
    ],
    [
      'beyond 250 are created later',
      () => [
        String(
          lines([set({}, counts(0, 0, 0, 0)), PRESENT, ...Array.from({ length: 251 }, (_, index) => nodeOf(`n${index}`))]).filter((line) =>
            line.startsWith('create Pod'),
          ).length,
        ),
      ],
      ['250'],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});
