/** Whole decisions about the taints of a node. */
import { describe, expect, it } from 'vitest';
import { condition, taint, node, known, OTHER, lines, UNREADY, UNREACHABLE } from './whole.ts';

describe('the taints of a node', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'follow its conditions at once',
      () =>
        lines(
          7,
          node(
            'n',
            'False',
            [{ key: 'own', effect: 'NoSchedule' }, taint('memory-pressure', 'NoSchedule'), taint('memory-pressure', 'NoExecute')],
            {
              conditions: ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable', 'Odd'].map((type) =>
                condition(type, type === 'MemoryPressure' ? 'False' : 'True'),
              ),
              spec: { unschedulable: true },
            },
          ),
          known(5),
        ),
      [
        'its taints are set to match its conditions',
        'patch Node n {metadata:{resourceVersion:7},spec:{taints:[{key:own,effect:NoSchedule},{key:node.kubernetes.io/memory-pressure,effect:NoExecute},{key:node.kubernetes.io/not-ready,effect:NoSchedule,timeAdded:00:00:07},{key:node.kubernetes.io/disk-pressure,effect:NoSchedule,timeAdded:00:00:07},{key:node.kubernetes.io/pid-pressure,effect:NoSchedule,timeAdded:00:00:07},{key:node.kubernetes.io/network-unavailable,effect:NoSchedule,timeAdded:00:00:07},{key:node.kubernetes.io/unschedulable,effect:NoSchedule,timeAdded:00:00:07}]}} {patchType:merge}',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true}',
        'wakeAt: @10',
        'background: true',
      ],
    ],
    [
      'have no time where rules are applied',
      () => lines(7, node('n', 'Unknown'), known(5), { rules: 'strict' as never }),
      [
        'its taints are set to match its conditions',
        'patch Node n {metadata:{resourceVersion:7},spec:{taints:[{key:node.kubernetes.io/unreachable,effect:NoSchedule}]}} {patchType:merge}',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true}',
        'wakeAt: @10',
        'background: true',
      ],
    ],
    [
      'have their time where rules are only recorded',
      () => lines(7, node('n', 'Unknown'), known(5), { rules: 'recorded' as never }),
      [
        'its taints are set to match its conditions',
        'patch Node n {metadata:{resourceVersion:7},spec:{taints:[{key:node.kubernetes.io/unreachable,effect:NoSchedule,timeAdded:00:00:07}]}} {patchType:merge}',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true}',
        'wakeAt: @10',
        'background: true',
      ],
    ],
    [
      'are left without a status',
      () => lines(7, node('n', null, [], { spec: { unschedulable: true } }), known(5)),
      [
        'its heartbeat is recent',
        'memory: {uid:uid-n,health:{probeAt:@10,beating:false},registered:true}',
        'wakeAt: @70',
        'background: true',
      ],
    ],
    [
      'for eviction wait for their turn',
      () => lines(10, node('n', 'False', UNREADY), known(5)),
      [
        'it is not ready: queue it for a NoExecute taint',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@10,inPass:true}',
        'wakeAt: @10.1',
      ],
    ],
    [
      'for eviction are removed from one that is ready',
      () => lines(10, node('n', 'True', [taint('not-ready', 'NoExecute'), { key: 'own', effect: 'NoExecute' }]), known(5)),
      [
        'it is ready again: cancel the eviction of its pods',
        'patch Node n {metadata:{resourceVersion:7},spec:{taints:[{key:own,effect:NoExecute}]}} {patchType:merge}',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@10,inPass:true}',
        'wakeAt: @15',
        'background: true',
      ],
    ],
    [
      'for eviction turn with its condition',
      () => lines(10, node('n', 'Unknown', [...UNREACHABLE, taint('not-ready', 'NoExecute')]), known(5)),
      [
        'its Ready condition changed between False and Unknown',
        'patch Node n {metadata:{resourceVersion:7},spec:{taints:[{key:node.kubernetes.io/unreachable,effect:NoSchedule},{key:node.kubernetes.io/unreachable,effect:NoExecute,timeAdded:00:00:10}]}} {patchType:merge}',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@10,inPass:true}',
        'wakeAt: @15',
        'background: true',
      ],
    ],
    [
      'for eviction are removed while no node is ready',
      () => lines(12, node('n', 'Unknown', [...UNREACHABLE, taint('unreachable', 'NoExecute')]), known(5), { and: [] }),
      [
        'no node is ready, so evictions stop: remove its taints',
        'patch Node n {metadata:{resourceVersion:7},spec:{taints:[{key:node.kubernetes.io/unreachable,effect:NoSchedule}]}} {patchType:merge}',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true}',
        'wakeAt: @15',
        'background: true',
      ],
    ],
    [
      'for eviction are not added while no node is ready',
      () => lines(10, node('n', 'Unknown', UNREACHABLE), known(5), { and: [] }),
      [
        'the monitor pass checks it',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@10,inPass:true}',
      ],
    ],
    [
      'for eviction are not added in a zone where most nodes are unready',
      () => lines(10, node('n', 'Unknown', UNREACHABLE), known(5), { and: [OTHER, node('a', 'False'), node('b', 'False')] }),
      [
        'it is not ready, but evictions in its zone are stopped',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@10,inPass:true}',
        'wakeAt: @15',
        'background: true',
      ],
    ],
    [
      'for eviction are added soon to a node that does not count for its zone',
      () => lines(10, node('n', 'False', UNREADY, { meta: { labels: { 'node.kubernetes.io/exclude-disruption': '' } } }), known(5)),
      [
        'it is not ready: queue it for a NoExecute taint',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@10,inPass:true}',
        'wakeAt: @15',
        'background: false',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});
