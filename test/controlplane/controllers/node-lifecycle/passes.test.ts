/** Whole decisions of monitor passes about one node; the process began at second 0, and a pass is every five seconds. */
import { describe, expect, it } from 'vitest';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at } from '../../../support/objects.ts';
import { condition, taint, node, lease, known, OTHER, lines, readyPod, UNREADY, UNREACHABLE } from './whole.ts';

describe('a node', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'that is new is registered by the next pass',
      () => lines(2, node('n', 'True')),
      [
        'the next monitor pass checks it',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:false}',
        'wakeAt: @5',
        'background: true',
      ],
    ],
    [
      'that is new at a pass is registered',
      () => lines(5, node('n', 'True')),
      [
        'the monitor pass checks it',
        'event Normal RegisteredNode of Node n: Node n event: Registered Node n in Controller',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@5,inPass:true}',
        'wakeAt: @45',
        'background: true',
      ],
    ],
    [
      'without a status waits for a minute',
      () => lines(5, node('n', null), known(0, {}, { heartbeat: undefined })),
      [
        'the monitor pass checks it',
        'memory: {uid:uid-n,health:{probeAt:@0,beating:false},registered:true,passedAt:@5,inPass:true}',
        'wakeAt: @60',
        'background: true',
      ],
    ],
    [
      'that is healthy needs nothing until it could be silent',
      () => lines(7, node('n', 'True'), known(5, { passedAt: at(5) })),
      [
        'its heartbeat is recent',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@5}',
        'wakeAt: @45',
        'background: true',
      ],
    ],
    [
      'that is healthy at a pass',
      () => lines(10, node('n', 'True'), known(5)),
      [
        'the monitor pass checks it',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@10,inPass:true}',
        'wakeAt: @45',
        'background: true',
      ],
    ],
    [
      'that a pass has checked in this instant is left',
      () => lines(10, node('n', 'True'), known(5, { passedAt: at(10) })),
      [
        'its heartbeat is recent',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@10}',
        'wakeAt: @45',
        'background: true',
      ],
    ],
    [
      'whose lease is new was seen now',
      () => lines(12, node('n', 'True'), known(5), { and: [OTHER, lease(12)] }),
      [
        'its heartbeat is recent',
        'memory: {uid:uid-n,health:{renewTime:00:00:12,heartbeat:00:00:00,probeAt:@15,beating:false},registered:true}',
        'wakeAt: @55',
        'background: true',
      ],
    ],
    [
      'whose lease has not changed was seen before',
      () => lines(12, node('n', 'True'), known(5, {}, { renewTime: formatTime(at(3)) }), { and: [OTHER, lease(3)] }),
      [
        'its heartbeat is recent',
        'memory: {uid:uid-n,health:{renewTime:00:00:03,heartbeat:00:00:00,probeAt:@5,beating:false},registered:true}',
        'wakeAt: @45',
        'background: true',
      ],
    ],
    [
      'whose renewals are elided needs no wake-up',
      () => lines(12, node('n', 'True'), known(5), { renewalInterval: { beating: true, at: at(11) } }),
      ['its heartbeat is recent', 'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:true},registered:true}'],
    ],
    [
      'whose renewals were elided was seen at the last of them',
      () =>
        lines(32, node('n', 'True'), known(5, {}, { beating: true }), {
          and: [OTHER, lease(14)],
          renewalInterval: { beating: false, at: at(14) },
        }),
      [
        'its heartbeat is recent',
        'memory: {uid:uid-n,health:{renewTime:00:00:14,heartbeat:00:00:00,probeAt:@15,beating:false},registered:true}',
        'wakeAt: @55',
        'background: true',
      ],
    ],
    [
      'without renewals for almost forty seconds is left',
      () => lines(40, node('n', 'True'), known(5)),
      [
        'the monitor pass checks it',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@40,inPass:true}',
        'wakeAt: @45',
        'background: true',
      ],
    ],
    [
      'without renewals for forty seconds becomes Unknown, and its pods unready',
      () =>
        lines(45, node('n', 'True', [], { conditions: [condition('DiskPressure', 'False')] }), known(5), {
          and: [OTHER, readyPod('p'), readyPod('q', 'n', 'False'), readyPod('r', 'other')],
        }),
      [
        'no heartbeat for 40 s: its Ready condition becomes Unknown',
        'patch Node n {metadata:{resourceVersion:7},status:{conditions:["Ready=Unknown, reason: NodeStatusUnknown, message: Kubelet stopped posting node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:45","DiskPressure=Unknown, reason: NodeStatusUnknown, message: Kubelet stopped posting node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:45","MemoryPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:45","PIDPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:45"]}} {patchType:merge,subresource:status}',
        'event Normal NodeNotReady of Node n: Node n status is now: NodeNotReady',
        'patch Pod p {metadata:{uid:uid-p},status:{conditions:["Ready=False, lastTransitionTime: 00:00:45"]}} {patchType:strategic,subresource:status,tolerate:[NotFound,Conflict]}',
        'event Warning NodeNotReady of Pod p: Node is not ready',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@45,inPass:true}',
        'wakeAt: @50',
      ],
    ],
    [
      'that was not ready becomes Unknown, and its pods stay',
      () => lines(45, node('n', 'False', UNREADY), known(5), { and: [OTHER, readyPod('p')] }),
      [
        'no heartbeat for 40 s: its Ready condition becomes Unknown',
        'patch Node n {metadata:{resourceVersion:7},status:{conditions:["Ready=Unknown, reason: NodeStatusUnknown, message: Kubelet stopped posting node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:45","MemoryPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:45","DiskPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:45","PIDPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:00:45"]}} {patchType:merge,subresource:status}',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@45,inPass:true}',
        'wakeAt: @50',
      ],
    ],
    [
      'without a status becomes Unknown after a minute',
      () => lines(60, node('n', null), known(0, {}, { heartbeat: undefined })),
      [
        'no heartbeat for 40 s: its Ready condition becomes Unknown',
        'patch Node n {metadata:{resourceVersion:7},status:{conditions:["Ready=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:01:00","MemoryPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:01:00","DiskPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:01:00","PIDPressure=Unknown, reason: NodeStatusNeverUpdated, message: Kubelet never posted node status., lastHeartbeatTime: 00:00:00, lastTransitionTime: 00:01:00"]}} {patchType:merge,subresource:status}',
        'memory: {uid:uid-n,health:{probeAt:@0,beating:false},registered:true,passedAt:@60,inPass:true}',
        'wakeAt: @65',
      ],
    ],
    [
      'that is Unknown stays so',
      () => lines(100, node('n', 'Unknown', [...UNREACHABLE, taint('unreachable', 'NoExecute')]), known(5)),
      [
        'the monitor pass checks it',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true,passedAt:@100,inPass:true}',
      ],
    ],
    [
      'that is Unknown stays so between passes',
      () => lines(101, node('n', 'Unknown', [...UNREACHABLE, taint('unreachable', 'NoExecute')]), known(5)),
      [
        'no heartbeat, and its Ready condition is Unknown already',
        'memory: {uid:uid-n,health:{heartbeat:00:00:00,probeAt:@5,beating:false},registered:true}',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});
