/** What the scheduler decides about pods, whole: bindings, evictions, conditions, and what follows a failed write. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { recover } from '../../../../src/controlplane/agents/scheduler/attempt.ts';
import type { Outcome, Write } from '../../../../src/controlplane/runtime/index.ts';
import { decided, nodeWith, NOW, podWith, type World, world } from './world.ts';

const seconds = (at: number): number => NOW + at * 1_000;
const asking = (name: string, more: Parameters<typeof podWith>[1] = {}): Pod => podWith(name, { requests: { cpu: '3' }, ...more });
const bound = (name: string, node: string, more: Parameters<typeof podWith>[1] = {}): Pod =>
  asking(name, { ...more, spec: { nodeName: node, ...more.spec } });

const binding = (pod: Pod, node: string) => {
  const { name, uid } = pod.metadata;
  return {
    op: 'post',
    kind: 'Pod',
    namespace: 'x',
    name,
    subresource: 'binding',
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace: 'x', uid }, target: { kind: 'Node', name: node } },
    then: { about: pod, type: 'Normal', reason: 'Scheduled', message: `Successfully assigned x/${name} to ${node}`, action: 'Binding' },
  };
};
const warning = (about: Pod, message: string) => ({
  op: 'event',
  event: { about, type: 'Warning', reason: 'FailedScheduling', message, action: 'Scheduling' },
});
const status = (name: string, of: object) => ({
  op: 'patch',
  kind: 'Pod',
  namespace: 'x',
  name,
  subresource: 'status',
  patchType: 'strategic',
  patch: { metadata: { uid: `uid-${name}` }, status: of },
  tolerate: ['NotFound', 'Conflict', 'Invalid'],
});
const condition = (message: string, reason = 'Unschedulable', lastTransitionTime = '2024-01-01T00:00:00Z') => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime,
  reason,
  message,
});
/** The outcome for a pod that found no node. */
const refusal = (pod: Pod, message: string, wake: object, of: object = {}, before: readonly unknown[] = []) => ({
  why: `found no node: ${message}`,
  writes: [...before, warning(pod, message), status(pod.metadata.name, { conditions: [condition(message)], ...of })],
  ...wake,
});
const flush = { wakeAt: seconds(330), background: true };
const NO_CPU =
  '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.';

function worldWith(...objects: readonly ApiObject[]): World {
  const made = world();
  made.set(...objects);
  return made;
}

describe('a pod is bound', () => {
  it('to the only feasible node, or to the best of several', () => {
    const pod = asking('p');
    expect(decided(worldWith(nodeWith('a'), pod), 'p')).toEqual({
      why: 'a is the only feasible node of 1 visited node',
      writes: [binding(pod, 'a')],
    });
    const best = worldWith(
      nodeWith('a'),
      nodeWith('b'),
      nodeWith('full', { allocatable: {} }),
      bound('q', 'a', { requests: { cpu: '1' } }),
      pod,
    );
    expect(decided(best, 'p')).toEqual({
      why: expect.stringMatching(/^b scores \d{3}, best of 2 feasible nodes \(3 visited\)$/),
      writes: [binding(pod, 'b')],
    });
    expect(best.state.model.placed('uid-p')).toMatchObject({ node: 'b', assumed: true });
  });

  it('once: until its binding is seen it has a node already', () => {
    const pod = asking('p');
    const made = worldWith(nodeWith('a'), pod);
    decided(made, 'p');
    expect(made.state.queue.get('x/p')?.place).toBe('none');
    made.setAt(1, { ...pod, spec: { ...pod.spec, nodeName: 'a' } });
    expect(decided(made, 'p', 1)).toEqual({ why: 'it has a node already', writes: [] });
    expect(made.state.model.placed('uid-p')?.assumed).toBe(false);
  });

  it('in order of priority: the decision about another one is kept for its key', () => {
    const [low, high] = [asking('low'), asking('high', { spec: { priority: 5 } })];
    const made = worldWith(nodeWith('a'), low, high);
    const first = decided(made, 'low');
    expect(first).toEqual(refusal(low, NO_CPU, flush));
    expect(made.state.decided.size).toBe(1);
    expect(decided(made, 'high')).toEqual({ why: 'a is the only feasible node of 1 visited node', writes: [binding(high, 'a')] });
    expect(made.state.decided.size).toBe(0);
  });
});

describe('a pod that fits nowhere', () => {
  it('gets a condition, and waits for a change', () => {
    const pod = asking('p');
    const made = worldWith(nodeWith('a'), bound('q', 'a'), pod);
    expect(decided(made, 'p')).toEqual(refusal(pod, NO_CPU, flush));
    expect(decided(made, 'p', 5_000)).toEqual({ why: 'it is unschedulable: waiting for a change that may help', writes: [], ...flush });
  });

  it('is tried again when a change may help, after its back-off', () => {
    const pod = asking('p');
    const made = worldWith(nodeWith('a'), bound('q', 'a'), pod);
    decided(made, 'p');
    expect(made.state.takeMoved(seconds(0))).toEqual(['x/p']);
    made.drop('Pod', 'x/q', 300);
    expect(made.state.takeMoved(seconds(0.3))).toEqual([{ key: 'x/p', afterMs: 700 }]);
    expect(decided(made, 'p', 999)).toEqual({ why: 'it is in back-off', writes: [], wakeAt: seconds(1), background: false });
    expect(decided(made, 'p', 1_000)).toMatchObject({ writes: [binding(pod, 'a')] });
  });

  it('says nothing new with the same condition', () => {
    const message = 'no nodes available to schedule pods';
    const known = asking('p', { status: { conditions: [{ ...condition(message, 'Unschedulable', '2023-01-01T00:00:00Z') }] } });
    expect(decided(worldWith(known), 'p')).toEqual({ why: `found no node: ${message}`, writes: [warning(known, message)], ...flush });
    const other = asking('p', { status: { conditions: [{ ...condition('x', 'Unschedulable', '2023-01-01T00:00:00Z') }] } });
    expect(decided(worldWith(other), 'p').writes).toEqual([
      warning(other, message),
      status('p', { conditions: [condition(message, 'Unschedulable', '2023-01-01T00:00:00Z')] }),
    ]);
    const nominated = asking('p', { status: { nominatedNodeName: 'gone', conditions: [condition(message)] } });
    expect(decided(worldWith(nominated), 'p').writes).toEqual([
      warning(nominated, message),
      status('p', { conditions: [condition(message)], nominatedNodeName: null }),
    ]);
  });

  it('is like the pods of the same spec: they are refused for the same reasons', () => {
    const { spec } = asking('one');
    const [one, two] = ['one', 'two'].map((name) => ({ ...asking(name), spec })) as [Pod, Pod];
    const made = worldWith(nodeWith('a'), bound('q', 'a'), one, two);
    const attempts: (readonly [string, unknown])[] = [];
    made.state.onAttempt = (pod, placement) => void attempts.push([pod.key, placement]);
    expect(decided(made, 'one')).toEqual(refusal(one, NO_CPU, flush));
    expect(decided(made, 'two')).toEqual(refusal(two, NO_CPU, flush));
    const [first, second] = attempts;
    expect([first?.[0], second?.[0], first?.[1] === second?.[1]]).toEqual(['x/one', 'x/two', true]);
  });

  it('and is being deleted is left out', () => {
    const going = asking('p', { meta: { deletionTimestamp: '2024-01-01T00:00:00Z' } });
    const made = worldWith(going);
    expect(decided(made, 'p')).toEqual({ why: 'it is being deleted', writes: [warning(going, 'skip schedule deleting pod: x/p')] });
    expect(made.state.queue.get('x/p')).toBeUndefined();
  });

  it('evicts others, and takes the nominations of less important ones', () => {
    const [victim, waiting, pod] = [
      bound('victim', 'a', { spec: { priority: 1 } }),
      asking('waiting', { spec: { priority: 2 }, status: { nominatedNodeName: 'a' } }),
      asking('p', { spec: { priority: 9 } }),
    ];
    const made = worldWith(nodeWith('a'), victim, waiting, pod);
    const evicted = {
      op: 'delete',
      kind: 'Pod',
      namespace: 'x',
      name: 'victim',
      uid: 'uid-victim',
      tolerate: ['NotFound', 'Conflict'],
      then: { about: victim, type: 'Normal', reason: 'Preempted', message: 'Preempted by x/p on node a', action: 'Preempting' },
    };
    const before = [evicted, status('waiting', { nominatedNodeName: null })];
    expect(decided(made, 'p')).toEqual(
      refusal(
        pod,
        '0/1 nodes are available: 1 Insufficient cpu.',
        { wakeAt: seconds(1), background: false },
        { nominatedNodeName: 'a' },
        before,
      ),
    );
    expect(made.state.nominator.nodeOf('uid-p')).toBe('a');
  });
});

describe('a failed write', () => {
  const failed = (made: World, self: Pod | undefined, write: Write, dropped: readonly Write[] = []): Outcome =>
    recover(made.state, 'x/p', self, { write, status: { message: 'no' }, dropped } as never, seconds(2));
  const message = 'binding rejected: running Bind plugin "DefaultBinder": no';

  it('of a binding returns the pod to its back-off, and frees its node for others', () => {
    const [pod, other] = [asking('p'), asking('other')];
    const made = worldWith(nodeWith('a'), pod, other);
    const [write] = decided(made, 'p').writes as [Write];
    decided(made, 'other');
    made.state.takeMoved(seconds(0));
    expect(failed(made, pod, write)).toEqual({
      why: `found no node: ${message}`,
      writes: [warning(pod, message), status('p', { conditions: [condition(message, 'SchedulerError', '2024-01-01T00:00:02Z')] })],
      wakeAt: seconds(3),
      background: false,
      enqueue: ['x/other'],
    });
    expect([made.state.model.placed('uid-p'), made.state.queue.get('x/p')?.refusedBy]).toEqual([undefined, []]);
  });

  it('of a binding does not matter once the pod is seen on its node', () => {
    const pod = asking('p');
    const made = worldWith(nodeWith('a'), pod);
    const [write] = decided(made, 'p').writes as [Write];
    const there = { ...pod, spec: { ...pod.spec, nodeName: 'a' } };
    made.set(there);
    made.state.takeMoved(seconds(0));
    expect(failed(made, there, write)).toEqual({ why: 'it is bound, although the request failed', writes: [] });
  });

  it.each<readonly [string, (pod: Pod) => Pod | undefined]>([
    ['gone', () => undefined],
    ['another one', (pod) => ({ ...pod, metadata: { ...pod.metadata, uid: 'other' } })],
    ['bound elsewhere', (pod) => ({ ...pod, spec: { ...pod.spec, nodeName: 'b' } })],
  ])('of a binding is only reported where the pod is %s', (_name, now) => {
    const pod = asking('p');
    const made = worldWith(nodeWith('a'), pod);
    const [write] = decided(made, 'p').writes as [Write];
    made.state.takeMoved(seconds(0));
    expect(failed(made, now(pod), write)).toEqual({ why: `it is gone or bound already: ${message}`, writes: [warning(pod, message)] });
  });

  it('of another kind leaves the rest to be made', () => {
    const pod = asking('p');
    const made = worldWith(nodeWith('a'), bound('q', 'a'), pod);
    const [event, patch] = decided(made, 'p').writes as [Write, Write];
    made.state.takeMoved(seconds(0));
    expect(failed(made, pod, patch, [event])).toEqual({ why: 'a write failed (no); the other writes are made', writes: [event], ...flush });
  });
});
