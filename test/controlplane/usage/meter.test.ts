/** The readings of a metrics server: described usage, annotations of pods, CPU quotas, and nodes. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/apiserver/kinds/index.ts';
import { createMetered, createUsage, meterAt, reportsUsage, type UsageSpec } from '../../../src/controlplane/usage/index.ts';
import { AT, at, barePod } from '../../support/objects.ts';

const running = (name: string) => ({ name, state: { running: { startedAt: AT } } });
const podOf = (name: string, annotations?: Readonly<Record<string, string>>, more: { spec?: object; status?: object } = {}): Pod =>
  barePod(name, 'Running', {
    meta: { labels: { app: 'web' }, annotations },
    spec: { containers: [{ name: 'a' }, { name: 'b' }], ...more.spec },
    status: { containerStatuses: [running('a'), running('b')], ...more.status },
  });
const constant = (is: number) => ({ shape: 'constant', is }) as const;
const meterOf = (specs: readonly UsageSpec[] | undefined, pods: readonly Pod[] = [], unthrottled: readonly string[] = [], now = at(1)) => {
  let asked = 0;
  const meter = meterAt(
    {
      usage: specs === undefined ? undefined : createUsage(specs, at(0)),
      everyPod: () => {
        asked++;
        return pods;
      },
      isUnthrottled: (node) => unthrottled.includes(node),
    },
    now,
  );
  return { ...meter, asked: () => asked };
};
/** The readings of the two containers. */
const both = (a: object, b: object) => [
  { name: 'a', reading: a },
  { name: 'b', reading: b },
];
const limited = (...cpu: readonly (string | undefined)[]) => ({
  spec: {
    containers: cpu.map((each, index) => ({
      name: 'ab'.charAt(index),
      ...(each === undefined ? {} : { resources: { limits: { cpu: each } } }),
    })),
  },
});

describe('annotations', () => {
  it('state the usage of a pod, in its first container', () => {
    const meter = meterOf(undefined);
    expect(meter.ofPod(podOf('p', { 'sim.orch.io/cpu': '250m', 'sim.orch.io/memory': '2Ki' }))).toEqual(
      both({ cpu: 250, memory: 2_048_000 }, { cpu: 0, memory: 0 }),
    );
    expect(meter.ofPod(podOf('p', { 'sim.orch.io/memory': '1' }))).toEqual(both({ memory: 1000 }, { memory: 0 }));
    expect(meter.ofPod(podOf('p', { 'sim.orch.io/cpu': 'much' }))).toEqual(both({}, {}));
  });

  it('are known before any usage is described', () => {
    const annotations = [undefined, {}, { other: '1' }, { 'sim.orch.io/cpu': '1' }, { 'sim.orch.io/memory': '1' }];
    expect(annotations.map((each) => reportsUsage(podOf('p', each)))).toEqual([false, false, false, true, true]);
    expect([meterOf(undefined).ofPod(podOf('p')), meterOf([]).ofPod(podOf('p'))]).toEqual([
      undefined,
      both({ cpu: 0, memory: 0 }, { cpu: 0, memory: 0 }),
    ]);
  });

  it('are read of running pods', () => {
    const of = (phase: string) => meterOf([]).ofPod(podOf('p', { 'sim.orch.io/cpu': '1' }, { status: { phase } }));
    expect([of('Pending'), of('Succeeded'), of('Running') !== undefined]).toEqual([undefined, undefined, true]);
  });

  it('count instead of described usage', () => {
    const meter = meterOf([{ cpu: constant(70), memory: constant(5) }]);
    expect(meter.ofPod(podOf('p', { 'sim.orch.io/cpu': '250m' }))).toEqual(both({ cpu: 250, memory: 5000 }, { cpu: 0, memory: 0 }));
  });
});

describe('described usage', () => {
  const specs: readonly UsageSpec[] = [
    { cpu: constant(300), memory: constant(7) },
    { container: 'b', cpu: constant(900), memory: constant(1) },
  ];

  it('is of each container', () => {
    expect(meterOf(specs).ofPod(podOf('p'))).toEqual(both({ cpu: 300, memory: 7000 }, { cpu: 900, memory: 1000 }));
  });

  it('is at most the CPU limit of a container, unless its node enforces none', () => {
    const pod = podOf('p', undefined, limited('200m', undefined));
    expect(meterOf(specs).ofPod(pod)).toEqual(both({ cpu: 200, memory: 7000 }, { cpu: 900, memory: 1000 }));
    expect(meterOf(specs, [], ['node-0']).ofPod(pod)?.[0]?.reading.cpu).toBe(300);
    expect(meterOf(specs, [], ['node-1']).ofPod(pod)?.[0]?.reading.cpu).toBe(200);
    expect(
      meterOf(specs, [], ['']).ofPod(podOf('p', undefined, { spec: { ...limited('200m').spec, nodeName: undefined } }))?.[0]?.reading.cpu,
    ).toBe(300);
  });

  it('of a whole pod is at most the sum of its limits', () => {
    const cpu = (annotation: string, ...limits: readonly (string | undefined)[]) =>
      meterOf([]).ofPod(podOf('p', { 'sim.orch.io/cpu': annotation, 'sim.orch.io/memory': '9' }, limited(...limits)))?.[0]?.reading;
    expect([cpu('900m', '200m', '300m'), cpu('400m', '200m', '300m'), cpu('900m', '200m', undefined)]).toEqual([
      { cpu: 500, memory: 9000 },
      { cpu: 400, memory: 9000 },
      { cpu: 900, memory: 9000 },
    ]);
  });

  it('shares work among the ready pods, in their first containers; all pods are asked for once', () => {
    const pods = ['p', 'q', 'r'].map((name) => podOf(name, undefined, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }));
    const meter = meterOf([{ shared: true, cpu: constant(1000) }, { cpu: constant(10) }], pods);
    expect(pods.map((pod) => meter.ofPod(pod))).toEqual(pods.map(() => both({ cpu: 343, memory: 0 }, { cpu: 0, memory: 0 })));
    expect(meter.ofPod(podOf('other'))).toEqual(both({ cpu: 10, memory: 0 }, { cpu: 0, memory: 0 }));
    expect(meter.asked()).toBe(1);
  });

  it('of a node is that of its system and of its pods', () => {
    const meter = meterOf([...specs, { system: true, cpu: constant(50), memory: constant(4) }]);
    expect(meter.ofNode('node-0', [podOf('p'), podOf('q'), podOf('r', undefined, { status: { phase: 'Failed' } })])).toEqual({
      cpu: 50 + 2 * 1200,
      memory: 4000 + 2 * 8000,
    });
    expect(meterOf(undefined).ofNode('node-0', [podOf('p'), podOf('q', { 'sim.orch.io/cpu': '1' })])).toEqual({ cpu: 1000, memory: 0 });
  });
});

describe('the source of the metrics APIs', () => {
  it('has what is specified', () => {
    const none = createMetered(undefined, undefined, at(0));
    expect([Object.keys(none), none.unthrottled]).toEqual([['unthrottled'], new Set()]);
    const all = createMetered(
      [{ memory: constant(3), system: true }],
      [{ name: 'm', external: true, value: constant(4) }],
      at(0),
      new Set(['n']),
    );
    expect([all.usage?.systemAt('n', at(0)).memory, all.series?.external, all.unthrottled]).toEqual([3, true, new Set(['n'])]);
  });
});
