/** Requests for a custom resource in each of its versions: answers, watches and scales are in that version. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { type ApiRequest, envelopeOf } from '../../../src/apiserver/request/index.ts';
import { setup, type Setup } from './setup.ts';
import { widgetDefinition } from './widgets.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const version = (name: string, properties: object, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { all: text, ...properties } },
        status: { type: 'object', properties: { pods: number, labels: text } },
      },
    },
  },
  ...more,
});
const REPLICAS = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.pods' };
const definition = widgetDefinition([
  version('v1', { size: number, now: text }, { subresources: { status: {}, scale: { ...REPLICAS, labelSelectorPath: '.status.labels' } } }),
  version('v1beta1', { size: number, old: text }, { subresources: { status: {}, scale: REPLICAS } }),
]);
const WIDGETS = { kind: 'Widget', namespace: 'default' } as const;
const widget = (of: string, spec: object, metadata: object = {}) =>
  ({ apiVersion: `example.com/${of}`, kind: 'Widget', metadata: { name: 'w', ...metadata }, spec }) as ObjectInput;

function world(options: Parameters<typeof setup>[2] = {}): Setup {
  const made = setup('k8s.io', {}, options);
  made.ok({ verb: 'create', kind: 'CustomResourceDefinition', body: definition });
  return made;
}
/** The version and the spec of an object. */
const seen = (object: ApiObject): readonly unknown[] => [object.apiVersion, object['spec']];
const OLD = ['example.com/v1beta1', { all: 'a' }];
const NOW = ['example.com/v1', { all: 'a', now: 'n' }];

describe('a custom resource of two versions', () => {
  it('is answered in the version of the request, or of the body where the request says none', () => {
    const { ok } = world();
    const at = { ...WIDGETS, name: 'w' } as const;
    expect(seen(ok({ ...WIDGETS, verb: 'create', body: widget('v1beta1', { all: 'a', old: 'o' }) }))).toEqual([
      'example.com/v1beta1',
      { all: 'a' },
    ]);
    expect(seen(ok({ ...at, verb: 'patch', version: 'v1', patchType: 'merge', body: { spec: { now: 'n' } } }))).toEqual(NOW);
    expect(seen(ok({ ...at, verb: 'get' }))).toEqual(NOW);
    expect(seen(ok({ ...at, verb: 'get', version: 'v1' }))).toEqual(NOW);
    expect(seen(ok({ ...at, verb: 'get', version: 'v1beta1' }))).toEqual(OLD);
    const stored = ok({ ...at, verb: 'get' });
    expect(seen(ok({ ...at, verb: 'update', body: widget('v1beta1', { all: 'b' }, stored.metadata) }))).toEqual([
      'example.com/v1beta1',
      { all: 'b' },
    ]);
  });

  it.each<[string, string | undefined]>([
    ['example.com/v2', 'the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)'],
    ['v1beta1', 'the API version in the data (v1beta1) does not match the expected API version (example.com/v1)'],
    [
      'x.example.com/v1beta1',
      'the API version in the data (x.example.com/v1beta1) does not match the expected API version (example.com/v1)',
    ],
    ['example.com/v1', undefined],
  ])('is that which is stored where the body says %s', (apiVersion, message) => {
    const { server } = world();
    const response = server.handle(envelopeOf('client', { ...WIDGETS, verb: 'create', body: { ...widget('v1', {}), apiVersion } }));
    expect(response.ok ? undefined : response.status.message).toBe(message);
  });

  it('is not there in other versions', () => {
    const { refused } = world();
    expect(refused({ ...WIDGETS, verb: 'list', version: 'v2' })).toMatchObject({
      code: 404,
      message: 'the server could not find the requested resource',
    });
    expect(refused({ ...WIDGETS, kind: 'Gadget', verb: 'list', version: 'v1' })).toMatchObject({ code: 404 });
  });

  it('is listed and deleted in the version of the request', () => {
    const { server, ok } = world();
    for (const name of ['a', 'b'])
      ok({ ...WIDGETS, verb: 'create', body: widget('v1', { all: 'a', now: 'n' }, { name, finalizers: ['example.com/f'] }) });
    const listed = (request: ApiRequest) => {
      const response = server.handle(envelopeOf('client', request));
      if (!response.ok || !('list' in response)) throw new Error(JSON.stringify(response));
      const { apiVersion, kind, items } = response.list;
      return [apiVersion, kind, ...items.map(seen)];
    };
    expect(listed({ ...WIDGETS, verb: 'list', version: 'v1beta1' })).toEqual(['example.com/v1beta1', 'WidgetList', OLD, OLD]);
    expect(listed({ ...WIDGETS, verb: 'list' })).toEqual(['example.com/v1', 'WidgetList', NOW, NOW]);
    expect(seen(ok({ ...WIDGETS, verb: 'delete', name: 'a', version: 'v1beta1' }))).toEqual(OLD);
    expect(listed({ ...WIDGETS, verb: 'deletecollection', version: 'v1beta1' })).toEqual(['example.com/v1beta1', 'WidgetList', OLD, OLD]);
  });

  it('is watched in the version of the watch', () => {
    const { server, ok, store } = world();
    const since = String(store.revision);
    const at = { ...WIDGETS, name: 'w' } as const;
    ok({ ...WIDGETS, verb: 'create', body: widget('v1', { all: 'a', now: 'n' }) });
    ok({ ...at, verb: 'patch', patchType: 'merge', body: { spec: { now: 'm' } } });
    server.handle(envelopeOf('client', { ...at, verb: 'delete' }));
    const watched = (version: string): unknown => {
      const started = server.watch({ ...WIDGETS, verb: 'watch', version, resourceVersion: since });
      if (!started.ok) throw new Error(started.status.message);
      const { initial, bookmark } = started.watch;
      return [...initial.map(({ type, object }) => [type, ...seen(object as ApiObject)]), bookmark().object.apiVersion];
    };
    expect(watched('v1beta1')).toEqual([['ADDED', ...OLD], ['MODIFIED', ...OLD], ['DELETED', ...OLD], OLD[0]]);
    const changed = ['example.com/v1', { all: 'a', now: 'm' }];
    expect(watched('v1')).toEqual([['ADDED', ...NOW], ['MODIFIED', ...changed], ['DELETED', ...changed], NOW[0]]);
  });

  it('that a webhook should convert, and does not, is an error in the events of a watch', () => {
    const { server, ok, refused } = world({ webhooks: () => ({ review: {} }) });
    ok({ ...WIDGETS, verb: 'create', body: widget('v1', {}) });
    const conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://convert.example.com' }, conversionReviewVersions: ['v1'] },
    };
    ok({
      verb: 'patch',
      kind: 'CustomResourceDefinition',
      name: 'widgets.example.com',
      patchType: 'merge',
      body: { spec: { conversion } },
    });
    const { message = '' } = refused({ ...WIDGETS, verb: 'get', name: 'w', version: 'v1beta1' });
    expect(message).toContain('conversion webhook for example.com/v1, Kind=Widget failed');
    const started = server.watch({ ...WIDGETS, verb: 'watch', version: 'v1beta1' });
    expect(started).toMatchObject({ ok: true, watch: { initial: [{ type: 'ERROR', object: { code: 500, message } }] } });
  });
});

describe('a body', () => {
  const W = { apiVersion: 'example.com/v1', kind: 'Widget' };
  const of = 'Widget in version "v1" cannot be handled as a Widget: ';
  const number = (where: string): string => `${of}json: cannot unmarshal number into Go ${where}`;
  const mapping = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  it.each<[unknown, number, string]>([
    [{ ...W, metadata: { name: 'w', labels: { a: 5 } } }, 400, number('struct field ObjectMeta.labels of type string')],
    [{ ...W, metadata: { name: 5 } }, 400, number('struct field ObjectMeta.name of type string')],
    [
      { ...W, metadata: { ownerReferences: [{ uid: 5 }] } },
      400,
      number('struct field OwnerReference.ownerReferences.uid of type types.UID'),
    ],
    [{ ...W, metadata: 5 }, 400, number('value of type v1.ObjectMeta')],
    [{ ...W, kind: 'Other' }, 422, 'Other.example.com "" is invalid: kind: Invalid value: "Other": must be Widget'],
    [
      { ...W, kind: 'Other', metadata: { name: 'n' } },
      422,
      'Other.example.com "n" is invalid: kind: Invalid value: "Other": must be Widget',
    ],
    [{ apiVersion: W.apiVersion }, 400, `${of}Object 'Kind' is missing in '{"apiVersion":"example.com/v1"}'`],
    [{ kind: 'Widget' }, 400, 'the API version in the data () does not match the expected API version (example.com/v1)'],
    [{ ...W, apiVersion: 'a/b/c' }, 400, `${of}unexpected GroupVersion string: a/b/c`],
    [
      5,
      400,
      `the object provided is unrecognized (must be of type Widget): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go value of type ${mapping} (35)`,
    ],
  ])('of a custom resource that is %j is refused', (body, code, message) => {
    expect(world().refused({ ...WIDGETS, verb: 'create', body: body as ObjectInput })).toMatchObject({ code, message });
  });

  const NO_POD = 'pods "" not found';
  it.each<[Partial<ApiRequest>, number, string]>([
    [{ verb: 'create', subresource: 'binding', body: undefined as never }, 404, NO_POD],
    [{ verb: 'create', subresource: 'binding', body: {} as never }, 404, NO_POD],
    [{ verb: 'create', subresource: 'eviction', body: { metadata: { name: 'x' } } as never }, 404, 'pods "x" not found'],
    [
      { verb: 'update', name: 'p', subresource: 'binding', body: {} as never },
      405,
      'the server does not allow this method on the requested resource',
    ],
    [{ verb: 'create', name: 'p', subresource: 'log', body: {} as never }, 404, 'the server could not find the requested resource'],
    [{ verb: 'create', name: 'p', subresource: 'scale', body: {} as never }, 404, 'the server could not find the requested resource'],
    [
      { verb: 'update', name: 'p', body: undefined as never },
      400,
      "the object provided is unrecognized (must be of type Pod): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ],
  ])('of %j is judged after what it is sent to', (request, code, message) => {
    expect(setup().refused({ kind: 'Pod', namespace: 'default', ...request } as ApiRequest)).toMatchObject({ code, message });
  });
});

describe('the scale of a custom resource', () => {
  const at = { ...WIDGETS, name: 'w', subresource: 'scale' } as const;
  const made = (spec: object, status?: object): Setup => {
    const one = world();
    const { metadata } = one.ok({ ...WIDGETS, verb: 'create', body: widget('v1', spec) });
    if (status !== undefined) one.ok({ ...at, subresource: 'status', verb: 'update', body: { ...widget('v1', spec, metadata), status } });
    return one;
  };
  const shown = ({ ok }: Setup, of: string): readonly unknown[] => {
    const { apiVersion, kind, spec, status } = ok({ ...at, verb: 'get', version: of }) as ApiObject & {
      readonly spec: object;
      readonly status: object;
    };
    return [apiVersion, kind, spec, status];
  };

  it('has the numbers at the paths of the version, and its selector where the version has a path of it', () => {
    const one = made({ size: 3 }, { pods: 2, labels: 'a=b' });
    expect(shown(one, 'v1')).toEqual(['autoscaling/v1', 'Scale', { replicas: 3 }, { replicas: 2, selector: 'a=b' }]);
    expect(shown(one, 'v1beta1')).toEqual(['autoscaling/v1', 'Scale', { replicas: 3 }, { replicas: 2 }]);
    const unselected = { replicas: 0 };
    expect(shown(made({ size: 0 }, { labels: '' }), 'v1')).toEqual(['autoscaling/v1', 'Scale', {}, unselected]);
  });

  it('is not there where the resource has no number', () => {
    const { refused } = made({ all: 'a' });
    expect(refused({ ...at, verb: 'get' })).toMatchObject({
      code: 500,
      message: 'the spec replicas field ".spec.size" does not exist',
    });
  });

  it('is written to the path, also where nothing was', () => {
    const { ok, store } = made({ all: 'a' });
    const scaled = ok({
      ...at,
      verb: 'update',
      body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'w' }, spec: { replicas: 7 } },
    });
    expect(scaled).toMatchObject({ kind: 'Scale', spec: { replicas: 7 }, status: { replicas: 0 } });
    expect(store.get('Widget', 'default/w')).toMatchObject({ spec: { all: 'a', size: 7 }, metadata: { generation: 2 } });
  });
});
