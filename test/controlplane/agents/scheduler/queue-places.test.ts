/** The three parts of the scheduling queue, and what moves a pod from one to another. */
import { describe, expect, it } from 'vitest';
import { podInfo, type PodInfo } from '../../../../src/controlplane/agents/scheduler/node-info.ts';
import { Nominator, type QueuedPod, SchedulingQueue } from '../../../../src/controlplane/agents/scheduler/queue.ts';
import { barePod } from '../../../support/objects.ts';

const NEAR = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } };
const AVOIDING = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] }, podAntiAffinity: {} };
const pod = (name: string, priority = 0, affinity?: object): PodInfo => podInfo(barePod(name, 'Pending', { spec: { priority, affinity } }));
const CHANGE = { resource: 'Node', action: 'add' } as const;
const OTHER = { resource: 'Pod', action: 'delete' } as const;

/** A queue of a process that started at 300 ms, in which plugin `x` is helped by nodes, and `y` by pods. */
function queueOf(...pods: readonly PodInfo[]) {
  const queue = new SchedulingQueue({
    startedAt: 300,
    maxRefusedMs: 60_000,
    helps: (plugin, { resource }) => (plugin === 'x' && resource === 'Node') || (plugin === 'y' && resource === 'Pod'),
  });
  for (const each of pods) queue.add(each, 300);
  return queue;
}
function popped(queue: SchedulingQueue): QueuedPod {
  const next = queue.pop();
  if (next === undefined) throw new Error('nothing is active');
  return next;
}
/** Every pod is tried and refused by these plugins, one second after the other. */
function refuseAll(queue: SchedulingQueue, refusedBy: Readonly<Record<string, readonly string[]>>, from = 1_000): void {
  for (let at = from, next = queue.pop(); next !== undefined; at += 1_000, next = queue.pop())
    queue.refuse(next, refusedBy[next.info.pod.metadata.name] ?? [], at);
}
const placesOf = (queue: SchedulingQueue, ...names: readonly string[]): readonly (string | undefined)[] =>
  names.map((name) => queue.get(`default/${name}`)?.place);

describe('a change of the cluster', () => {
  const refusals = { a: ['x'], b: ['y'], c: ['x', 'y'], d: [], e: ['z'], f: ['x'] };
  const all = ['a', 'b', 'c', 'd', 'e', 'f'];

  it('moves the pods whose plugins it may help, and those that failed by an error', () => {
    const queue = queueOf(...all.map((name) => pod(name)));
    refuseAll(queue, refusals);
    expect(queue.sizes()).toEqual({ active: 0, backoff: 0, refused: 6 });
    expect(queue.move(OTHER, 3_500)).toEqual([
      { key: 'default/b', at: undefined },
      { key: 'default/c', at: 4_300 },
      { key: 'default/d', at: 5_300 },
    ]);
    expect(placesOf(queue, ...all)).toEqual(['refused', 'active', 'backoff', 'backoff', 'refused', 'refused']);
    expect(queue.sizes()).toEqual({ active: 1, backoff: 2, refused: 3 });
    expect(queue.move(OTHER, 3_500)).toEqual([]);
    expect(queue.move(CHANGE, 60_000).map(({ key }) => key)).toEqual(['default/a', 'default/f']);
    expect(queue.sizes()).toEqual({ active: 3, backoff: 2, refused: 1 });
  });

  it('moves only those that pass its test, the most urgent first', () => {
    const queue = queueOf(pod('a', 1), pod('b', 3), pod('c', 2), pod('d', 3));
    refuseAll(queue, { a: ['x'], b: ['x'], c: ['x', 'z'], d: ['x'] });
    const moved = queue.move(CHANGE, 90_000, ({ pod: { metadata } }) => metadata.name !== 'd');
    expect(moved).toEqual(['b', 'c', 'a'].map((name) => ({ key: `default/${name}`, at: undefined })));
    expect(placesOf(queue, 'a', 'b', 'c', 'd')).toEqual(['active', 'active', 'active', 'refused']);
    expect([1, 2, 3].map(() => popped(queue).key)).toEqual(['default/b', 'default/c', 'default/a']);
  });

  it('of a pod near which others want to be moves only pods with required pod affinity', () => {
    const queue = queueOf(pod('a'), pod('b', 0, NEAR), pod('c', 1, NEAR), pod('d', 0, NEAR), pod('e', 0, AVOIDING));
    refuseAll(queue, { a: ['y'], b: ['y'], c: ['y'], d: ['x'], e: ['y'] });
    expect([...queue.attached].map(({ key }) => key)).toEqual(['default/c', 'default/b', 'default/d']);
    expect(queue.moveAttached(OTHER, 90_000, () => false)).toEqual([]);
    expect(queue.moveAttached(OTHER, 90_000, () => true)).toEqual([
      { key: 'default/c', at: undefined },
      { key: 'default/b', at: undefined },
    ]);
    expect([...queue.attached].map(({ key }) => key)).toEqual(['default/d']);
    queue.remove('default/d');
    expect(queue.attached.size).toBe(0);
    expect(queue.moveAttached(CHANGE, 90_000, () => true)).toEqual([]);
  });

  it('during an attempt makes the pod wait for its back-off only', () => {
    const queue = queueOf(pod('a'));
    const tried = popped(queue);
    expect([tried.place, queue.wakeAt(tried)]).toEqual(['none', undefined]);
    queue.refuse(tried, ['x'], 1_000, true);
    expect([tried.place, queue.wakeAt(tried)]).toEqual(['backoff', { at: 2_300, background: false }]);
    expect(queue.move(CHANGE, 1_500)).toEqual([]);
    queue.tick(2_299);
    expect(tried.place).toBe('backoff');
    queue.tick(2_300);
    expect([tried.place, queue.wakeAt(tried)]).toEqual(['active', undefined]);
  });
});

describe('back-off', () => {
  it('ends at the first tick of the process, once a second, after the wait', () => {
    const endOf = (refusedAt: number): number | undefined => {
      const queue = queueOf(pod('a'));
      const tried = popped(queue);
      queue.refuse(tried, [], refusedAt, true);
      return queue.wakeAt(tried)?.at;
    };
    expect([299, 300, 301, 1_299, 1_300, 1_301].map(endOf)).toEqual([1_300, 1_300, 2_300, 2_300, 2_300, 3_300]);
  });

  it('ends for the pod first whose wait ends first, and in order of refusal at the same instant', () => {
    const queue = queueOf(pod('a'), pod('b'), pod('c'), pod('d'));
    const [a, b, c, d] = [1, 2, 3, 4].map(() => popped(queue)) as [QueuedPod, QueuedPod, QueuedPod, QueuedPod];
    for (const [refused, at] of [
      [d, 5_000],
      [b, 1_000],
      [c, 1_000],
      [a, 3_000],
    ] as const)
      queue.refuse(refused, [], at, true);
    expect(queue.sizes()).toEqual({ active: 0, backoff: 4, refused: 0 });
    queue.tick(2_300);
    expect(placesOf(queue, 'a', 'b', 'c', 'd')).toEqual(['backoff', 'active', 'active', 'backoff']);
    expect([popped(queue), popped(queue)].map(({ key }) => key)).toEqual(['default/b', 'default/c']);
    queue.tick(6_300);
    expect([popped(queue), popped(queue)].map(({ key }) => key)).toEqual(['default/a', 'default/d']);
  });
});

describe('the flush', () => {
  it('moves the pods that have waited longest, of every group, and notes the next one', () => {
    const queue = queueOf(pod('a'), pod('b'), pod('c'), pod('d'));
    const [a, b, c, d] = [1, 2, 3, 4].map(() => popped(queue)) as [QueuedPod, QueuedPod, QueuedPod, QueuedPod];
    queue.refuse(a, ['x'], 1_000);
    queue.refuse(b, ['x'], 31_000);
    queue.refuse(c, ['y'], 2_000);
    queue.refuse(d, ['y'], 61_000);
    expect([a, b, c, d].map((each) => queue.wakeAt(each))).toEqual(
      [90_300, 120_300, 90_300, 150_300].map((at) => ({ at, background: true })),
    );
    queue.tick(90_299);
    expect(queue.sizes().refused).toBe(4);
    queue.tick(90_300);
    expect(placesOf(queue, 'a', 'b', 'c', 'd')).toEqual(['active', 'refused', 'active', 'refused']);
    expect((queue.describe() as readonly unknown[])[1]).toBe(120_300);
    queue.tick(120_300);
    expect(placesOf(queue, 'b', 'd')).toEqual(['active', 'refused']);
    queue.tick(150_300);
    expect(queue.sizes()).toEqual({ active: 4, backoff: 0, refused: 0 });
    expect((queue.describe() as readonly unknown[])[1]).toBe(Infinity);
  });
});

describe('an update', () => {
  it('of an unknown pod adds it', () => {
    const queue = queueOf();
    expect(queue.update(pod('a'), false, 500)).toEqual({ key: 'default/a', at: undefined });
    expect(queue.get('default/a')).toMatchObject({ place: 'active', since: 500, attempts: 0, refusedBy: [] });
  });

  it('of an active pod puts it where its new priority belongs', () => {
    const queue = queueOf(pod('a', 2), pod('b', 1), pod('c', 0));
    expect(queue.update(pod('c', 3), true, 500)).toBeUndefined();
    expect(queue.update(pod('a', 0), false, 500)).toBeUndefined();
    expect([1, 2, 3].map(() => popped(queue).key)).toEqual(['default/c', 'default/b', 'default/a']);
  });

  it.each([
    ['that matters', true, 1_500, { key: 'default/a', at: 2_300 }, 'backoff'],
    ['that matters, after its back-off', true, 2_000, { key: 'default/a', at: undefined }, 'active'],
    ['that does not matter', false, 9_000, undefined, 'refused'],
  ])('of an unschedulable pod %s', (_name, matters, at, moved, place) => {
    const queue = queueOf(pod('a'));
    refuseAll(queue, { a: ['z'] });
    expect(queue.update(pod('a', 7), matters, at)).toEqual(moved);
    expect(queue.get('default/a')).toMatchObject({ place, info: { priority: 7 } });
  });

  it('of a pod in back-off does not end it', () => {
    const queue = queueOf(pod('a'));
    queue.refuse(popped(queue), ['x'], 1_000, true);
    expect(queue.update(pod('a'), true, 1_500)).toBeUndefined();
    expect(placesOf(queue, 'a')).toEqual(['backoff']);
  });
});

describe('removal', () => {
  it('takes a pod out of every part', () => {
    const queue = queueOf(pod('a'), pod('b'), pod('c'));
    queue.refuse(popped(queue), ['x'], 1_000);
    queue.refuse(popped(queue), ['x'], 1_000, true);
    expect(queue.sizes()).toEqual({ active: 1, backoff: 1, refused: 1 });
    for (const name of ['a', 'b', 'c', 'unknown']) queue.remove(`default/${name}`);
    expect(queue.sizes()).toEqual({ active: 0, backoff: 0, refused: 0 });
    expect([queue.pop(), queue.get('default/a'), queue.move(CHANGE, 90_000)]).toEqual([undefined, undefined, []]);
    queue.tick(400_000);
    expect(queue.sizes().active).toBe(0);
  });

  it('of a pod in an attempt: its refusal returns it, unless another pod has its name now', () => {
    const queue = queueOf(pod('a'));
    const tried = popped(queue);
    queue.remove('default/a');
    queue.refuse(tried, ['x'], 1_000);
    expect(queue.get('default/a')).toBe(tried);
    queue.remove('default/a');
    queue.add(pod('a'), 2_000);
    queue.refuse(tried, ['x'], 3_000);
    expect(queue.sizes()).toEqual({ active: 1, backoff: 0, refused: 0 });
    expect(queue.get('default/a')).toMatchObject({ since: 2_000, attempts: 0 });
  });
});

it('the queue is described by its pods in order of arrival, or of their last refusal', () => {
  const queue = queueOf(pod('a'), pod('b', 1), pod('c'));
  const tried = popped(queue);
  queue.refuse(tried, ['x', 'y'], 5_000);
  queue.refuse(popped(queue), [], 6_000, true);
  const podOf = (name: string): unknown => queue.get(`default/${name}`)?.info.pod;
  expect(queue.describe()).toEqual([
    [
      ['default/c', podOf('c'), 'active', 300, 0, []],
      ['default/b', podOf('b'), 'refused', 5_000, 1, ['x', 'y']],
      ['default/a', podOf('a'), 'backoff', 6_000, 1, []],
    ],
    90_300,
  ]);
});

it('nominations are counted by version, and listed by node in the order in which they were made', () => {
  const nominator = new Nominator();
  const [a, b] = [pod('a'), pod('b')];
  const on = (node: string): readonly PodInfo[] => [...nominator.on(node)];
  expect([nominator.version, on('n'), nominator.nodeOf(a.uid), nominator.describe()]).toEqual([0, [], undefined, new Map()]);
  nominator.set(a, '');
  nominator.remove(a.uid);
  expect(nominator.version).toBe(0);
  nominator.set(a, 'n');
  nominator.set(b, 'n');
  expect([nominator.version, on('n'), nominator.size]).toEqual([2, [a, b], 2]);
  nominator.set(a, 'm');
  expect([nominator.version, on('n'), on('m'), nominator.nodeOf(a.uid)]).toEqual([4, [b], [a], 'm']);
  nominator.remove(b.uid);
  expect(nominator.describe()).toEqual(new Map([['m', new Map([[a.uid, a]])]]));
});
