/** Which pods are evicted for a pod that fits nowhere, and on which node. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { podInfo } from '../../../../src/controlplane/agents/scheduler/node-info.ts';
import { nodeWith, NOW, objectOf, podWith, ROOM, world, type World } from './world.ts';

const HOUR = ['2024-01-01T00:00:00Z', '2024-01-01T01:00:00Z', '2024-01-01T02:00:00Z'];
/** A pod on a node with a priority, a part of four CPUs, and the hour of its start. */
const on = (
  name: string,
  node: string,
  priority: number,
  cpu = '4',
  hour: number | undefined = 0,
  labels: Readonly<Record<string, string>> = {},
  meta: object = {},
) =>
  podWith(name, {
    labels,
    meta: { ...meta },
    spec: { nodeName: node, priority },
    requests: { cpu },
    status: { phase: 'Running', ...(hour === undefined ? {} : { startTime: HOUR[hour] }) },
  });
const budget = (name: string, disruptionsAllowed: number, matchLabels: object, more: object = {}, namespace = 'x') =>
  objectOf('PodDisruptionBudget', name, { spec: { selector: { matchLabels } }, status: { disruptionsAllowed, ...more } }, { namespace });

function worldOf(nodes: readonly string[], ...objects: readonly ApiObject[]): World {
  const made = world();
  made.set(...nodes.map((name) => nodeWith(name)), ...objects);
  return made;
}
/** The outcome for a pod of priority 10: node and victims, or the message. */
function preempted(
  made: World,
  { cpu = '4', spec = {}, status = {} }: { readonly cpu?: string; readonly spec?: object; readonly status?: object } = {},
): unknown {
  const info = podInfo(podWith('p', { spec: { priority: 10, ...spec }, status: { ...status }, requests: { cpu } }));
  const placement = made.state.place(info);
  if (placement.type !== 'refused') return placement.type;
  const { message, victims, nominated } = made.state.preempt(info, placement, NOW);
  return message === ''
    ? [nominated, ...victims.map(({ pod }) => pod.metadata.name)]
    : nominated === undefined
      ? message
      : [nominated, message];
}
const NO_VICTIMS = (nodes: number) => [
  '',
  `preemption: 0/${nodes} nodes are available: ${nodes} No preemption victims found for incoming pod.`,
];

describe('the victims on a node', () => {
  it('are the fewest, least important pods whose end makes room', () => {
    const full = worldOf(['a'], on('low', 'a', 1, '1'), on('mid', 'a', 2, '1'), on('high', 'a', 3, '1'), on('vital', 'a', 10, '1'));
    expect([1, 2, 3].map((cpu) => preempted(full, { cpu: String(cpu) }))).toEqual([
      ['a', 'low'],
      ['a', 'mid', 'low'],
      ['a', 'high', 'mid', 'low'],
    ]);
    expect(preempted(full, { cpu: '4' })).toEqual(['', 'preemption: 0/1 nodes are available: 1 Insufficient cpu.']);
  });

  it('of the same priority are those that started last', () => {
    for (const hours of [
      [2, 0, 1],
      [0, 2, 1],
      [0, 1, 2],
      [1, 0, 2],
    ])
      expect(preempted(worldOf(['a'], ...hours.map((hour) => on(`at${hour}`, 'a', 1, '1', hour))), { cpu: '2' })).toEqual(['a', 'at2']);
  });

  it('have a lower priority', () => {
    expect(preempted(worldOf(['a'], on('same', 'a', 10)))).toEqual(NO_VICTIMS(1));
    expect(preempted(worldOf(['a', 'b'], on('same', 'a', 10), on('less', 'b', 9)))).toEqual(['b', 'less']);
    expect(preempted(worldOf(['a', 'b'], on('same', 'a', 10), on('more', 'b', 11)))).toEqual(NO_VICTIMS(2));
    expect(preempted(worldOf(['a', 'b'], on('same', 'a', 10), on('none', 'b', 9, '0'), on('big', 'b', 11)))).toEqual([
      '',
      'preemption: 0/2 nodes are available: 1 Insufficient cpu, 1 No preemption victims found for incoming pod.',
    ]);
  });

  it('are on no node that the pod cannot use anyway', () => {
    const made = worldOf(['a', 'b'], on('low', 'a', 1), on('less', 'b', 1));
    expect(preempted(made, { spec: { nodeSelector: { 'kubernetes.io/hostname': 'b' } } })).toEqual(['b', 'less']);
    expect(preempted(made, { spec: { nodeSelector: { nowhere: 'x' } } })).toEqual([
      '',
      'preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    ]);
  });

  it('may have had their neighbours only', () => {
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'bad' } } };
    const made = worldOf(['a'], on('bad', 'a', 1, '1', 0, { app: 'bad' }), on('good', 'a', 1, '1', 0, { app: 'good' }));
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    expect(preempted(made, { cpu: '1', spec: { affinity } })).toEqual(['a', 'bad']);
  });
});

describe('a pod may not preempt', () => {
  const victim = on('low', 'a', 1);
  it('by its policy', () => {
    expect(preempted(worldOf(['a'], victim), { spec: { preemptionPolicy: 'Never' } })).toBe(
      'preemption: not eligible due to preemptionPolicy=Never.',
    );
  });

  it('while earlier victims end on its nominated node', () => {
    const leaving = on('low', 'a', 1, '4', 0, {}, { deletionTimestamp: HOUR[0] });
    const nominated = { status: { nominatedNodeName: 'a' } };
    const why = 'preemption: not eligible due to a terminating pod on the nominated node.';
    expect(preempted(worldOf(['a', 'b'], leaving, on('less', 'b', 1)), nominated)).toBe(why);
    expect(preempted(worldOf(['a', 'b'], victim, on('less', 'b', 1, '4', 1)), nominated)).toEqual(['b', 'less']);
    expect(
      preempted(worldOf(['a', 'b'], on('same', 'a', 10, '4', 0, {}, { deletionTimestamp: HOUR[0] }), on('less', 'b', 1)), nominated),
    ).toEqual(['b', 'less']);
    expect(preempted(worldOf(['b'], on('less', 'b', 1)), nominated)).toEqual(['b', 'less']);
    const gone = { ...nominated, spec: { nodeSelector: { 'kubernetes.io/hostname': 'b' } } };
    expect(preempted(worldOf(['a', 'b'], leaving, on('less', 'b', 1)), gone)).toEqual(['b', 'less']);
  });

  it('where there is no node', () => {
    expect(preempted(worldOf([]))).toEqual(['', 'preemption: 0/0 nodes are available: .']);
  });
});

describe('disruption budgets', () => {
  const two = (a: object, b: object): readonly ApiObject[] => [
    on('pa', 'a', 1, '4', 0, { app: 'a', ...a }),
    on('pb', 'b', 5, '4', 0, { app: 'b', ...b }),
  ];

  it.each<readonly [string, readonly ApiObject[], string]>([
    ['no budget: the lower priority', [], 'pa'],
    ['a budget without disruptions', [budget('x', 0, { app: 'a' })], 'pb'],
    ['a budget with one', [budget('x', 1, { app: 'a' })], 'pa'],
    ['a budget of other pods', [budget('x', 0, { app: 'c' })], 'pa'],
    ['a budget of another namespace', [budget('x', 0, { app: 'a' }, {}, 'y')], 'pa'],
    ['a budget that counts the pod already', [budget('x', 0, { app: 'a' }, { disruptedPods: { pa: HOUR[0] } })], 'pa'],
    ['a budget that counts another pod already', [budget('x', 0, { app: 'a' }, { disruptedPods: { pb: HOUR[0] } })], 'pb'],
    ['budgets of both', [budget('x', 0, { app: 'a' }), budget('y', 0, { app: 'b' })], 'pa'],
    ['a budget without a status', [{ ...budget('x', 0, { app: 'a' }), status: undefined }], 'pb'],
  ])('decide between nodes: %s', (_name, budgets, victim) => {
    expect(preempted(worldOf(['a', 'b'], ...two({}, {}), ...budgets))).toEqual([victim === 'pa' ? 'a' : 'b', victim]);
  });

  it('without a selector protect nothing, as pods without labels', () => {
    const empty = objectOf('PodDisruptionBudget', 'x', { spec: {}, status: { disruptionsAllowed: 0 } }, { namespace: 'x' });
    const elsewhere = on('pb', 'b', 5, '4', 0, { app: 'b' }, { namespace: 'y' });
    for (const nothing of [empty, budget('x', 0, {})])
      expect(preempted(worldOf(['a', 'b'], on('pa', 'a', 1, '4', 0, { app: 'a' }), elsewhere, nothing))).toEqual(['a', 'pa']);
    const some = objectOf(
      'PodDisruptionBudget',
      'x',
      { spec: { selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }, status: { disruptionsAllowed: 0 } },
      { namespace: 'x' },
    );
    expect(preempted(worldOf(['a', 'b'], on('pa', 'a', 1, '4', 0, { app: 'a' }), elsewhere, some))).toEqual(['b', 'pb']);
    const bare = on('pa', 'a', 1);
    const all = objectOf(
      'PodDisruptionBudget',
      'x',
      { spec: { selector: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] } }, status: { disruptionsAllowed: 0 } },
      { namespace: 'x' },
    );
    expect(preempted(worldOf(['a', 'b'], bare, on('pb', 'b', 5, '4', 0, { app: 'b' }), all))).toEqual(['a', 'pa']);
  });

  it('are spent by each victim, and the pods that break them are evicted last', () => {
    const four = (...budgets: readonly ApiObject[]) =>
      worldOf(
        ['a'],
        ...['1', '2', '3', '4'].map((n) => on(`p${n}`, 'a', Number(n), '1', 0, { app: Number(n) < 3 ? 'a' : 'b' })),
        ...budgets,
      );
    expect(preempted(four(budget('x', 0, { app: 'a' })), { cpu: '2' })).toEqual(['a', 'p4', 'p3']);
    expect(preempted(four(budget('x', 1, { app: 'a' })), { cpu: '2' })).toEqual(['a', 'p3', 'p2']);
    expect(preempted(four(budget('x', 0, { app: 'a' })), { cpu: '3' })).toEqual(['a', 'p1', 'p4', 'p3']);
    expect(preempted(four(budget('x', 0, { app: 'a' }), budget('y', 1, { app: 'b' })), { cpu: '4' })).toEqual([
      'a',
      'p3',
      'p2',
      'p1',
      'p4',
    ]);
  });
});

describe('of several nodes the one is chosen', () => {
  const choice = (...objects: readonly ApiObject[]): unknown => preempted(worldOf(['a', 'b'], ...objects));

  it('whose most important victim is the least important', () => {
    expect(choice(on('a1', 'a', 3), on('b1', 'b', 2, '2'), on('b2', 'b', 2, '2'))).toEqual(['b', 'b1', 'b2']);
    expect(choice(on('a1', 'a', 2), on('b1', 'b', 3))).toEqual(['a', 'a1']);
  });

  it('whose victims have the least sum of priorities, which fewer victims have', () => {
    expect(choice(on('a1', 'a', 3, '2'), on('a2', 'a', 2, '2'), on('b1', 'b', 3, '2'), on('b2', 'b', 1, '2'))).toEqual(['b', 'b1', 'b2']);
    expect(choice(on('a1', 'a', 3), on('b1', 'b', 3, '2'), on('b2', 'b', -9, '2'))).toEqual(['a', 'a1']);
  });

  it('whose most important victims started last', () => {
    expect(choice(on('a1', 'a', 3, '4', 0), on('b1', 'b', 3, '4', 1))).toEqual(['b', 'b1']);
    expect(choice(on('a1', 'a', 3, '4', 1), on('b1', 'b', 3, '4', 0))).toEqual(['a', 'a1']);
    // The earliest start among the most important: 01:00 on a, 00:00 on b. A less important one does not matter.
    const both = [on('a1', 'a', 3, '2', 1), on('a2', 'a', 3, '2', 2), on('b1', 'b', 3, '2', 2), on('b2', 'b', 3, '2', 0)];
    expect(choice(...both)).toEqual(['a', 'a1', 'a2']);
    expect(choice(on('a1', 'a', 3, '2', 1), on('a2', 'a', 2, '2', 0), on('b1', 'b', 3, '2', 0), on('b2', 'b', 2, '2', 2))).toEqual([
      'a',
      'a1',
      'a2',
    ]);
    // A pod that has not started starts now: at midnight.
    expect(choice(on('a1', 'a', 3, '4', 1), on('b1', 'b', 3, '4', undefined))).toEqual(['a', 'a1']);
  });
});

it('of many nodes a tenth, a hundred at least, is looked at, until one has victims that break no budget', () => {
  const names = Array.from({ length: 120 }, (_, i) => `n${i}`);
  const room = (name: string) => nodeWith(name, { allocatable: ROOM });
  const made = world();
  made.set(...names.map(room), ...names.map((name, i) => on(`p${i}`, name, i === 0 ? 1 : 2)));
  const victims = new Set<unknown>();
  for (let turn = 0; turn < 12; turn++) victims.add((preempted(made) as readonly unknown[])[0] === 'n0');
  // Of every six windows of a hundred nodes about one misses the best node.
  expect(victims).toEqual(new Set([true, false]));
});
