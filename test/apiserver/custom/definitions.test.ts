/** Definitions of custom resources as objects: what is valid of them, their names, versions of worlds, and everything that follows them. */
import { describe, expect, it } from 'vitest';
import { setup as httpSetup } from '../../surfaces/http/setup.ts';
import { setup } from '../handlers/setup.ts';

interface Spec {
  readonly schema?: object;
  readonly version?: object;
  readonly names?: object;
  readonly spec?: object;
}
const definition = (
  kind = 'Widget',
  { schema = { type: 'object' }, version = {}, names = {}, spec = {} }: Spec = {},
  group = 'example.com',
) => {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, ...names },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
      ...spec,
    },
  } as never;
};
const world = () => {
  const made = setup('k8s.io', { ServerSideFieldValidation: true });
  const define = (body: never) => made.ok({ verb: 'create', kind: 'CustomResourceDefinition', body });
  const errors = (body: never): readonly string[] =>
    (made.refused({ verb: 'create', kind: 'CustomResourceDefinition', body }).details?.causes ?? []).map(
      ({ field, message }) => `${field ?? ''}: ${message ?? ''}`,
    );
  return { ...made, define, errors };
};
const conditionsOf = (object: object): readonly string[] =>
  (
    object as { readonly status: { readonly conditions: readonly { type: string; status: string; reason: string }[] } }
  ).status.conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);

describe('a definition', () => {
  it('is refused with every problem, in words of upstream', () => {
    const { errors } = world();
    const wrong = definition('Widget', {
      schema: { type: 'object', properties: { a: { type: 'text' }, b: { type: 'array' } } },
      names: { shortNames: ['B_ad'], listKind: 'Widget' },
      spec: { scope: 'Somewhere', preserveUnknownFields: true },
      version: { additionalPrinterColumns: [{ name: '', type: 'text', jsonPath: '$..' }] },
    });
    expect(errors(wrong)).toEqual([
      'spec.scope: Unsupported value: "Somewhere": supported values: "Cluster", "Namespaced"',
      expect.stringContaining('properties[a].type: Unsupported value: "text"'),
      'spec.versions[0].additionalPrinterColumns[0].name: Required value',
      expect.stringContaining('[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string'),
      expect.stringContaining('[0].jsonPath: Invalid value: "$..": is an invalid path'),
      expect.stringContaining('spec.preserveUnknownFields: Invalid value: true: cannot set to true'),
      expect.stringContaining('spec.names.shortNames[0]: Invalid value: "B_ad": a DNS-1035 label'),
      'spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same',
    ]);
    const nameless = { ...(definition('Widget') as object), metadata: { name: 'gadgets.example.com' } } as never;
    expect(errors(nameless)).toEqual(['metadata.name: Invalid value: "gadgets.example.com": must be spec.names.plural+"."+spec.group']);
    expect(errors(definition('Widget', {}, 'a.k8s.io'))[0]).toContain(
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation',
    );
  });

  const structural = (schema: object): readonly string[] => world().errors(definition('Widget', { schema: { type: 'object', ...schema } }));
  it.each<readonly [string, object, string]>([
    ['no type', { properties: { a: {} } }, 'properties[a].type: Required value: must not be empty for specified object fields'],
    ['no items', { properties: { a: { type: 'array' } } }, 'properties[a].items: Required value: must be specified'],
    ['a reference', { properties: { a: { $ref: '#/x' } } }, 'properties[a].$ref: Forbidden: $ref is not supported'],
    ['a type below not', { not: { type: 'string' } }, 'not.type: Forbidden: must be empty to be structural'],
    [
      'what is only said below anyOf',
      { anyOf: [{ required: ['a'], properties: { a: {} } }] },
      'properties[a]: Required value: because it is defined in',
    ],
    [
      'both kinds of members',
      { properties: { a: { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } } } },
      'properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
    ['a bad default', { properties: { a: { type: 'integer', minimum: 3, default: 1 } } }, 'properties[a].default: Invalid value: 1'],
    ['a default that is pruned', { properties: { a: { type: 'object', default: { b: 1 } } } }, 'properties[a].default: Invalid value'],
    [
      'metadata',
      { properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
      'properties[metadata]: Forbidden: must not specify anything other than name and generateName',
    ],
    [
      'keys without a default',
      {
        properties: {
          a: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['n'],
            items: { type: 'object', properties: { n: { type: 'string' } } },
          },
        },
      },
      'properties[n].default: Required value: this property is in x-kubernetes-list-map-keys',
    ],
    [
      'members of other types',
      { properties: { a: { type: 'string', minLength: 'x', required: 1 } } },
      'properties[a].minLength: Invalid value: "x": must be a whole number from 0',
    ],
    [
      'hostile depth',
      { properties: { a: [...Array(70)].reduce<object>((inner) => ({ type: 'object', properties: { a: inner } }), { type: 'string' }) } },
      'must have at most 60 levels',
    ],
  ])('is refused for a schema with %s', (_, schema, text) => {
    expect(structural(schema).join('\n')).toContain(text);
  });

  it.each([7, 'x', true, [1]])('is refused where its schema is %j', (schema) => {
    expect(
      world()
        .errors(definition('Widget', { version: { schema: { openAPIV3Schema: schema } } }))
        .join(),
    ).toContain('must be a schema');
  });

  it('has its names accepted at once, and another of its group waits until they are free', () => {
    const { define, ok, server, store } = world();
    expect(conditionsOf(store.get('CustomResourceDefinition', define(definition()).metadata.name) ?? {})).toEqual([
      'NamesAccepted=True NoConflicts',
      'Established=True InitialNamesAccepted',
    ]);
    define(definition('Gadget', { names: { kind: 'Widget', singular: 'widget' } }));
    expect(conditionsOf(store.get('CustomResourceDefinition', 'gadgets.example.com') ?? {})).toEqual([
      'NamesAccepted=False ListKindConflict',
      'Established=False NotAccepted',
    ]);
    ok({
      verb: 'create',
      kind: 'Widget',
      namespace: 'default',
      body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } },
    });
    ok({ verb: 'delete', kind: 'CustomResourceDefinition', name: 'widgets.example.com' });
    expect(store.size('Widget')).toBe(0);
    expect(conditionsOf(store.get('CustomResourceDefinition', 'gadgets.example.com') ?? {})[1]).toBe(
      'Established=True InitialNamesAccepted',
    );
    void server;
  });

  it('keeps its scope, kind and stored versions once it is established', () => {
    const { define, refused } = world();
    const { resourceVersion = '' } = define(definition()).metadata;
    const change = (spec: object) => {
      const body = {
        ...(definition('Widget', { spec }) as object),
        metadata: { name: 'widgets.example.com', resourceVersion: String(Number(resourceVersion) + 1) },
      };
      return refused({ verb: 'update', kind: 'CustomResourceDefinition', name: 'widgets.example.com', body: body as never }).message;
    };
    expect(change({ scope: 'Cluster' })).toContain('spec.scope: Invalid value: "Cluster": field is immutable');
    expect(change({ versions: [{ name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }] })).toContain(
      'status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions',
    );
  });
});

describe('the kind of a definition', () => {
  it('judges values by alternatives, formats and multiples', () => {
    const { define, ok, refused } = world();
    const schema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          anyOf: [{ required: ['a'] }, { required: ['b'] }],
          not: { required: ['never'] },
          properties: {
            a: { type: 'integer', multipleOf: 5 },
            b: { type: 'string', format: 'date-time' },
            never: { type: 'string' },
            any: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      },
    };
    define(definition('Widget', { schema }));
    const widget = (spec: object) =>
      ({
        verb: 'create',
        kind: 'Widget',
        namespace: 'default',
        body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { generateName: 'w' }, spec },
      }) as const;
    expect(ok(widget({ a: 5, pruned: 1, any: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } } }))['spec']).toEqual({
      a: 5,
      any: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
    });
    expect(refused(widget({})).message).toContain('<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)');
    expect(refused(widget({ a: 6 })).message).toContain('spec.a in body should be a multiple of 5');
    expect(refused(widget({ b: 'now' })).message).toContain('spec.b in body must be of type date-time: "now"');
    expect(refused(widget({ a: 5, never: 'x' })).message).toContain('"spec" must not validate the schema (not)');
  });

  it('is in discovery and in both documents at once, and leaves them', async () => {
    const { ask } = httpSetup();
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const documents = async () =>
      Promise.all(
        ['/apis', '/apis/example.com/v1', '/openapi/v2', '/openapi/v3'].map(async (path) =>
          (await ask('GET', path)).text.includes('example.com/v1'),
        ),
      );
    expect(await documents()).toEqual([false, false, false, false]);
    expect((await ask('POST', crds, definition())).status).toBe(201);
    expect(await documents()).toEqual([true, true, true, true]);
    expect((await ask('GET', '/apis/example.com/v1/widgets')).json).toMatchObject({ kind: 'WidgetList', items: [] });
    await ask('DELETE', `${crds}/widgets.example.com`);
    expect(await documents()).toEqual([false, false, false, false]);
    expect((await ask('GET', '/apis/example.com/v1/widgets')).status).toBe(404);
  });
});
