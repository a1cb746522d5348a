/** What admission sets for scheduling: priorities, tolerations and taints. */
import { describe, expect, it } from 'vitest';
import { body, create, type Members, refusal, specOf } from './made.ts';
import { setup, type Setup } from './setup.ts';

const podOf = (spec: object = {}, name = 'p') => body('Pod', name, { spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });

describe('priorities', () => {
  const classOf = (name: string, value: number, more: object = {}) =>
    body('PriorityClass', name, { value, ...more }, {}, 'scheduling.k8s.io/v1');
  const of = (world: Setup, spec: object = {}, name = 'p'): readonly unknown[] => {
    const { priorityClassName, priority, preemptionPolicy } = specOf(create(world, podOf(spec, name)));
    return [priorityClassName, priority, preemptionPolicy];
  };

  it('are those of the class, of the default class, or zero', () => {
    const world = setup();
    const before = of(world, {}, 'a');
    create(world, classOf('low', -5, { preemptionPolicy: 'Never' }));
    expect([
      before,
      of(world, { priorityClassName: 'low' }, 'b'),
      of(world, { priorityClassName: 'system-cluster-critical' }, 'c'),
      of(world, { priorityClassName: 'system-node-critical' }, 'd'),
      of(world, { priorityClassName: '' }, 'e'),
    ]).toEqual([
      [undefined, 0, 'PreemptLowerPriority'],
      ['low', -5, 'Never'],
      ['system-cluster-critical', 2000000000, 'PreemptLowerPriority'],
      ['system-node-critical', 2000001000, 'PreemptLowerPriority'],
      [undefined, 0, 'PreemptLowerPriority'],
    ]);
    create(world, classOf('standard', 7, { globalDefault: true }));
    expect([
      of(world, {}, 'f'),
      of(world, { priorityClassName: '' }, 'g'),
      of(world, { priorityClassName: 'low' }, 'h'),
      of(world, { priority: 7, preemptionPolicy: 'PreemptLowerPriority' }, 'i'),
    ]).toEqual([
      ['standard', 7, 'PreemptLowerPriority'],
      ['standard', 7, 'PreemptLowerPriority'],
      ['low', -5, 'Never'],
      ['standard', 7, 'PreemptLowerPriority'],
    ]);
  });

  it('are the lowest of several default classes, and stay where an update omits them', () => {
    const world = setup();
    for (const [name, value] of [
      ['b', 7],
      ['a', -3],
      ['c', 5],
    ] as const)
      create(world, classOf(name, value, { globalDefault: true, preemptionPolicy: 'Never' }));
    expect(of(world)).toEqual(['a', -3, 'Never']);
    const before = JSON.stringify(specOf(world.store.get('Pod', 'default/p')));
    const { priority: _, preemptionPolicy: __, ...spec } = specOf(world.store.get('Pod', 'default/p'));
    const updated = world.ok({
      verb: 'update',
      kind: 'Pod',
      namespace: 'default',
      name: 'p',
      body: { ...podOf(), metadata: { name: 'p', labels: { l: 'm' } }, spec },
    });
    expect(specOf(updated)).toEqual({ ...spec, priority: -3, preemptionPolicy: 'Never' });
    expect(JSON.stringify(specOf(updated))).toBe(before);
  });

  it('must be those of the class', () => {
    const world = setup();
    create(world, classOf('low', -5, { preemptionPolicy: 'Never' }));
    expect(
      [
        { priorityClassName: 'gone' },
        { priority: 1 },
        { priorityClassName: 'low', priority: 0 },
        { priorityClassName: 'low', preemptionPolicy: 'PreemptLowerPriority' },
      ].map((spec) => refusal(world, podOf(spec))),
    ).toEqual([
      'pods "p" is forbidden: no PriorityClass with name gone was found',
      'pods "p" is forbidden: the integer value of priority (1) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
      'pods "p" is forbidden: the integer value of priority (0) must not be provided in pod spec; priority admission controller computed -5 from the given PriorityClass name',
      'pods "p" is forbidden: the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
    ]);
  });
});

describe('tolerations and taints', () => {
  const tolerations = (...given: readonly object[]) =>
    (specOf(create(setup(), podOf(given.length === 0 ? {} : { tolerations: given })))['tolerations'] as readonly Members[]).map(
      ({ key, effect, tolerationSeconds }) => [key, effect, tolerationSeconds],
    );

  it('of pods are added for nodes that fail, unless they have them', () => {
    const key = 'node.kubernetes.io/not-ready';
    expect(tolerations()).toEqual([
      ['node.kubernetes.io/not-ready', 'NoExecute', 300],
      ['node.kubernetes.io/unreachable', 'NoExecute', 300],
    ]);
    expect([
      tolerations({ key, operator: 'Exists', effect: 'NoExecute' }),
      tolerations({ key, operator: 'Exists' }),
      tolerations({ operator: 'Exists' }),
      tolerations({ operator: 'Exists', effect: 'NoSchedule' }),
      tolerations({ key, operator: 'Exists', effect: 'NoSchedule' }),
    ]).toEqual([
      [
        ['node.kubernetes.io/not-ready', 'NoExecute', undefined],
        ['node.kubernetes.io/unreachable', 'NoExecute', 300],
      ],
      [
        ['node.kubernetes.io/not-ready', undefined, undefined],
        ['node.kubernetes.io/unreachable', 'NoExecute', 300],
      ],
      [[undefined, undefined, undefined]],
      [
        [undefined, 'NoSchedule', undefined],
        ['node.kubernetes.io/not-ready', 'NoExecute', 300],
        ['node.kubernetes.io/unreachable', 'NoExecute', 300],
      ],
      [
        ['node.kubernetes.io/not-ready', 'NoSchedule', undefined],
        ['node.kubernetes.io/not-ready', 'NoExecute', 300],
        ['node.kubernetes.io/unreachable', 'NoExecute', 300],
      ],
    ]);
  });

  it('of new nodes say that they are not ready', () => {
    const taints = (...given: readonly object[]) =>
      specOf(create(setup(), body('Node', 'n', given.length === 0 ? {} : { spec: { taints: given } })))['taints'];
    const key = 'node.kubernetes.io/not-ready';
    expect([
      taints(),
      taints({ key, effect: 'NoSchedule' }),
      taints({ key, effect: 'NoExecute' }),
      taints({ key: 'x', effect: 'NoSchedule' }),
    ]).toEqual([
      [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
      [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
      [
        { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
        { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
      ],
      [
        { key: 'x', effect: 'NoSchedule' },
        { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
      ],
    ]);
  });
});
