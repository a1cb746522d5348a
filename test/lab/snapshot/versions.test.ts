/** Objects of older versions, read in the one that the server stores; and secrets without their values. */
import { describe, expect, it } from 'vitest';
import { withoutValues } from '../../../src/lab/snapshot/index.ts';
import { newestIn } from '../../../src/lab/snapshot/newest.ts';
import { emptied } from '../../../src/lab/snapshot/secrets.ts';
import { inPresentVersion } from '../../../src/lab/snapshot/versions.ts';
import { objectOf } from './objects.ts';

const read = (kind: string, apiVersion: string, value: object, asIs = false) =>
  inPresentVersion({ kind, apiVersion, value } as never, asIs);

describe('an older version', () => {
  it('of the same fields is read as it is, one without a known conversion only where that is asked for', () => {
    const value = { spec: { x: 1 } };
    const same = [
      'CronJob batch/v1beta1',
      'HorizontalPodAutoscaler autoscaling/v2beta2',
      'Lease coordination.k8s.io/v1beta1',
      'RuntimeClass node.k8s.io/v1beta1',
      'PriorityClass scheduling.k8s.io/v1beta1',
      'CSIStorageCapacity storage.k8s.io/v1beta1',
      'StorageClass storage.k8s.io/v1beta1',
      'CSIDriver storage.k8s.io/v1beta1',
      'CSINode storage.k8s.io/v1beta1',
      'VolumeAttachment storage.k8s.io/v1beta1',
      'Role rbac.authorization.k8s.io/v1beta1',
      'RoleBinding rbac.authorization.k8s.io/v1beta1',
      'ClusterRole rbac.authorization.k8s.io/v1beta1',
      'ClusterRoleBinding rbac.authorization.k8s.io/v1beta1',
    ];
    for (const each of same) {
      const [kind = '', version = ''] = each.split(' ');
      expect(read(kind, version, value), each).toBe(value);
    }
    expect(read('Deployment', 'apps/v1beta1', value)).toBeUndefined();
    expect(read('Deployment', 'apps/v1beta1', value, true)).toBe(value);
    expect(read('CronJob', 'batch/v2alpha1', value)).toBeUndefined();
    expect(read('constructor', 'v1', value)).toBeUndefined();
  });

  it('of a budget: its empty selector selected nothing', () => {
    const budget = (selector: unknown) => read('PodDisruptionBudget', 'policy/v1beta1', { kind: 'x', spec: { minAvailable: 1, selector } });
    const nothing = { kind: 'x', spec: { minAvailable: 1 } };
    for (const empty of [{}, null, undefined, { matchLabels: {} }, { matchLabels: null, matchExpressions: [] }])
      expect(budget(empty)).toEqual(nothing);
    for (const selector of [{ matchLabels: { a: 'b' } }, { matchLabels: {}, matchExpressions: [{ key: 'a', operator: 'Exists' }] }])
      expect(budget(selector)).toEqual({ kind: 'x', spec: { minAvailable: 1, selector } });
    expect(read('PodDisruptionBudget', 'policy/v1beta1', { kind: 'x' })).toEqual({ kind: 'x', spec: {} });
  });

  it('of a slice: node and zone were labels of the topology', () => {
    const slice = (endpoints: unknown) => read('EndpointSlice', 'discovery.k8s.io/v1beta1', { kind: 'x', endpoints });
    const topology = { 'kubernetes.io/hostname': 'n1', 'topology.kubernetes.io/zone': 'a', rack: 'r' };
    expect(
      slice([
        { addresses: ['1'], topology },
        { addresses: ['2'] },
        { addresses: ['3'], topology: { rack: 'r' } },
        { topology: { 'kubernetes.io/hostname': 'n2' } },
      ]),
    ).toEqual({
      kind: 'x',
      endpoints: [
        { nodeName: 'n1', zone: 'a', deprecatedTopology: { rack: 'r' }, addresses: ['1'] },
        { addresses: ['2'] },
        { deprecatedTopology: { rack: 'r' }, addresses: ['3'] },
        { nodeName: 'n2' },
      ],
    });
    expect([slice(null), slice(undefined)]).toEqual([
      { kind: 'x', endpoints: null },
      { kind: 'x', endpoints: undefined },
    ]);
  });
});

describe('an autoscaler of version 1', () => {
  const PREFIX = 'autoscaling.alpha.kubernetes.io/';
  const scaler = (spec: object, status: object, annotations: Readonly<Record<string, unknown>> = {}) => {
    const given = Object.fromEntries(
      Object.entries(annotations).map(([name, value]) => [
        name === 'kept' ? name : PREFIX + name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    return read('HorizontalPodAutoscaler', 'autoscaling/v1', { metadata: { name: 'a', annotations: given }, spec, status });
  };
  const cpu = (at: object) => ({ type: 'Resource', resource: { name: 'cpu', ...at } });
  const plain = (
    metrics: readonly object[],
    currentMetrics: readonly object[],
    more: { spec?: object; status?: object; annotations?: object } = {},
  ) => ({
    metadata: { name: 'a', annotations: more.annotations ?? {} },
    spec: { metrics, ...more.spec },
    status: { currentMetrics, ...more.status },
  });

  it('has the utilization of CPU as a field', () => {
    expect(
      scaler({ maxReplicas: 3, targetCPUUtilizationPercentage: 80 }, { desiredReplicas: 1, currentCPUUtilizationPercentage: 40 }),
    ).toEqual(
      plain([cpu({ target: { type: 'Utilization', averageUtilization: 80 } })], [cpu({ current: { averageUtilization: 40 } })], {
        spec: { maxReplicas: 3 },
        status: { desiredReplicas: 1 },
      }),
    );
    expect(scaler({ targetCPUUtilizationPercentage: null }, {})).toEqual(plain([], []));
    expect(read('HorizontalPodAutoscaler', 'autoscaling/v1', {})).toEqual({
      metadata: { annotations: {} },
      spec: { metrics: [] },
      status: { currentMetrics: [] },
    });
  });

  it('has everything else in annotations', () => {
    const memory = (values: object) => ({ type: 'Resource', resource: { name: 'memory', ...values } });
    expect(
      scaler(
        {},
        { currentCPUUtilizationPercentage: 40 },
        {
          kept: 'words',
          metrics: [memory({ targetAverageUtilization: 60 }), memory({ targetAverageValue: '1Gi' }), { type: 'Pods', pods: {} }],
          'current-metrics': [
            memory({ currentAverageUtilization: 7, currentAverageValue: '1' }),
            memory({ currentAverageValue: '2' }),
            memory({ currentAverageUtilization: 8 }),
            { type: 'Object' },
          ],
          conditions: [{ type: 'AbleToScale' }],
          behavior: { scaleDown: {} },
        },
      ),
    ).toEqual(
      plain(
        [
          memory({ target: { type: 'Utilization', averageUtilization: 60 } }),
          memory({ target: { type: 'AverageValue', averageValue: '1Gi' } }),
        ],
        [
          memory({ current: { averageUtilization: 7, averageValue: '1' } }),
          memory({ current: { averageValue: '2' } }),
          memory({ current: { averageUtilization: 8 } }),
        ],
        { annotations: { kept: 'words' }, spec: { behavior: { scaleDown: {} } }, status: { conditions: [{ type: 'AbleToScale' }] } },
      ),
    );
    expect(scaler({}, { currentCPUUtilizationPercentage: 40 }, { metrics: 'no JSON', 'current-metrics': '{}', conditions: '' })).toEqual(
      plain([], [cpu({ current: { averageUtilization: 40 } })]),
    );
    expect(scaler({}, {}, { metrics: [memory({})] })).toEqual(plain([memory({ target: { type: 'AverageValue' } })], []));
  });
});

describe('a Secret', () => {
  const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

  it('keeps the names of its values', () => {
    expect(withoutValues({ kind: 'Secret', type: 'Opaque', data: { a: 'x', b: null }, stringData: { c: 'y' }, other: { d: 'z' } })).toEqual(
      {
        kind: 'Secret',
        type: 'Opaque',
        data: { a: '', b: null },
        stringData: { c: '' },
        other: { d: 'z' },
      },
    );
    expect(withoutValues({ data: 'x', metadata: { name: 's', annotations: { [APPLIED]: '{}', kept: 'words' } } })).toEqual({
      data: 'x',
      metadata: { name: 's', annotations: { kept: 'words' } },
    });
    expect(withoutValues({ metadata: { name: 's', annotations: { [APPLIED]: '{}' } } })).toEqual({ metadata: { name: 's' } });
    for (const metadata of [null, 'x', { name: 's' }, { annotations: 'x' }]) expect(withoutValues({ metadata })).toEqual({ metadata });
  });

  it('or the operations of a patch of it', () => {
    expect(withoutValues([{ op: 'add', path: '/data/a', value: 'x' }, { op: 'remove', path: '/data/b' }, 'text'])).toEqual([
      { op: 'add', path: '/data/a', value: '' },
      { op: 'remove', path: '/data/b' },
      'text',
    ]);
    expect([withoutValues('text'), withoutValues(null)]).toEqual(['text', null]);
  });

  it('of a dump is emptied, and that is said', () => {
    const stored = (kind: string) => ({ named: {} as never, object: objectOf(kind, 's', { data: { a: 'x' } }) });
    const [secret, map] = [stored('Secret'), stored('ConfigMap')];
    expect(emptied([map])).toEqual({ stored: [map], notes: [] });
    expect(emptied([map, secret])).toEqual({
      stored: [map, { ...secret, object: objectOf('Secret', 's', { data: { a: '' } }) }],
      notes: ['the values of 1 Secret are emptied (--with-secrets keeps them)'],
    });
    expect(emptied([secret, secret]).notes).toEqual(['the values of 2 Secrets are emptied (--with-secrets keeps them)']);
  });
});

describe('the newest instant of objects', () => {
  const [early, late] = ['2024-05-02T10:00:00Z', '2024-05-02T11:00:00Z'];
  const at = (value: unknown) => newestIn([{ creationTimestamp: early }, value]);

  it('is that of what has happened, in any depth, rounded up to a second', () => {
    const keys =
      'creationTimestamp time lastTransitionTime lastHeartbeatTime lastProbeTime lastUpdateTime startTime startedAt finishedAt completionTime renewTime acquireTime firstTimestamp lastTimestamp eventTime lastObservedTime lastScheduleTime lastSuccessfulTime lastScaleTime';
    for (const key of keys.split(' ')) expect(at({ a: [{ [key]: late }] }), key).toBe(Date.parse(late));
    expect(at({ time: '2024-05-02T11:00:00.001Z' })).toBe(Date.parse('2024-05-02T11:00:01Z'));
    expect(newestIn([{ time: late }, { time: early }])).toBe(Date.parse(late));
  });

  it('is not what will happen, what managers say of fields, or no time', () => {
    const others = [
      { deletionTimestamp: late },
      { notAfter: late },
      { fieldsV1: { time: late } },
      { time: 'tomorrow' },
      { time: '2024-05-02T11:00:00+00:00' },
      { time: `x${late}` },
      { time: `${late}x` },
      { time: '2024-15-02T11:00:00Z' },
      { time: 1 },
      { time: null },
      [late],
      late,
      null,
    ];
    for (const other of others) expect(at(other), JSON.stringify(other)).toBe(Date.parse(early));
    expect([newestIn([]), newestIn([{ a: 1 }])]).toEqual([undefined, undefined]);
  });

  it('is looked for thirty-two deep', () => {
    const nested = (depth: number): unknown => (depth === 0 ? { time: late } : { a: nested(depth - 1) });
    expect([at(nested(32)), at(nested(33))]).toEqual([Date.parse(late), Date.parse(early)]);
  });
});
