/** Metrics other than resources, and those of one container: their proposals, and the errors when they are unavailable. */
import { describe, expect, it } from 'vitest';
import { type HorizontalPodAutoscaler, type MetricSpec, type Pod, kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { type MetricInput, demandOf } from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/metrics.ts';
import { createMetered, meterAt, type SeriesSpec, type UsageSpec } from '../../../../src/controlplane/usage/index.ts';

const names = namesFor('k8s.io');
const START = Date.UTC(2024, 0, 1);
const now = START + 600_000;
const always = (is: number) => ({ shape: 'constant', is }) as const;

const pod = (name: string, isReady: boolean, app = 'web'): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { app } },
    spec: { containers: ['c', 'side'].map((each) => ({ name: each, resources: { requests: { cpu: '100m' } } })) },
    status: {
      phase: 'Running',
      startTime: '2024-01-01T00:00:00Z',
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: '2024-01-01T00:00:01Z' }],
      containerStatuses: ['c', 'side'].map((each) => ({ name: each, state: { running: { startedAt: '2024-01-01T00:00:00Z' } } })),
    },
  }) as unknown as Pod;

interface World {
  readonly series?: readonly SeriesSpec[];
  readonly usage?: readonly UsageSpec[];
  readonly pods?: readonly Pod[];
  readonly current?: number;
}
function demand(metric: MetricSpec, { series, usage, pods = [pod('a', true), pod('b', true)], current = 2 }: World) {
  const metered = createMetered(usage, series, START);
  const everyPod = (): readonly Pod[] => pods;
  const around: MetricInput = {
    namespace: 'default',
    pods,
    everyPod,
    meter: usage === undefined ? undefined : meterAt({ usage: metered.usage, everyPod, isUnthrottled: () => false }, now),
    series: metered.series,
    names,
    kinds: kindsFor(names),
    now,
    current,
    found: current,
  };
  return demandOf({ spec: { metrics: [metric] } } as unknown as HorizontalPodAutoscaler, around);
}

const external = (target: object, selector?: object): MetricSpec =>
  ({ type: 'External', external: { metric: { name: 'queue', ...(selector === undefined ? {} : { selector }) }, target } }) as MetricSpec;
const object = (target: object, kind = 'Ingress'): MetricSpec =>
  ({ type: 'Object', object: { metric: { name: 'hits' }, describedObject: { kind, name: 'web' }, target } }) as MetricSpec;
const ofPods = { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } } } as MetricSpec;
const ofContainer = (container: string): MetricSpec => ({
  type: 'ContainerResource',
  containerResource: { name: 'cpu', container, target: { type: 'Utilization', averageUtilization: 50 } },
});

const each = { type: 'AverageValue', averageValue: '10' };
const total = { type: 'Value', value: '10' };
const QUEUE: readonly SeriesSpec[] = [
  { name: 'queue', external: true, labels: { of: 'mail' }, value: always(35_000) },
  { name: 'queue', external: true, labels: { of: 'jobs' }, value: always(10_000) },
];

describe('their proposals', () => {
  it('AverageValue: the total divided by the target, rounded up', () => {
    expect(demand(external(each, { matchLabels: { of: 'mail' } }), { series: QUEUE })).toMatchObject({
      replicas: 4,
      name: 'external metric queue(&LabelSelector{MatchLabels:map[string]string{of: mail,},MatchExpressions:[]LabelSelectorRequirement{},})',
      statuses: [{ type: 'External', external: { metric: { name: 'queue' }, current: { averageValue: '17500m' } } }],
    });
    expect(demand(external(each), { series: QUEUE })).toMatchObject({ replicas: 5, name: 'external metric queue(nil)' });
    // Within the tolerance.
    expect(demand(external({ type: 'AverageValue', averageValue: '21' }), { series: QUEUE }).replicas).toBe(2);
    expect(demand(external(each), { series: QUEUE, current: 0 })).toMatchObject({
      replicas: 5,
      statuses: [{ external: { current: { averageValue: '45' } } }],
    });
  });

  it('Value: the ready replicas times the ratio', () => {
    const pods = [pod('a', true), pod('b', true), pod('c', false)];
    expect(demand(external(total), { series: QUEUE, pods, current: 3 }).replicas).toBe(9);
    expect(demand(external(total), { series: QUEUE, pods, current: 0 }).replicas).toBe(5);
    const hits: readonly SeriesSpec[] = [{ name: 'hits', object: { kind: 'Ingress', name: 'web' }, value: always(15_000) }];
    expect(demand(object(total), { series: hits, pods, current: 3 })).toMatchObject({
      replicas: 3,
      name: 'Ingress metric hits',
      statuses: [{ object: { current: { value: '15' }, describedObject: { kind: 'Ingress', name: 'web' } } }],
    });
  });

  it('Pods: the average of pods with metrics, the others as 0 when scaling up', () => {
    const series: readonly SeriesSpec[] = [{ name: 'rps', pods: { matchLabels: { app: 'web' } }, value: always(30_000) }];
    expect(demand(ofPods, { series })).toMatchObject({
      replicas: 6,
      name: 'pods metric rps',
      statuses: [{ pods: { metric: { name: 'rps' }, current: { averageValue: '30' } } }],
    });
    const silent = pod('b', true, 'other');
    expect(demand(ofPods, { series, pods: [pod('a', true), silent] }).replicas).toBe(3);
  });

  it('ContainerResource: by the requests of that container', () => {
    const usage: readonly UsageSpec[] = [{ container: 'side', cpu: always(100) }, { cpu: always(10) }];
    expect(demand(ofContainer('side'), { usage })).toMatchObject({
      replicas: 4,
      name: 'cpu resource utilization (percentage of request)',
      statuses: [
        { type: 'ContainerResource', containerResource: { container: 'side', current: { averageUtilization: 100, averageValue: '100m' } } },
      ],
    });
    expect(demand(ofContainer('c'), { usage }).replicas).toBe(1);
  });
});

it('a pod without a start time or readiness time counts as starting', () => {
  const bare = pod('b', true);
  const pods = [pod('a', true), { ...bare, status: { ...bare.status, startTime: undefined } } as unknown as Pod];
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '100m' } } } as MetricSpec;
  expect(demand(cpu, { usage: [{ cpu: always(300) }], pods })).toMatchObject({ replicas: 3, failures: [] });
  const unheard = { ...bare, status: { ...bare.status, conditions: [{ type: 'Ready', status: 'True' }] } } as unknown as Pod;
  expect(demand(cpu, { usage: [{ cpu: always(300) }], pods: [pod('a', true), unheard] })).toMatchObject({ replicas: 6, failures: [] });
});

describe('the status of a metric', () => {
  const hits: readonly SeriesSpec[] = [
    { name: 'hits', object: { kind: 'Ingress', name: 'web' }, labels: { of: 'mail' }, value: always(45_000) },
  ];
  const mail = { matchLabels: { z: '1', of: 'mail' } };
  const labelled = hits.map((each) => ({ ...each, labels: { of: 'mail', z: '1' } }));
  const named = (metric: MetricSpec, selector: object): MetricSpec => {
    const { object: of } = metric;
    return of === undefined ? metric : { ...metric, object: { ...of, metric: { ...of.metric, selector } } };
  };

  it('of an object has its value, or its average without the object, as upstream', () => {
    expect(demand(object(total), { series: hits, current: 2 }).statuses).toEqual([
      { type: 'Object', object: { metric: { name: 'hits' }, current: { value: '45' }, describedObject: { kind: 'Ingress', name: 'web' } } },
    ]);
    expect(demand(named(object(each), mail), { series: labelled, current: 2 })).toEqual({
      replicas: 5,
      name: 'external metric hits(&LabelSelector{MatchLabels:map[string]string{of: mail,z: 1,},MatchExpressions:[]LabelSelectorRequirement{},})',
      statuses: [
        {
          type: 'Object',
          object: {
            metric: { name: 'hits', selector: mail },
            current: { averageValue: '22500m' },
            describedObject: { kind: '', name: '' },
          },
        },
      ],
      failures: [],
      isVoid: false,
    });
    expect(demand(named(object(each), { matchLabels: { of: 'jobs' } }), { series: hits }).failures).toHaveLength(1);
  });

  it('of an external metric has its total, or its average', () => {
    expect(demand(external(total), { series: QUEUE }).statuses).toEqual([
      { type: 'External', external: { metric: { name: 'queue' }, current: { value: '45' } } },
    ]);
    expect(demand(external(each), { series: QUEUE }).statuses).toEqual([
      { type: 'External', external: { metric: { name: 'queue' }, current: { averageValue: '22500m' } } },
    ]);
  });

  it('of memory is that of the pods', () => {
    const memory = { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '10' } } } as MetricSpec;
    expect(demand(memory, { usage: [{ memory: always(30) }] })).toEqual({
      replicas: 6,
      name: 'memory resource',
      statuses: [{ type: 'Resource', resource: { name: 'memory', current: { averageValue: '30' } } }],
      failures: [],
      isVoid: false,
    });
    const disk = { type: 'Resource', resource: { name: 'disk', target: { type: 'AverageValue', averageValue: '10' } } } as MetricSpec;
    expect(demand(disk, { usage: [{ memory: always(30) }] })).toMatchObject({ isVoid: true, statuses: [{ type: '' }] });
  });

  it('whose source is missing is unknown, whatever its type', () => {
    const sources = { ...ofPods, type: 'Pods' };
    for (const type of ['Resource', 'ContainerResource', 'Object', 'External'])
      expect(demand({ ...sources, type }, {}).failures).toEqual([
        { reason: 'InvalidMetricSourceType', error: `unknown metric source type "${type}"` },
      ]);
    expect(demand({ ...object(total), type: 'Pods' }, {}).failures[0]?.error).toBe('unknown metric source type "Pods"');
  });

  it('without a ready pod is an error', () => {
    const what = 'unable to calculate ready pods: no pods returned by selector while calculating replica count';
    expect(demand(external(total), { series: QUEUE, pods: [], current: 2 }).failures).toEqual([
      { reason: 'FailedGetExternalMetric', error: what, within: `failed to get external metric queue: ${what}` },
    ]);
    expect(demand(object(total), { series: hits, pods: [], current: 2 }).failures).toEqual([
      { reason: 'FailedGetObjectMetric', error: what, within: `failed to get object metric value: ${what}` },
    ]);
    const dead = { ...pod('a', true), status: { ...pod('a', true).status, phase: 'Pending' } } as unknown as Pod;
    const series: readonly SeriesSpec[] = [{ name: 'rps', pods: {}, value: always(1) }];
    expect(demand(ofPods, { series, pods: [dead] }).failures[0]?.error).toBe(
      'unable to get metric rps: no metrics returned from custom metrics API',
    );
    expect(demand(ofPods, { series: [{ name: 'other', pods: {}, value: always(1) }] }).failures[0]?.error).toMatch(
      /the server could not find the metric rps for pods$/,
    );
  });

  it('of CPU is proposed by the average of the pods', () => {
    const cpu = (averageValue: string) =>
      ({ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue } } }) as MetricSpec;
    const of = (current: number, ...metrics: readonly MetricSpec[]) => {
      const usage: readonly UsageSpec[] = [{ cpu: always(100) }];
      const all = metrics.map((metric) => demand(metric, { usage, current }));
      return all.map(({ replicas, isVoid }) => [replicas, isVoid]);
    };
    expect(of(2, cpu('50m'), cpu('100m'), cpu('200m'))).toEqual([
      [4, false],
      [2, false],
      [1, false],
    ]);
  });
});

describe('errors for unavailable metrics', () => {
  const first = (metric: MetricSpec, world: World = {}) => demand(metric, world).failures[0];
  it('there is no adapter', () => {
    const custom = 'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';
    expect(first(ofPods)).toEqual({
      reason: 'FailedGetPodsMetric',
      error: `unable to get metric rps: ${custom}`,
      within: `failed to get pods metric value: unable to get metric rps: ${custom}`,
    });
    expect(first(object(total))?.error).toBe(`unable to get metric hits: Ingress on default web/${custom}`);
    expect(first(object(each))?.within).toBe(
      `failed to get object metric value: failed to get hits object metric: unable to get metric hits: Ingress on default web/${custom}`,
    );
    expect(first(external(each))).toEqual({
      reason: 'FailedGetExternalMetric',
      error:
        'unable to get external metric default/queue/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)',
      within: expect.stringMatching(/^failed to get queue external metric: unable to get external metric default\/queue\/nil: /),
    });
    expect(first(ofContainer('c'))).toMatchObject({ reason: 'FailedGetContainerResourceMetric' });
  });

  it('there is no such metric, label or container', () => {
    const series: readonly SeriesSpec[] = [
      ...QUEUE,
      { name: 'other', pods: {}, value: always(1) },
      { name: 'rps', pods: { matchLabels: { app: 'none' } }, value: always(1) },
    ];
    expect(first(object(total), { series })?.error).toBe(
      'unable to get metric hits: Ingress on default web/unable to fetch metrics from custom metrics API: the server could not find the metric hits for ingresses.networking.k8s.io web',
    );
    expect(first(object(total, 'Service'), { series })?.error).toMatch(/could not find the metric hits for services web$/);
    expect(first(ofPods, { series })?.error).toBe('unable to get metric rps: no metrics returned from custom metrics API');
    expect(first(external(each, { matchExpressions: [{ key: 'of', operator: 'In', values: ['a', 'b'] }] }), { series })?.error).toBe(
      'unable to get external metric default/queue/&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:of,Operator:In,Values:[a b],},},}: no metrics returned from external metrics API',
    );
    expect(first(ofContainer('none'), { usage: [] })?.error).toBe(
      'failed to get cpu utilization: unable to get metrics for resource cpu: failed to get container metrics: container none not present in metrics for pod default/a',
    );
    expect(first({ type: 'Nothing' })).toEqual({
      reason: 'InvalidMetricSourceType',
      error: 'unknown metric source type "Nothing"',
    });
  });
});
