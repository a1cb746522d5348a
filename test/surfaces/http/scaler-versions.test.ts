/** Autoscalers in older versions: conversions between versions lose nothing. */
import { describe, expect, it } from 'vitest';
import { scalerBetaConversion, scalerConversion } from '../../../src/surfaces/http/versions/scaler.ts';

const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };
const others = [
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Mi' } } },
  {
    type: 'Pods',
    pods: { metric: { name: 'rps', selector: { matchLabels: { a: 'b' } } }, target: { type: 'AverageValue', averageValue: '5' } },
  },
  {
    type: 'Object',
    object: { describedObject: { kind: 'Service', name: 's' }, metric: { name: 'q' }, target: { type: 'Value', value: '5' } },
  },
  { type: 'External', external: { metric: { name: 'e' }, target: { type: 'AverageValue', averageValue: '1' } } },
];
const behavior = { scaleUp: { stabilizationWindowSeconds: 3, policies: [{ type: 'Pods', value: 1, periodSeconds: 2 }] } };
const status = {
  currentReplicas: 2,
  desiredReplicas: 3,
  currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 7, averageValue: '7m' } } }],
  conditions: [{ type: 'AbleToScale', status: 'True' }],
};
const object = {
  metadata: { name: 'h', annotations: { mine: 'kept' } },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 1, maxReplicas: 3, metrics: [...others, cpu], behavior },
  status,
};

describe('a HorizontalPodAutoscaler', () => {
  it.each([
    ['v1', scalerConversion],
    ['v2beta1', scalerBetaConversion],
  ])('comes back from %s as it was', (_version, { read, write }) => {
    expect(write(read(object))).toEqual(object);
  });

  it('has one number for CPU in v1, and annotations for the rest', () => {
    const old = scalerConversion.read(object);
    expect(old['spec']).toEqual({
      scaleTargetRef: { kind: 'Deployment', name: 'd' },
      minReplicas: 1,
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
    });
    expect(old['status']).toEqual({ currentReplicas: 2, desiredReplicas: 3, currentCPUUtilizationPercentage: 7 });
    const { annotations } = old['metadata'] as { readonly annotations: Readonly<Record<string, string>> };
    expect(Object.keys(annotations)).toEqual([
      'mine',
      ...['metrics', 'behavior', 'current-metrics', 'conditions'].map((name) => `autoscaling.alpha.kubernetes.io/${name}`),
    ]);
    expect(JSON.parse(annotations['autoscaling.alpha.kubernetes.io/metrics'] ?? '')).toContainEqual({
      type: 'Pods',
      pods: { metricName: 'rps', selector: { matchLabels: { a: 'b' } }, targetAverageValue: '5' },
    });
  });

  it('is unchanged if it is not an object, and refused if the number is invalid', () => {
    for (const value of [
      {},
      { spec: 5 },
      { spec: null },
      { spec: {}, metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '{' } } },
    ])
      expect(() => scalerConversion.write(value)).not.toThrow();
    expect(() => scalerConversion.write({ spec: { targetCPUUtilizationPercentage: '5' } })).toThrow(
      /targetCPUUtilizationPercentage of type int32/,
    );
  });
});
