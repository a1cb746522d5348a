/** Objects in other versions than the simulated one. */
import { describe, expect, it } from 'vitest';
import { setup } from './setup.ts';

type Fields = Readonly<Record<string, unknown>>;
const cronJob = (name: string, apiVersion: string) => ({
  apiVersion,
  kind: 'CronJob',
  metadata: { name },
  spec: {
    schedule: '@daily',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } },
  },
});
const [OLD, NEW] = ['/apis/batch/v1beta1/namespaces/default/cronjobs', '/apis/batch/v1/namespaces/default/cronjobs'];
const WARNING = '299 - "batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob"';

describe('an older version', () => {
  it('writes and reads the same objects, with a warning', async () => {
    const { ask } = setup();
    const made = await ask('POST', OLD, cronJob('a', 'batch/v1beta1'));
    expect([made.status, made.warnings, made.json]).toEqual([
      201,
      [WARNING],
      expect.objectContaining({ apiVersion: 'batch/v1beta1', kind: 'CronJob' }),
    ]);
    expect(await ask('GET', `${NEW}/a`)).toMatchObject({
      status: 200,
      warnings: [],
      json: { apiVersion: 'batch/v1', spec: { schedule: '@daily' } },
    });
    expect(
      (await ask('PUT', `${OLD}/a`, { ...cronJob('a', 'batch/v1beta1'), spec: { ...cronJob('a', '').spec, suspend: true } })).json,
    ).toMatchObject({ apiVersion: 'batch/v1beta1', spec: { suspend: true } });
    expect(
      (
        await ask(
          'PATCH',
          `${OLD}/a`,
          { apiVersion: 'batch/v1beta1', spec: { suspend: false } },
          { 'content-type': 'application/merge-patch+json' },
        )
      ).json,
    ).toMatchObject({ apiVersion: 'batch/v1beta1', spec: { suspend: false } });
    expect((await ask('GET', `${OLD}/a/status`)).json).toMatchObject({ apiVersion: 'batch/v1beta1' });
    expect(await ask('GET', OLD)).toMatchObject({
      warnings: [WARNING],
      json: { kind: 'CronJobList', apiVersion: 'batch/v1beta1', items: [{ metadata: { name: 'a' } }] },
    });
    expect((await ask('GET', OLD, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })).json).toMatchObject({
      kind: 'Table',
      rows: [{ cells: ['a', '@daily', 'False', 0, '<none>', '0s', 'c', 'i', '<none>'] }],
    });
    expect((await ask('DELETE', `${OLD}/a`)).json).toMatchObject({ kind: 'Status', status: 'Success' });
    expect((await ask('GET', `${NEW}/a`)).status).toBe(404);
  });

  it('is applied, and validated strictly', async () => {
    const { ask } = setup();
    expect(
      (await ask('PATCH', `${OLD}/a?fieldManager=me`, cronJob('a', 'batch/v1beta1'), { 'content-type': 'application/apply-patch+yaml' }))
        .json,
    ).toMatchObject({ apiVersion: 'batch/v1beta1' });
    expect((await ask('GET', NEW)).json).toMatchObject({ items: [{ metadata: { name: 'a' } }] });
  });

  it('warns of refusals too, and requires its own version', async () => {
    const { ask } = setup();
    expect(await ask('GET', `${OLD}/nope`)).toMatchObject({
      status: 404,
      warnings: [WARNING],
      json: { message: 'cronjobs.batch "nope" not found' },
    });
    expect(await ask('POST', OLD, cronJob('a', 'batch/v1'))).toMatchObject({
      status: 400,
      json: { message: 'the API version in the data (batch/v1) does not match the expected API version (batch/v1beta1)' },
    });
    expect(await ask('POST', NEW, cronJob('a', 'batch/v1beta1'))).toMatchObject({
      status: 400,
      json: { message: 'the API version in the data (batch/v1beta1) does not match the expected API version (batch/v1)' },
    });
    expect((await ask('GET', '/apis/batch/v1beta1/jobs')).json).toMatchObject({ code: 404, details: {} });
  });

  it('is watched', async () => {
    const { ask, stream } = setup();
    await ask('POST', NEW, cronJob('a', 'batch/v1'));
    const watch = await stream(`${OLD}?watch=1&resourceVersion=0`);
    await ask('DELETE', `${NEW}/a`);
    expect(watch.lines()).toMatchObject([
      { type: 'ADDED', object: { apiVersion: 'batch/v1beta1', kind: 'CronJob' } },
      { type: 'DELETED', object: { apiVersion: 'batch/v1beta1' } },
    ]);
    watch.close();
  });

  it('is among those that are listed and described', async () => {
    const { ask } = setup();
    expect((await ask('GET', '/apis/batch')).json).toMatchObject({
      versions: [{ version: 'v1' }, { version: 'v1beta1' }],
      preferredVersion: { version: 'v1' },
    });
    const rows = async (path: string): Promise<readonly Fields[]> =>
      ((await ask('GET', path)).json as { readonly resources: readonly Fields[] }).resources;
    expect(await rows('/apis/batch/v1beta1')).toEqual(
      (await rows('/apis/batch/v1')).filter(({ name }) => String(name).startsWith('cronjobs')),
    );
    const {
      components: { schemas },
    } = (await ask('GET', '/openapi/v3/apis/batch/v1beta1')).json as {
      readonly components: { readonly schemas: Readonly<Record<string, Fields>> };
    };
    expect(schemas['io.k8s.api.batch.v1beta1.CronJob']?.['x-kubernetes-group-version-kind']).toEqual([
      { group: 'batch', kind: 'CronJob', version: 'v1beta1' },
    ]);
  });
});

describe('other representations', () => {
  const budgets = (version: string) => `/apis/policy/${version}/namespaces/default/poddisruptionbudgets`;
  const budget = (name: string, version: string, selector: object) => ({
    apiVersion: `policy/${version}`,
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { minAvailable: 1, selector },
  });
  const selectorOf = (json: unknown) => (json as { readonly spec: { readonly selector: object } }).spec.selector;
  const marked = (operator: string) => ({
    matchExpressions: [{ key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator }],
  });

  it('an empty selector of a budget selects nothing', async () => {
    const { ask } = setup();
    await ask('POST', budgets('v1beta1'), budget('none', 'v1beta1', {}));
    await ask('POST', budgets('v1'), budget('all', 'v1', {}));
    expect(selectorOf((await ask('GET', `${budgets('v1beta1')}/none`)).json)).toEqual({});
    expect(selectorOf((await ask('GET', `${budgets('v1')}/none`)).json)).toEqual(marked('Exists'));
    expect(selectorOf((await ask('GET', `${budgets('v1beta1')}/all`)).json)).toEqual(marked('DoesNotExist'));
    await ask('PUT', `${budgets('v1beta1')}/all`, budget('all', 'v1beta1', marked('DoesNotExist')));
    expect(selectorOf((await ask('GET', `${budgets('v1')}/all`)).json)).toEqual({});
  });

  const slices = (version: string) => `/apis/discovery.k8s.io/${version}/namespaces/default/endpointslices`;
  const slice = (version: string, endpoint: object) => ({
    apiVersion: `discovery.k8s.io/${version}`,
    kind: 'EndpointSlice',
    metadata: { name: 's' },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], ...endpoint }],
  });
  const endpointOf = (json: unknown) => {
    const { addresses: _, conditions: __, ...rest } = (json as { readonly endpoints: readonly [Fields] }).endpoints[0];
    return rest;
  };
  const ZONE = 'topology.kubernetes.io/zone';
  const HOST = 'kubernetes.io/hostname';
  const cases: readonly (readonly [sent: object, kept: object, shown: object])[] = [
    [{ topology: { [ZONE]: 'a', [HOST]: 'n' } }, { nodeName: 'n', zone: 'a' }, { nodeName: 'n', topology: { [ZONE]: 'a', [HOST]: 'n' } }],
    [
      { topology: { [HOST]: 'm', [ZONE]: 'b' }, nodeName: 'm' },
      { nodeName: 'm', zone: 'b' },
      { nodeName: 'm', topology: { [HOST]: 'm', [ZONE]: 'b' } },
    ],
    [{ nodeName: 'm' }, { nodeName: 'm' }, { nodeName: 'm', topology: { [HOST]: 'm' } }],
    [{}, {}, {}],
  ];
  it.each(cases)('an endpoint with %j', async (sent, kept, shown) => {
    const { ask } = setup();
    await ask('POST', slices('v1beta1'), slice('v1beta1', sent));
    expect(endpointOf((await ask('GET', `${slices('v1')}/s`)).json)).toEqual(kept);
    expect(endpointOf((await ask('GET', `${slices('v1beta1')}/s`)).json)).toEqual(shown);
  });

  it('events of both groups', async () => {
    const { ask } = setup();
    const regarding = { kind: 'Pod', namespace: 'default', name: 'p' };
    await ask('POST', '/api/v1/namespaces/default/events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: regarding,
      message: 'hello',
      reason: 'Why',
      type: 'Normal',
      source: { component: 'me' },
      count: 2,
      firstTimestamp: '2024-03-01T00:00:00Z',
      lastTimestamp: '2024-03-01T00:00:00Z',
    });
    const own = '/apis/events.k8s.io/v1/namespaces/default/events';
    const { json, warnings } = await ask('GET', `${own}/e`);
    expect([warnings, json]).toEqual([
      [],
      expect.objectContaining({
        kind: 'Event',
        apiVersion: 'events.k8s.io/v1',
        regarding,
        note: 'hello',
        reason: 'Why',
        deprecatedSource: { component: 'me' },
        deprecatedCount: 2,
        deprecatedFirstTimestamp: '2024-03-01T00:00:00Z',
      }),
    ]);
    for (const name of ['involvedObject', 'message', 'source', 'count', 'reportingComponent', 'reportingInstance', 'reportingController'])
      expect(json).not.toHaveProperty(name);
    const made = await ask('POST', own, {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'f' },
      eventTime: '2024-03-01T00:00:00.000000Z',
      regarding,
      note: 'there',
      reason: 'Why',
      type: 'Normal',
      action: 'Go',
      reportingController: 'me',
      reportingInstance: 'one',
    });
    expect([made.status, made.json]).toEqual([201, expect.objectContaining({ note: 'there', reportingController: 'me' })]);
    expect((await ask('GET', '/api/v1/namespaces/default/events/f')).json).toMatchObject({
      apiVersion: 'v1',
      message: 'there',
      involvedObject: regarding,
      reportingComponent: 'me',
    });
    expect((await ask('GET', '/apis/events.k8s.io/v1beta1/events')).json).toMatchObject({
      kind: 'EventList',
      apiVersion: 'events.k8s.io/v1beta1',
      items: [{ note: 'hello' }, { note: 'there' }],
    });
  });

  it('events of their own group have their time, and no fields of the old form', async () => {
    const { ask } = setup();
    const at = (version: string) => `/apis/events.k8s.io/${version}/namespaces/default/events`;
    const causes = async (version: string, body: object) =>
      (
        (await ask('POST', at(version), { metadata: { name: 'e' }, regarding: { namespace: 'default' }, ...body })).json as {
          readonly details?: { readonly causes: readonly { readonly field: string; readonly message: string }[] };
        }
      ).details?.causes.map(({ field, message }) => `${field}: ${message}`);
    const old = { deprecatedSource: { host: 'h' }, deprecatedFirstTimestamp: '2024-03-01T00:00:00Z', deprecatedCount: 3 };
    expect(await causes('v1', { series: { count: 1 }, ...old })).toEqual([
      'series.count: Invalid value: "": should be at least 2',
      'series.lastObservedTime: Required value',
      'eventTime: Required value',
      'type: Invalid value: "": has invalid value: ',
      'firstTimestamp: Invalid value: "": needs to be unset',
      'count: Invalid value: "": needs to be unset',
      'source: Invalid value: "": needs to be unset',
    ]);
    const good = {
      eventTime: '2024-03-01T00:00:00.000000Z',
      reportingController: 'me',
      reportingInstance: 'one',
      action: 'Go',
      reason: 'Why',
      type: 'Normal',
    };
    expect(await causes('v1', { ...good, reportingController: '', note: 'x'.repeat(1025), action: 'x'.repeat(129) })).toEqual([
      'reportingController: Required value',
      expect.stringMatching(/^reportingController: Invalid value: ""/),
      expect.stringMatching(/^reportingController: Invalid value: ""/),
      'action: Invalid value: "": can have at most 128 characters',
      'message: Invalid value: "": can have at most 1024 characters',
    ]);
    expect(await causes('v1beta1', old)).toBeUndefined();
    expect(await causes('v1', { ...good, metadata: { name: 'new' } })).toBeUndefined();
    const type = { 'content-type': 'application/merge-patch+json' };
    const series = { count: 2, lastObservedTime: '2024-03-01T00:00:01.000000Z' };
    expect((await ask('PATCH', `${at('v1')}/new`, { series }, type)).status).toBe(200);
    expect((await ask('PATCH', `${at('v1')}/new`, { note: 'other', regarding: { name: 'p' } }, type)).json).toMatchObject({
      details: {
        causes: [
          {
            field: 'involvedObject',
            message: expect.stringMatching(/^Invalid value: core\.ObjectReference\{.*Name:"p".*\}: field is immutable$/),
          },
          { field: 'message', message: 'Invalid value: "other": field is immutable' },
        ],
      },
    });
    expect((await ask('PATCH', '/api/v1/namespaces/default/events/new', { message: 'other' }, type)).status).toBe(200);
  });

  it('versions of stub resources are empty, and warn', async () => {
    const { ask } = setup();
    expect(await ask('GET', '/apis/autoscaling/v2beta2/horizontalpodautoscalers')).toMatchObject({
      status: 200,
      warnings: [
        '299 - "autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated in v1.23+, unavailable in v1.26+; use autoscaling/v2 HorizontalPodAutoscaler"',
      ],
      json: { items: [] },
    });
    expect(await ask('GET', '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas')).toMatchObject({ status: 200, warnings: [] });
    expect((await ask('GET', '/apis/policy/v1beta1/podsecuritypolicies')).json).toMatchObject({ apiVersion: 'policy/v1beta1', items: [] });
  });
});
