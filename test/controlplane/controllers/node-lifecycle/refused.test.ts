/** What follows a refused write of a node, its deletion, and a change of it, its lease or its pods. */
import { describe, expect, it } from 'vitest';
import type { Lease, Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { nodeLifecycle } from '../../../../src/controlplane/controllers/node-lifecycle/controller.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { at } from '../../../support/objects.ts';
import { decide, enqueued, linesOf, recover, resume } from '../../../support/reconcile.ts';
import { node, lease, known, OTHER, readyPod } from './whole.ts';

describe('a node that is gone', () => {
  const gone = (second: number, memory?: object) => {
    const { reconcileAbsent } = nodeLifecycle;
    const situation = { objects: [OTHER], key: 'n', now: at(second), startedAt: at(0), memory };
    return linesOf(decide({ ...nodeLifecycle, reconcile: reconcileAbsent }, situation));
  };
  it.each<[string, () => readonly string[], readonly string[]]>([
    ['before it was registered is forgotten', () => gone(7, known(5, { registered: false })), ['the node n is gone', 'memory: null']],
    ['and was never known is forgotten', () => gone(7), ['the node n is gone', 'memory: null']],
    [
      'is removed by the next pass',
      () => gone(7, known(5)),
      [
        'it is gone; the next monitor pass removes it',
        'wakeAt: @10',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true}',
        'background: true',
      ],
    ],
    [
      'is removed by a pass',
      () => gone(10, known(5, { passedAt: at(5) })),
      ['the monitor pass removes it', 'event Normal RemovingNode of Node n: Node n event: Removing Node n from Controller', 'memory: null'],
    ],
    [
      'is not removed by a pass that has been',
      () => gone(10, known(5, { passedAt: at(10) })),
      [
        'it is gone; the next monitor pass removes it',
        'wakeAt: @15',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@10}',
        'background: true',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

describe('a refused write', () => {
  const patch: Write = { op: 'patch', kind: 'Node', name: 'n', patchType: 'merge', patch: {} };
  const after = (memory: object | undefined, write: Write = patch, reason = 'Conflict') =>
    linesOf(
      recover(
        nodeLifecycle,
        { objects: [node('n', 'True')], key: 'n', memory, now: at(10) },
        { write, status: { reason } as never, dropped: [] },
      ),
    );

  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'for a conflict is decided again from a live read',
      () => after(known(5)),
      [
        'conflict: read it from the API server',
        'get Node n {resume:true,tolerate:[NotFound]}',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,reads:1}',
      ],
    ],
    [
      'for a conflict is tried five times',
      () => after(known(5, { reads: 4 })),
      [
        'conflict: read it from the API server',
        'get Node n {resume:true,tolerate:[NotFound]}',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,reads:5}',
      ],
    ],
    ['for a conflict is not tried a sixth time', () => after(known(5, { reads: 5 })), []],
    ['for another reason is left to the back-off', () => after(known(5), patch, 'NotFound'), []],
    ['of a pod is left to the back-off', () => after(known(5), { op: 'delete', kind: 'Pod', name: 'p' }), []],
    ['without a memory is left to the back-off', () => after(undefined), []],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });

  const read = (object: Node | undefined, memory: object) =>
    linesOf(
      resume(
        nodeLifecycle,
        { objects: [OTHER], key: 'n', now: at(47), startedAt: at(0), memory },
        { write: { op: 'get', kind: 'Node', name: 'n' }, object },
      ),
    );
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'of a pass is decided as a pass',
      () => read(node('n', 'True'), known(5, { inPass: true, reads: 2 })),
      [
        'no heartbeat for 40 s: its Ready condition becomes Unknown',
        'patch Node n {metadata:{resourceVersion:7},status:{conditions:["Ready=Unknown, reason: NodeStatusUnknown, message: Kubelet stopped posting node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:47","MemoryPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:47","DiskPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:47","PIDPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:47"]}} {patchType:merge,subresource:status}',
        'event Normal NodeNotReady of Node n: Node n status is now: NodeNotReady',
        'wakeAt: @50',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@47,inPass:true,reads:2}',
      ],
    ],
    [
      'of another decision is not',
      () => read(node('n', 'True'), known(5, { reads: 1 })),
      [
        'its heartbeat is recent',
        'wakeAt: @50',
        'background: true',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,reads:1}',
      ],
    ],
    ['of a node that is gone is forgotten', () => read(undefined, known(5)), ['it is gone']],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

describe('a change', () => {
  const keys = (object: Node | Lease | Pod, objects: readonly Node[] = [OTHER, node('n', 'False')]) =>
    enqueued(
      { ...nodeLifecycle, watches: [...(nodeLifecycle.watches ?? []), { kind: 'Node', ...nodeLifecycle.self }] },
      { objects, startedAt: at(0) },
      { type: 'MODIFIED', object },
    );

  it('of a node concerns it, or all when the last becomes silent', () => {
    expect(keys(node('n', 'False'))).toEqual(['n']);
    expect(keys(node('n', 'False'), [node('n', 'False')])).toEqual(['n']);
    expect(keys(node('n', 'False'), [node('m', 'False'), node('n', 'False'), OTHER])).toEqual(['m', 'n', 'other']);
  });

  it('of a lease concerns its node, in the namespace of these leases', () => {
    expect([
      keys(lease(1)),
      keys({ ...lease(1), metadata: { ...lease(1).metadata, namespace: 'default' } } as Lease),
      keys(readyPod('p')),
    ]).toEqual([['n'], [], []]);
  });
});
