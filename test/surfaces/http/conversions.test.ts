/** Objects between versions: what is renamed, marked or moved, and what is not an object. */
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { budgetConversion, eventConversion, same, topologyConversion } from '../../../src/surfaces/http/versions/convert.ts';
import { setup } from './setup.ts';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';

describe('endpoints in v1beta1', () => {
  const { read, write } = topologyConversion(namesFor('k8s.io'));
  const shown = (endpoint: unknown) => (read({ endpoints: [endpoint] }) as { readonly endpoints: readonly [object] }).endpoints[0];
  const kept = (endpoint: unknown) => (write({ endpoints: [endpoint] }) as { readonly endpoints: readonly [object] }).endpoints[0];

  it.each<[object, object]>([
    [{}, {}],
    [{ addresses: ['a'] }, { addresses: ['a'] }],
    [{ zone: 'z' }, { topology: { [ZONE]: 'z' } }],
    [{ nodeName: 'n' }, { topology: { [HOST]: 'n' }, nodeName: 'n' }],
    [{ deprecatedTopology: { a: 'b' } }, { topology: { a: 'b' } }],
    [
      { deprecatedTopology: { a: 'b', [ZONE]: 'old' }, zone: 'z', nodeName: 'n' },
      { topology: { a: 'b', [ZONE]: 'z', [HOST]: 'n' }, nodeName: 'n' },
    ],
    [
      { deprecatedTopology: { [HOST]: 'h' }, nodeName: 'n' },
      { topology: { [HOST]: 'h' }, nodeName: 'n' },
    ],
    [
      { deprecatedTopology: { [HOST]: '' }, nodeName: 'n' },
      { topology: { [HOST]: 'n' }, nodeName: 'n' },
    ],
  ])('of %j show %j', (stored, expected) => {
    expect(shown(stored)).toEqual(expected);
  });

  it.each<[object, object]>([
    [{}, {}],
    [{ topology: {} }, {}],
    [{ topology: null }, { topology: null }],
    [{ topology: { [ZONE]: 'z' } }, { zone: 'z' }],
    [{ topology: { [HOST]: 'n' } }, { nodeName: 'n' }],
    [{ topology: { [HOST]: 'n' }, nodeName: 'n' }, { nodeName: 'n' }],
    [
      { topology: { [HOST]: 'h' }, nodeName: 'n' },
      { nodeName: 'n', deprecatedTopology: { [HOST]: 'h' } },
    ],
    [
      { topology: { a: 'b', [ZONE]: 'z' }, nodeName: 'n' },
      { nodeName: 'n', zone: 'z', deprecatedTopology: { a: 'b' } },
    ],
  ])('written as %j are %j', (sent, expected) => {
    expect(kept(sent)).toEqual(expected);
  });

  it('that are none are left to the rules of the kind', () => {
    for (const value of [{}, { endpoints: null }, { endpoints: 'x' }, { endpoints: [1, null, 'x'] }]) {
      expect(read(value)).toEqual(value);
      expect(write(value)).toEqual(value);
    }
    expect(read({ kind: 'E', endpoints: [{ zone: 'z' }], ports: [] })).toEqual({
      kind: 'E',
      endpoints: [{ topology: { [ZONE]: 'z' } }],
      ports: [],
    });
  });
});

describe('the selector of a budget', () => {
  const marked = (operator: string) => ({
    matchExpressions: [{ key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator }],
  });
  const [nothing, everything, some] = [marked('Exists'), marked('DoesNotExist'), { matchLabels: { a: 'b' } }];
  const of = (selector: unknown) => ({ spec: { minAvailable: 1, selector } });

  it('that is empty is a marked one in the other version', () => {
    const { read, write } = budgetConversion;
    expect([nothing, {}, everything, some, undefined].map((selector) => read(of(selector)))).toEqual(
      [{}, everything, everything, some, undefined].map(of),
    );
    expect([everything, {}, nothing, some, null].map((selector) => write(of(selector)))).toEqual(
      [{}, nothing, nothing, some, null].map(of),
    );
    for (const value of [{}, { spec: null }, { spec: 'x' }]) expect([read(value), write(value)]).toEqual([value, value]);
  });
});

describe('an event', () => {
  const core = {
    involvedObject: 1,
    message: 2,
    source: 3,
    firstTimestamp: 4,
    lastTimestamp: 5,
    count: 6,
    reportingComponent: 'c',
    reportingInstance: 'i',
    reason: 'r',
  };
  const own = {
    regarding: 1,
    note: 2,
    deprecatedSource: 3,
    deprecatedFirstTimestamp: 4,
    deprecatedLastTimestamp: 5,
    deprecatedCount: 6,
    reportingController: 'c',
    reportingInstance: 'i',
    reason: 'r',
  };

  it('of its own group has other names, and none that is empty', () => {
    const { read, write } = eventConversion;
    expect(read(core)).toEqual(own);
    expect(Object.keys(read(core))).toEqual(Object.keys(own));
    expect(read({ reportingComponent: '', reportingInstance: '', message: '', reason: '' })).toEqual({ note: '', reason: '' });
    expect(write(own)).toEqual(core);
    // The names of the core group are unknown there.
    expect(write({ ...core, note: 7 })).toEqual({ reason: 'r', reportingInstance: 'i', message: 7 });
  });
});

it('other versions have the same members', () => {
  const value = { a: 1 };
  expect([same.read(value), same.write(value)]).toEqual([value, value]);
  expect(same.read(value)).toBe(value);
});

describe('a deprecated version', () => {
  const { ask } = setup();
  it.each<[string, string | undefined]>([
    ['autoscaling/v1/horizontalpodautoscalers', undefined],
    [
      'autoscaling/v2beta1/horizontalpodautoscalers',
      'autoscaling/v2beta1 HorizontalPodAutoscaler is deprecated in v1.22+, unavailable in v1.25+; use autoscaling/v2 HorizontalPodAutoscaler',
    ],
    [
      'autoscaling/v2beta2/horizontalpodautoscalers',
      'autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated in v1.23+, unavailable in v1.26+; use autoscaling/v2 HorizontalPodAutoscaler',
    ],
    ['batch/v1beta1/cronjobs', 'batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob'],
    [
      'discovery.k8s.io/v1beta1/endpointslices',
      'discovery.k8s.io/v1beta1 EndpointSlice is deprecated in v1.21+, unavailable in v1.25+; use discovery.k8s.io/v1 EndpointSlice',
    ],
    ['events.k8s.io/v1/events', undefined],
    ['events.k8s.io/v1beta1/events', 'events.k8s.io/v1beta1 Event is deprecated in v1.22+, unavailable in v1.25+'],
    ['node.k8s.io/v1beta1/runtimeclasses', 'node.k8s.io/v1beta1 RuntimeClass is deprecated in v1.22+, unavailable in v1.25+'],
    [
      'policy/v1beta1/poddisruptionbudgets',
      'policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget',
    ],
    [
      'storage.k8s.io/v1beta1/csistoragecapacities',
      'storage.k8s.io/v1beta1 CSIStorageCapacity is deprecated in v1.24+, unavailable in v1.27+; use storage.k8s.io/v1 CSIStorageCapacity',
    ],
  ])('%s warns: %s', async (path, warning) => {
    const [group = '', version = '', plural = ''] = path.split('/');
    const answer = await ask('GET', `/apis/${path}`);
    expect(answer).toMatchObject({ status: 200, warnings: warning === undefined ? [] : [`299 - "${warning}"`] });
    expect(answer.json).toMatchObject({ apiVersion: `${group}/${version}`, items: [] });
    expect((await ask('GET', `/apis/${group}/${version}`)).json).toMatchObject({
      groupVersion: `${group}/${version}`,
      resources: expect.arrayContaining([expect.objectContaining({ name: plural })]) as unknown,
    });
  });
});
