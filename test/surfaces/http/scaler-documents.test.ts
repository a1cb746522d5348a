/** Whole autoscalers in each older version: each source of a metric, wanted and found, under its old names. */
import { describe, expect, it } from 'vitest';
import { scalerBetaConversion, scalerConversion, scalerSecondBetaConversion } from '../../../src/surfaces/http/versions/scaler.ts';

const P = 'autoscaling.alpha.kubernetes.io/';
const selector = { matchLabels: { a: 'b' } };
const described = { kind: 'Service', name: 's' };
const bounds = { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 1, maxReplicas: 3 };

/** Each metric in v2, and in v2beta1 as it is wanted. */
const WANTED: readonly (readonly [object, object])[] = [
  [
    { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Mi' } } },
    { type: 'Resource', resource: { name: 'memory', targetAverageValue: '1Mi' } },
  ],
  [
    { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 0 } } },
    { type: 'Resource', resource: { name: 'memory', targetAverageUtilization: 0 } },
  ],
  [
    {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 7 } },
    },
    { type: 'ContainerResource', containerResource: { name: 'cpu', container: 'c', targetAverageUtilization: 7 } },
  ],
  [
    { type: 'Pods', pods: { metric: { name: 'rps', selector }, target: { type: 'AverageValue', averageValue: '5' } } },
    { type: 'Pods', pods: { metricName: 'rps', selector, targetAverageValue: '5' } },
  ],
  [
    { type: 'Object', object: { describedObject: described, metric: { name: 'q' }, target: { type: 'Value', value: '5' } } },
    { type: 'Object', object: { target: described, metricName: 'q', targetValue: '5' } },
  ],
  [
    {
      type: 'Object',
      object: { describedObject: described, metric: { name: 'q', selector }, target: { type: 'AverageValue', averageValue: '6' } },
    },
    { type: 'Object', object: { target: described, metricName: 'q', selector, averageValue: '6' } },
  ],
  [
    { type: 'External', external: { metric: { name: 'e', selector }, target: { type: 'Value', value: '1' } } },
    { type: 'External', external: { metricName: 'e', metricSelector: selector, targetValue: '1' } },
  ],
  [
    { type: 'External', external: { metric: { name: 'e' }, target: { type: 'AverageValue', averageValue: '2' } } },
    { type: 'External', external: { metricName: 'e', targetAverageValue: '2' } },
  ],
];
/** The same as it was found. */
const FOUND: readonly (readonly [object, object])[] = [
  [
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 7, averageValue: '7m' } } },
    { type: 'Resource', resource: { name: 'cpu', currentAverageUtilization: 7, currentAverageValue: '7m' } },
  ],
  [
    { type: 'Pods', pods: { metric: { name: 'rps' }, current: { averageValue: '5' } } },
    { type: 'Pods', pods: { metricName: 'rps', currentAverageValue: '5' } },
  ],
  [
    { type: 'Object', object: { describedObject: described, metric: { name: 'q' }, current: { value: '5', averageValue: '6' } } },
    { type: 'Object', object: { target: described, metricName: 'q', currentValue: '5', averageValue: '6' } },
  ],
  [
    { type: 'External', external: { metric: { name: 'e' }, current: { value: '1' } } },
    { type: 'External', external: { metricName: 'e', currentValue: '1' } },
  ],
];
const [metrics, oldMetrics] = [WANTED.map(([now]) => now), WANTED.map(([, old]) => old)];
const [currentMetrics, oldCurrent] = [FOUND.map(([now]) => now), FOUND.map(([, old]) => old)];
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };
const behavior = {
  scaleUp: { stabilizationWindowSeconds: 3, selectPolicy: 'Max', policies: [{ type: 'Pods', value: 1, periodSeconds: 2 }] },
};
const BEHAVIOR =
  '{"ScaleUp":{"StabilizationWindowSeconds":3,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":2}]}}';
const conditions = [{ type: 'AbleToScale', status: 'True' }];
const metadata = { name: 'h', annotations: { mine: 'kept' } };
const counts = { observedGeneration: 4, lastScaleTime: 't', currentReplicas: 2, desiredReplicas: 3 };
const whole = {
  kind: 'HorizontalPodAutoscaler',
  metadata,
  spec: { ...bounds, metrics: [...metrics, cpu], behavior },
  status: { ...counts, currentMetrics, conditions },
};

describe('in version 1', () => {
  const old = {
    kind: 'HorizontalPodAutoscaler',
    metadata: {
      name: 'h',
      annotations: {
        mine: 'kept',
        [`${P}metrics`]: JSON.stringify(oldMetrics),
        [`${P}behavior`]: BEHAVIOR,
        [`${P}current-metrics`]: JSON.stringify(oldCurrent),
        [`${P}conditions`]: JSON.stringify(conditions),
      },
    },
    spec: { ...bounds, targetCPUUtilizationPercentage: 50 },
    status: { ...counts, currentCPUUtilizationPercentage: 7 },
  };

  it('what has no field is in annotations', () => {
    expect(scalerConversion.read(whole)).toEqual(old);
    expect(scalerConversion.write(old)).toEqual(whole);
  });

  it('what is not there is not, and counts are 0', () => {
    const bare = { metadata: { name: 'h' }, spec: bounds, status: {} };
    expect(scalerConversion.read(bare)).toEqual({ ...bare, status: { currentReplicas: 0, desiredReplicas: 0 } });
    expect(scalerConversion.read({ metadata: { name: 'h' }, spec: bounds })).toEqual({
      ...bare,
      status: { currentReplicas: 0, desiredReplicas: 0 },
    });
    expect(scalerConversion.write({ metadata: { name: 'h' }, spec: bounds })).toEqual(bare);
    // An old annotation of what is no more is removed, and so is an empty map of annotations.
    const stale = { ...bare, metadata: { name: 'h', annotations: { [`${P}metrics`]: '[]' } } };
    expect(scalerConversion.read(stale)).toEqual({ ...bare, status: { currentReplicas: 0, desiredReplicas: 0 } });
  });

  it('only a utilization of the CPU is its number', () => {
    const share = (metric: object) => {
      const { spec, metadata: made } = scalerConversion.read({ metadata: { name: 'h' }, spec: { metrics: [metric] } }) as {
        readonly spec: object;
        readonly metadata: { readonly annotations?: object };
      };
      return [spec, made.annotations === undefined];
    };
    expect(share(cpu)).toEqual([{ targetCPUUtilizationPercentage: 50 }, true]);
    const average = { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1' } } };
    for (const other of [
      average,
      { ...cpu, type: 'Pods' },
      { ...cpu, resource: { ...cpu.resource, name: 'memory' } },
      { type: 'Resource' },
    ])
      expect(share(other)).toEqual([{}, false]);
  });

  it('a number of null is none, and annotations that cannot be read are none', () => {
    const written = (spec: object, annotations: object = {}) => {
      const {
        spec: made,
        status,
        metadata: of,
      } = scalerConversion.write({ metadata: { annotations }, spec }) as Readonly<Record<string, object>>;
      return { spec: made, status, metadata: of };
    };
    expect(written({ targetCPUUtilizationPercentage: null })).toEqual({ spec: {}, status: {}, metadata: {} });
    expect(written({ targetCPUUtilizationPercentage: 0 })).toEqual({
      spec: { metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0 } } }] },
      status: {},
      metadata: {},
    });
    const broken = {
      [`${P}metrics`]: '{',
      [`${P}behavior`]: '[]',
      [`${P}current-metrics`]: '{}',
      [`${P}conditions`]: '{"a":1}',
      mine: 'kept',
    };
    expect(written({}, broken)).toEqual({ spec: {}, status: {}, metadata: { annotations: { mine: 'kept' } } });
    // Members of a list that are no metrics are left out.
    expect(written({}, { [`${P}metrics`]: '[1,null,{"type":"Pods","pods":{"metricName":"m"}},[]]', [`${P}conditions`]: '[1]' })).toEqual({
      spec: { metrics: [{ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue' } } }] },
      status: { conditions: [1] },
      metadata: {},
    });
    expect(scalerConversion.write({ spec: 5, a: 1 })).toEqual({ spec: 5, a: 1 });
  });

  it('a number that cannot be read is refused in the words of the version', () => {
    expect(() => scalerConversion.write({ spec: { targetCPUUtilizationPercentage: 'x' } })).toThrow(
      /^HorizontalPodAutoscaler in version "v1" cannot be handled as a HorizontalPodAutoscaler: /,
    );
  });
});

describe('in version 2beta1', () => {
  const old = {
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h', annotations: { mine: 'kept', [`${P}behavior`]: BEHAVIOR } },
    spec: { ...bounds, metrics: [...oldMetrics, { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 50 } }] },
    status: { ...counts, currentMetrics: oldCurrent, conditions },
  };

  it('metrics have their old names, and the behavior is an annotation', () => {
    expect(scalerBetaConversion.read(whole)).toEqual(old);
    expect(scalerBetaConversion.write(old)).toEqual(whole);
  });

  it('what is not there is null in the status, and left as it is by a write', () => {
    expect(scalerBetaConversion.read({ metadata: {}, spec: bounds })).toEqual({
      metadata: {},
      spec: { ...bounds, metrics: [] },
      status: { currentReplicas: 0, currentMetrics: null, conditions: null },
    });
    expect(scalerBetaConversion.write({ metadata: {}, spec: bounds, status: { a: 1 } })).toEqual({
      metadata: {},
      spec: bounds,
      status: { a: 1 },
    });
    expect(scalerBetaConversion.write({ spec: 5 })).toEqual({ spec: 5 });
    // What cannot be read as metrics is left to the rules of the kind.
    expect(scalerBetaConversion.write({ metadata: {}, spec: { metrics: [1, null] } })).toEqual({
      metadata: {},
      spec: { metrics: [1, null] },
    });
    expect(scalerBetaConversion.write({ metadata: {}, spec: { metrics: 'x' } })).toEqual({ metadata: {}, spec: { metrics: 'x' } });
  });
});

describe('in version 2beta2', () => {
  it('the status has its replicas and conditions, whatever there is', () => {
    expect(scalerSecondBetaConversion.read(whole)).toEqual(whole);
    expect(scalerSecondBetaConversion.read({ spec: bounds })).toEqual({ spec: bounds, status: { currentReplicas: 0, conditions: null } });
    const { status } = scalerSecondBetaConversion.read({ status: { ...counts } }) as { readonly status: object };
    expect(Object.keys(status)).toEqual(['observedGeneration', 'lastScaleTime', 'currentReplicas', 'conditions', 'desiredReplicas']);
    expect(scalerSecondBetaConversion.write(whole)).toBe(whole);
  });
});
