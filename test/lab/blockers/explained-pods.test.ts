/** What each explainer says, from a moment made by hand: pods, nodes and leases. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { at, checkAll, explained, objectOf, ownedBy, processOf, readiness, timeAt } from './moment.ts';

const CLUSTER = { namespace: undefined };
const SPACE = objectOf('Namespace', 'default', { metadata: CLUSTER });
const pod = (spec: object, status: object = {}, metadata: object = {}): ApiObject => objectOf('Pod', 'p', { metadata, spec, status });
const SCHEDULER = { processes: [processOf('scheduler', ['scheduler']), processOf('agent/n', ['pod-runner'])] };
const down = (name: string, more: object = {}): object => processOf(name, ['scheduler', 'pod-runner'], { up: false, ...more });
const node = (status: object, spec: object = {}): ApiObject => objectOf('Node', 'n', { metadata: CLUSTER, spec, status });
const READY = { conditions: [{ type: 'Ready', status: 'True' }] };
const data = { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }, { name: 'e' }] };

describe('a pod', () => {
  const unscheduled = (more: object): object => ({ conditions: [{ type: 'PodScheduled', status: 'False', ...more }] });
  const waiting = (more: object, rest: object = {}): object => ({
    phase: 'Pending',
    containerStatuses: [
      { name: 'a', state: {} },
      { name: 'b', state: { waiting: more }, ...rest },
    ],
  });

  it('is explained in every state', () => {
    checkAll([
      [[pod({ schedulerName: 'mine' })], ['waits for a scheduler called mine, which does not exist (spec.schedulerName)'], SCHEDULER],
      [[pod({})], ['waits for a node, which no process of this cluster runs'], {}],
      [[pod({})], ['waits for a node: scheduler is down since 10.000s, and no restart is scheduled'], { processes: [down('scheduler')] }],
      [
        [pod({})],
        ['waits for a node: scheduler is down since 10.000s, and comes back at 2m00.000s @120'],
        { processes: [down('scheduler')], pending: [{ what: 'the start of scheduler', at: at(120) }] },
      ],
      [
        [pod({})],
        ['waits for a node: scheduler is slow until 2m00.000s @120'],
        {
          ...SCHEDULER,
          faults: [
            { process: 'other', says: 'x' },
            { process: 'scheduler', says: 'is slow', until: at(120) },
          ],
        },
      ],
      [[pod({})], ['waits for the scheduler to process it'], SCHEDULER],
      [
        [pod({}, unscheduled({ message: 'no nodes.', lastTransitionTime: timeAt(5) }))],
        ['waits for a node since 5.000s: no nodes'],
        SCHEDULER,
      ],
      [[pod(data, unscheduled({ reason: 'Unschedulable' })), SPACE], ['waits for a node: Unschedulable'], SCHEDULER],
      [
        [pod(data), SPACE, objectOf('PersistentVolumeClaim', 'c', { spec: {}, status: { phase: 'Pending' } })],
        ['waits for the scheduler to process it', '  PersistentVolumeClaim c waits for a volume, which no process of this cluster runs'],
        SCHEDULER,
      ],
      [
        [pod(data), objectOf('PersistentVolumeClaim', 'c', { spec: {}, status: { phase: 'Bound' } })],
        ['waits for the scheduler to process it'],
        SCHEDULER,
      ],
      [[pod({}, { phase: 'Succeeded' })], [], SCHEDULER],
      [[pod({ nodeName: 'm' }), node(READY)], ['waits for its node: there is no agent of a node m'], SCHEDULER],
      [
        [pod({ nodeName: 'n' }), node(READY)],
        [
          'waits for its node: agent/n is down since 10.000s, and no restart is scheduled',
          '  Node n is reported ready, but agent/n is down since 10.000s, and no restart is scheduled',
        ],
        { processes: [down('agent/n')] },
      ],
      [[pod({ nodeName: 'n' })], ['waits for the agent of n to start it'], SCHEDULER],
      [[pod({ nodeName: 'n' })], ['waits for the agent of n to start it'], { processes: [processOf('machine', [], { node: 'n' })] }],
      [[pod({ nodeName: 'n' }, waiting({ reason: 'ImagePullBackOff' }))], ['waits for its container b: ImagePullBackOff'], SCHEDULER],
      [
        [pod({ nodeName: 'n' }, waiting({ reason: 'CrashLoopBackOff', message: 'it failed' }, { restartCount: 1 }))],
        ['waits for its container b: CrashLoopBackOff, it failed after 1 restart'],
        SCHEDULER,
      ],
      [
        [
          pod(
            { nodeName: 'n' },
            { ...waiting({ reason: 'x' }), initContainerStatuses: [{ name: 'i', state: { waiting: { reason: 'Y' } }, restartCount: 2 }] },
          ),
        ],
        ['waits for its container i: Y after 2 restarts'],
        SCHEDULER,
      ],
      [
        [pod({ nodeName: 'n' }, { phase: 'Running', startTime: timeAt(5), ...READY })],
        ['runs on n since 5.000s, and has not ended'],
        SCHEDULER,
      ],
      [
        [pod({ nodeName: 'n' }, { phase: 'Running', conditions: [{ type: 'Ready', status: 'False', message: 'a probe' }] })],
        ['runs on n, but is not ready: a probe'],
        SCHEDULER,
      ],
      [
        [pod({ nodeName: 'n' }, {}, { deletionTimestamp: timeAt(130) })],
        ['is being deleted: its containers have until 2m10.000s to stop @130'],
        SCHEDULER,
      ],
      [
        [pod({ nodeName: 'm' }, {}, { deletionTimestamp: timeAt(130) })],
        ['is being deleted, and no agent of a node m reports that it has stopped'],
        SCHEDULER,
      ],
      [
        [pod({ nodeName: 'n' }, {}, { deletionTimestamp: timeAt(130) })],
        [
          'is being deleted, but no agent reports that its containers have stopped: agent/n is down since 10.000s, and no restart is scheduled',
        ],
        { processes: [down('agent/n')] },
      ],
    ]);
  });
});

describe('a node or a lease', () => {
  const lease = (spec: object): ApiObject => objectOf('Lease', 'l', { spec });
  it('is explained in every state', () => {
    checkAll([
      [[node(READY)], [], SCHEDULER],
      [[node(READY, { unschedulable: true })], ['takes no new pods (spec.unschedulable)'], SCHEDULER],
      [[node(READY)], ['is reported ready, but it has no agent']],
      [[node({})], ['is not ready: it has not reported yet'], SCHEDULER],
      [
        [
          node(
            { conditions: [{ type: 'Ready', status: 'False', message: 'no disk', lastTransitionTime: timeAt(5) }] },
            { unschedulable: true },
          ),
        ],
        ['is not ready since 5.000s: no disk', 'takes no new pods (spec.unschedulable)'],
        SCHEDULER,
      ],
      [
        [node({ conditions: [{ type: 'Ready', status: 'Unknown', message: 'silent' }] })],
        ['is not ready: agent/n is down since 10.000s, and no restart is scheduled'],
        { processes: [down('agent/n')] },
      ],
      [[lease({})], ['is free: the next candidate may acquire it']],
      [[lease({ holderIdentity: 'a' })], ['is free: the next candidate may acquire it']],
      [
        [lease({ holderIdentity: 'a', renewTime: timeAt(90), leaseDurationSeconds: 10 })],
        ['is held by a until 1m40.000s (renewed at 1m30.000s for 10 s) @100'],
      ],
      [
        [lease({ holderIdentity: 'a', renewTime: timeAt(90), leaseDurationSeconds: 9 })],
        ['expired at 1m39.000s: a renewed at 1m30.000s for 9 s, and not since; no candidate has acquired it'],
      ],
    ]);
  });
});

it('an object that is alike others is said once, and long lists are shortened', () => {
  const job = objectOf('Job', 'j', { spec: { parallelism: 6 }, status: {} });
  const pods = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
    objectOf('Pod', name, { metadata: ownedBy('j'), spec: { nodeName: 'n' }, status: readiness(5) }),
  );
  expect(explained([job, ...pods], SCHEDULER)).toEqual([
    'Job j waits for 6 pods to end (a, b, c, d and 2 more): 0 succeeded',
    '  Pod a+b+c+d+e+f runs on n, and has not ended',
  ]);
});
