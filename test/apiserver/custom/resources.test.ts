/**
 * Differences between custom resources and built-in kinds, in process and over HTTP: metadata, status and scale, generation, nulls,
 * pruning, defaults, patches, selectors, columns.
 */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type FieldError, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { customKind } from '../../../src/apiserver/custom/index.ts';
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { setup as httpSetup } from '../../surfaces/http/setup.ts';
import { setup } from '../handlers/setup.ts';

const text = { type: 'string' };
const SPEC = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { ...text, enum: ['small', 'large'] },
    code: { ...text, maxLength: 3 },
    replicas: { type: 'integer', format: 'int32', default: 1 },
    mode: { ...text, default: 'auto' },
    maybe: { ...text, nullable: true, default: 'x' },
    on: { type: 'boolean' },
    port: { 'x-kubernetes-int-or-string': true },
    list: { type: 'array', maxItems: 2, items: { type: 'object', properties: { name: text, kind: { ...text, default: 'a' } } } },
    labels: { type: 'object', additionalProperties: text },
    free: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: { type: 'object', properties: { a: text } } },
    },
    nested: { type: 'object', default: {}, properties: { deep: { type: 'integer', default: 7 } } },
  },
};
const crd = (more: object = {}, version: object = {}) => ({
  kind: 'CustomResourceDefinition',
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [
      {
        name: 'v1',
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.count', labelSelectorPath: '.status.selector' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: SPEC,
              status: {
                type: 'object',
                properties: { count: { type: 'integer' }, selector: text, said: text, items: { type: 'array', items: text } },
              },
            },
          },
        },
        ...version,
      },
    ],
    ...more,
  },
});

const made = (more?: object, version?: object) => {
  const kind = customKind(crd(more, version));
  if ('problems' in kind) throw new Error(JSON.stringify(kind.problems));
  return kindsFor(namesFor('k8s.io'), [kind.kind]);
};
const at = { kind: 'Widget', namespace: 'default', name: 'w' } as const;
const widget = (spec: object = { size: 'small' }, metadata: object = {}, more: object = {}) =>
  ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', ...metadata }, spec, ...more }) as never;
const world = (version?: object, track = false) => {
  const { server: _, ...rest } = setup('k8s.io', {}, { kinds: made({}, version), trackFields: () => track });
  return {
    ...rest,
    create: (body = widget()) => rest.ok({ verb: 'create', kind: 'Widget', namespace: 'default', body }),
    refusedCreate: (body: never) => rest.refused({ verb: 'create', kind: 'Widget', namespace: 'default', body }),
    merge: (patch: object, subresource?: 'status' | 'scale') =>
      rest.ok({
        verb: 'patch',
        ...at,
        patchType: 'merge',
        body: patch,
        ...(subresource === undefined ? {} : { subresource }),
      }),
  };
};

describe('metadata of custom resources', () => {
  it('accepts any qualified name as a finalizer, with or without a prefix', () => {
    const { create, merge, refused, refusedCreate } = world();
    expect(create(widget(undefined, { finalizers: ['widget-cleanup'] })).metadata.finalizers).toEqual(['widget-cleanup']);
    expect(merge({ metadata: { finalizers: ['a', 'b.io/c'] } }).metadata.finalizers).toEqual(['a', 'b.io/c']);
    expect(refusedCreate(widget(undefined, { name: 'x', finalizers: ['a b'] })).message).toContain(
      'metadata.finalizers: Invalid value: "a b"',
    );
    const pod = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', finalizers: ['plain'] } } as never;
    expect(refused({ verb: 'create', kind: 'ConfigMap', namespace: 'default', body: pod }).message).toContain(
      'neither a standard finalizer name',
    );
  });

  it('must have a DNS subdomain as name, and a resourceVersion in every update', () => {
    const { create, refused, refusedCreate } = world();
    expect(refusedCreate(widget(undefined, { name: 'A_b' })).message).toContain(
      'metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain',
    );
    create();
    for (const subresource of [undefined, 'status'] as const)
      expect(refused({ verb: 'update', ...at, body: widget(), ...(subresource === undefined ? {} : { subresource }) }).message).toBe(
        'widgets.example.com "w" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
      );
  });

  it('supports field selectors by name and namespace only', () => {
    const { create, ok, refused } = world();
    create();
    const list = { verb: 'list', kind: 'Widget', namespace: 'default' } as const;
    expect(refused({ ...list, fieldSelector: 'spec.size=small' }).message).toContain('field label not supported: spec.size');
    expect(() => ok({ ...list, fieldSelector: 'metadata.name=w,metadata.namespace=default' })).toThrow('no object in the answer');
    const cluster = setup('k8s.io', {}, { kinds: made({ scope: 'Cluster' }) });
    expect(cluster.refused({ verb: 'list', kind: 'Widget', fieldSelector: 'metadata.namespace=default' }).message).toContain(
      'field label not supported: metadata.namespace',
    );
  });
});

describe('the status of a custom resource', () => {
  it('is the only part that a status update changes: labels, owners and finalizers of the body are neither stored nor validated', () => {
    const { create, ok, merge } = world();
    const first = create(widget(undefined, { labels: { a: 'b' } }));
    const body = {
      ...first,
      metadata: {
        ...first.metadata,
        labels: { 'not a label': '!' },
        annotations: { x: 'y' },
        finalizers: ['a b'],
        ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }],
        generateName: 'g-',
      },
      spec: { size: 'huge' },
      status: { said: 'hello' },
    } as never;
    const { resourceVersion, ...metadata } = first.metadata;
    const stored = ok({ verb: 'update', ...at, subresource: 'status', body });
    expect(stored).toEqual({
      ...first,
      metadata: { ...metadata, resourceVersion: String(Number(resourceVersion) + 1) },
      status: { said: 'hello' },
    });
    expect(merge({ metadata: { labels: { more: 'x' } }, status: { said: 'again' } }, 'status').metadata.labels).toEqual({ a: 'b' });
    expect(merge({ status: null }, 'status')['status']).toBeUndefined();
  });

  it('is kept by an update of the object, and does not change the generation', () => {
    const { create, merge } = world();
    expect(create(widget(undefined, {}, { status: { said: 'early' } }))['status']).toBeUndefined();
    expect(merge({ status: { said: 'now' } }, 'status').metadata.generation).toBe(1);
    expect(merge({ metadata: { labels: { a: 'b' } }, status: { said: 'other' } })).toMatchObject({
      metadata: { generation: 1, labels: { a: 'b' } },
      status: { said: 'now' },
    });
    expect(merge({ spec: { size: 'large' } }).metadata.generation).toBe(2);
  });

  it('is an ordinary field without the status sub-resource: it changes the generation, and its writer owns it', () => {
    const { create, merge, refused } = world({ subresources: {} }, true);
    expect(create(widget(undefined, {}, { status: { said: 'early' } }))).toMatchObject({
      metadata: { generation: 1 },
      status: { said: 'early' },
    });
    const changed = merge({ status: { said: 'late' } });
    expect(changed).toMatchObject({ metadata: { generation: 2 }, status: { said: 'late' } });
    expect(JSON.stringify(changed.metadata.managedFields)).toContain('f:status');
    expect(merge({ metadata: { annotations: { a: 'b' } } }).metadata.generation).toBe(2);
    expect(refused({ verb: 'patch', ...at, subresource: 'status', patchType: 'merge', body: {} }).code).toBe(404);
  });
});

describe('values of custom resources', () => {
  it('have the same bytes on the fast path and on the full path', () => {
    const written = (by: object, steps: readonly object[]): readonly string[] => {
      const { server, ok, store } = setup('k8s.io', {}, { kinds: made() });
      ok({ verb: 'create', kind: 'Widget', namespace: 'default', body: widget() });
      return steps.map((status) => {
        const request = { verb: 'patch', ...at, patchType: 'merge', subresource: 'status', body: { status } } as const;
        expect(server.handle({ ...envelopeOf('client', request), by: { process: 'manager', ...by } } as never)).toMatchObject({ ok: true });
        return JSON.stringify(store.get('Widget', 'default/w'));
      });
    };
    const steps = [
      { said: 'a', count: 1 },
      { selector: 'x', items: [] },
      { items: ['b', 'a'], count: 2 },
      { said: '', count: 0 },
      { said: null },
    ];
    expect(written({ incarnation: 1, controller: 'widgets', key: 'default/w' }, steps)).toEqual(written({}, steps));
  });

  it('keep empty values, lose unknown fields, and get nested defaults', () => {
    const { create } = world();
    const spec = {
      size: 'small',
      code: '',
      on: false,
      list: [{}, { name: 'b', kind: 'c', other: 1 }],
      labels: {},
      port: 0,
      zz: 1,
      free: { other: { b: 1, a: [] }, known: { a: 'a', b: 'b' } },
    };
    expect(JSON.stringify(create(widget(spec))['spec'])).toBe(
      JSON.stringify({
        code: '',
        free: { known: { a: 'a' }, other: { a: [], b: 1 } },
        labels: {},
        list: [{ kind: 'a' }, { kind: 'c', name: 'b' }],
        maybe: 'x',
        mode: 'auto',
        nested: { deep: 7 },
        on: false,
        port: 0,
        replicas: 1,
        size: 'small',
      }),
    );
  });

  it('lose null values; a default replaces them, and a nullable field keeps them', () => {
    const { create, merge } = world();
    const spec = { size: 'small', code: null, mode: null, maybe: null, labels: { a: null, b: 'c' }, nested: null };
    const stored = { labels: { b: 'c' }, maybe: null, mode: 'auto', nested: { deep: 7 }, replicas: 1, size: 'small' };
    expect(create(widget(spec))['spec']).toEqual(stored);
    // Null in a merge patch removes a member; then its default applies again.
    expect(merge({ spec: { mode: 'manual' } })['spec']).toEqual({ ...stored, mode: 'manual' });
    expect(merge({ spec: { mode: null } })['spec']).toEqual(stored);
  });

  it('that do not fit are all reported by field', () => {
    const { refusedCreate, create, refused } = world();
    const wrong = { size: 5, code: 'long one', replicas: 'many', on: 'yes', port: true, list: [1, {}, {}], labels: { a: 1 }, nested: [] };
    const { code, details } = refusedCreate(widget(wrong));
    expect(code).toBe(422);
    expect(details?.causes?.map(({ field, message, reason }) => `${field} ${reason}: ${message}`).sort()).toEqual([
      'spec.code FieldValueTooLong: Too long: may not be longer than 3',
      'spec.labels.a FieldValueTypeInvalid: Invalid value: "integer": spec.labels.a in body must be of type string: "integer"',
      'spec.list FieldValueTooMany: Too many: 3: must have at most 2 items',
      'spec.list[0] FieldValueTypeInvalid: Invalid value: "integer": spec.list[0] in body must be of type object: "integer"',
      'spec.nested FieldValueTypeInvalid: Invalid value: "array": spec.nested in body must be of type object: "array"',
      'spec.on FieldValueTypeInvalid: Invalid value: "string": spec.on in body must be of type boolean: "string"',
      'spec.port FieldValueTypeInvalid: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
      'spec.replicas FieldValueTypeInvalid: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
      'spec.size FieldValueNotSupported: Unsupported value: 5: supported values: "small", "large"',
      'spec.size FieldValueTypeInvalid: Invalid value: "integer": spec.size in body must be of type string: "integer"',
    ]);
    create();
    expect(refused({ verb: 'patch', ...at, patchType: 'merge', body: { spec: 'text' } }).message).toContain(
      'spec in body must be of type object: "string"',
    );
    const status = { verb: 'patch', ...at, patchType: 'merge', subresource: 'status', body: { status: { items: [1] } } } as const;
    expect(refused(status).message).toContain('status.items[0] in body must be of type string: "integer"');
  });

  it.each([
    ['an integer', 5],
    ['a boolean', true],
    ['a list', ['small']],
    ['an object', {}],
  ])('that are %s in place of one of some texts have the wrong type, and are none of the texts', (_, size) => {
    const { details } = world().refusedCreate(widget({ size }));
    expect(details?.causes?.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      'spec.size FieldValueTypeInvalid',
      'spec.size FieldValueNotSupported',
    ]);
  });

  it.each([
    ['spec', 'text'],
    ['spec', []],
    ['spec', [{}]],
    ['spec', 5],
    ['spec', { list: 'x', labels: [], free: 1 }],
  ])('of another type are refused by every verb, with and without managed fields: %s %j', (name, value) => {
    for (const track of [false, true]) {
      const { create, refused, refusedCreate, store } = world({}, track);
      expect(refusedCreate(widget(value as object)).code).toBe(422);
      const stored = create();
      expect(refused({ verb: 'update', ...at, body: { ...stored, [name]: value } }).code).toBe(422);
      expect(refused({ verb: 'patch', ...at, patchType: 'merge', body: { [name]: value } }).code).toBe(422);
      expect(store.get('Widget', 'default/w')).toBe(stored);
    }
  });
});

describe('the scale of a custom resource', () => {
  it('reads and writes where its definition says', () => {
    const { create, merge, ok, refused, refusedCreate } = world();
    create();
    merge({ status: { count: 4, selector: 'a=b' } }, 'status');
    expect(merge({ spec: { replicas: 3 } }, 'scale')).toMatchObject({ spec: { replicas: 3 }, status: { replicas: 4, selector: 'a=b' } });
    expect(ok({ verb: 'get', ...at })).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 3 } });
    const errors = refusedCreate(widget({ size: 'small', replicas: -1 }, { name: 'x' })).details?.causes as readonly Partial<FieldError>[];
    expect(errors).toContainEqual(
      expect.objectContaining({ field: '.spec.replicas', message: 'Invalid value: -1: should be a non-negative integer' }),
    );
    expect(refused({ verb: 'patch', ...at, patchType: 'merge', subresource: 'scale', body: { spec: { replicas: -1 } } }).code).toBe(422);
  });

  it('is an error where the object has no replicas', () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const { create, refused } = world({ schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } } });
    create();
    expect(refused({ verb: 'get', ...at, subresource: 'scale' })).toMatchObject({
      code: 500,
      message: expect.stringContaining('the spec replicas field ".spec.replicas" does not exist') as string,
    });
  });

  it('is refused with a path that does not exist', () => {
    const scale = { specReplicasPath: '.replicas', statusReplicasPath: '.status.list[0]', labelSelectorPath: 'x' };
    const read = customKind(crd({}, { subresources: { scale } }));
    expect('problems' in read && read.problems.map(({ path }) => path.replace(/^.*\./, ''))).toEqual([
      'specReplicasPath',
      'statusReplicasPath',
      'labelSelectorPath',
    ]);
  });
});

describe('custom resources over HTTP', () => {
  const PATH = '/apis/example.com/v1/namespaces/default/widgets';
  const columns = [
    { name: 'Size', type: 'string', jsonPath: '.spec.size' },
    { name: 'Wanted', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
    { name: 'List', type: 'string', jsonPath: '.spec.list' },
    { name: 'Said', type: 'string', jsonPath: '.status.said' },
    { name: 'Wrong', type: 'integer', jsonPath: '.spec.size' },
    { name: 'When', type: 'date', jsonPath: '.spec.mode' },
    { name: 'Maybe', type: 'string', jsonPath: '.spec.maybe' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'How old.' },
  ];
  const served = (version?: object) => httpSetup({}, undefined, made({}, version));

  it('do not accept a strategic merge patch', async () => {
    const { ask } = served();
    expect((await ask('POST', PATH, widget())).status).toBe(201);
    for (const type of ['application/strategic-merge-patch+json', 'text/plain'])
      for (const path of ['/w', '/w/status', '/w/scale'])
        expect((await ask('PATCH', PATH + path, {}, { 'content-type': type })).json).toMatchObject({
          code: 415,
          reason: 'UnsupportedMediaType',
          message:
            'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
        });
    expect((await ask('PATCH', `${PATH}/w`, { spec: { size: 'large' } }, { 'content-type': 'application/merge-patch+json' })).status).toBe(
      200,
    );
  });

  it('must have their kind and version', async () => {
    const { ask } = served();
    expect((await ask('POST', PATH, widget(undefined, {}, { kind: 'Other' }))).json).toMatchObject({
      code: 422,
      message: 'Other.example.com "w" is invalid: kind: Invalid value: "Other": must be Widget',
    });
    expect((await ask('POST', PATH, widget(undefined, {}, { apiVersion: 'example.com/v2' }))).json).toMatchObject({
      code: 400,
      message: 'the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)',
    });
    expect((await ask('PUT', `${PATH}/w`, widget())).status).toBe(404);
  });

  it('say what they are themselves, and are told apart by it', async () => {
    const { ask, store } = served();
    const { kind: _, ...kindless } = widget() as { readonly kind: string };
    expect((await ask('POST', PATH, kindless)).json).toMatchObject({
      code: 400,
      message: `Widget in version "v1" cannot be handled as a Widget: Object 'Kind' is missing in '${JSON.stringify(kindless)}'`,
    });
    expect((await ask('POST', PATH, 'null')).json).toMatchObject({
      code: 400,
      message: expect.stringContaining("'Kind' is missing in 'null'") as string,
    });
    expect((await ask('POST', PATH, widget(undefined, {}, { apiVersion: undefined }))).json).toMatchObject({
      code: 400,
      message: 'the API version in the data () does not match the expected API version (example.com/v1)',
    });
    await ask('POST', PATH, widget());
    const stored = [...store.values('Widget')];
    const merge = async (patch: object, subresource = '') =>
      (await ask('PATCH', `${PATH}/w${subresource}`, patch, { 'content-type': 'application/merge-patch+json' })).json as {
        readonly code?: number;
        readonly message: string;
      };
    expect((await merge({ kind: null })).message).toMatch(
      /^ "" is invalid: patch: Invalid value: .*: Object 'Kind' is missing in '\{"apiVersion"/,
    );
    expect(await merge({ kind: 'Other' })).toMatchObject({
      code: 422,
      message: 'Other.example.com "w" is invalid: kind: Invalid value: "Other": must be Widget',
    });
    expect(await merge({ apiVersion: 'example.com/v9' })).toMatchObject({
      code: 422,
      message: 'Widget.example.com "w" is invalid: apiVersion: Invalid value: "example.com/v9": must be example.com/v1',
    });
    expect((await merge({ apiVersion: null })).message).toBe(
      'Widget "w" is invalid: apiVersion: Invalid value: "": must be example.com/v1',
    );
    expect([...store.values('Widget')]).toEqual(stored);
    // All but the status comes from what is stored.
    expect(await merge({ kind: 'Other', status: { said: 'x' } }, '/status')).toMatchObject({ kind: 'Widget', status: { said: 'x' } });
  });

  it('have metadata that is read by itself', async () => {
    const { ask } = served();
    const why = async (metadata: unknown): Promise<string> =>
      ((await ask('POST', PATH, { ...(widget() as object), metadata })).json as { readonly message: string }).message.replace(
        /^.* as a Widget: /,
        '',
      );
    expect(await why({ name: 'w', labels: { a: 1 } })).toBe(
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    );
    expect(await why({ name: 'w', ownerReferences: [{ uid: 1 }] })).toBe(
      'json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.uid of type types.UID',
    );
    expect(await why('w')).toBe('json: cannot unmarshal string into Go value of type v1.ObjectMeta');
  });

  it('name their type in lists, and their singular in discovery', async () => {
    const { ask } = served();
    await ask('POST', PATH, widget());
    const type = { apiVersion: 'example.com/v1', kind: 'Widget' };
    for (const method of ['GET', 'DELETE'])
      expect((await ask(method, PATH)).json).toMatchObject({ kind: 'WidgetList', metadata: { continue: '' }, items: [type] });
    expect((await ask('GET', '/apis/example.com/v1')).json).toMatchObject({
      resources: [{ name: 'widgets', singularName: 'widget' }, {}, {}],
    });
    const { json } = await ask('GET', PATH, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(json).toMatchObject({ columnDefinitions: [{ name: 'Name' }, { name: 'Age', type: 'date' }], rows: [] });
  });

  it('are not stored in a dry run, and refused before anything is stored', async () => {
    const { ask, store } = served();
    expect((await ask('POST', `${PATH}?dryRun=All`, widget())).status).toBe(201);
    expect((await ask('POST', PATH, widget({ size: 'none' }))).status).toBe(422);
    expect([...store.values('Widget')]).toEqual([]);
    await ask('POST', PATH, widget());
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect((await ask('PATCH', `${PATH}/w/status?dryRun=All`, { status: { said: 'x' } }, merge)).json).toMatchObject({
      status: { said: 'x' },
    });
    expect((await ask('PATCH', `${PATH}/w/scale?dryRun=All`, { spec: { replicas: 5 } }, merge)).json).toMatchObject({
      spec: { replicas: 5 },
    });
    expect([...store.values('Widget')]).toMatchObject([{ spec: { replicas: 1 } }]);
    expect([...store.values('Widget')][0]).not.toHaveProperty('status');
  });

  it('print the columns of their definition, with empty cells for missing or mistyped values', async () => {
    const { ask } = served({ additionalPrinterColumns: columns });
    await ask('POST', PATH, widget({ size: 'small', list: [{ name: 'a' }], maybe: null }));
    const { json } = await ask('GET', PATH, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(json).toMatchObject({
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name' },
        { name: 'Size', type: 'string', description: 'Custom resource definition column (in JSONPath format): .spec.size' },
        { name: 'Wanted', type: 'integer', priority: 1 },
        { name: 'List' },
        { name: 'Said' },
        { name: 'Wrong' },
        { name: 'When', type: 'date' },
        { name: 'Maybe' },
        { name: 'Age', type: 'date', description: 'How old.' },
      ],
      rows: [{ cells: ['w', 'small', 1, '[{"kind":"a","name":"a"}]', null, null, '<invalid>', '<no value>', '0s'] }],
    });
  });

  it('are applied with managed fields, empty values included', async () => {
    const { ask } = served();
    const apply = (manager: string, spec: object, force = '') =>
      ask('PATCH', `${PATH}/w?fieldManager=${manager}${force}`, widget(spec), { 'content-type': 'application/apply-patch+yaml' });
    expect(await apply('one', { size: 'small', labels: {}, list: [] })).toMatchObject({
      status: 201,
      json: { spec: { size: 'small', labels: {}, list: [], mode: 'auto' } },
    });
    expect(await apply('two', { size: 'large' })).toMatchObject({ status: 409 });
    expect(await apply('two', { size: 'large' }, '&force=true')).toMatchObject({
      status: 200,
      json: { spec: { size: 'large', list: [] } },
    });
    expect((await apply('three', { size: 5 })).status).toBe(500);
  });
});

describe('a schema that is open at its root', () => {
  it('keeps the members that it does not have, in writes, patches and applies, and counts their changes', async () => {
    const definition = made(undefined, {
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { spec: { type: 'object' } } },
      },
    });
    const { ask } = httpSetup({}, undefined, definition);
    const given = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      data: { a: [1, { b: null }] },
      extra: 'x',
      spec: { gone: 1 },
    };
    const path = '/apis/example.com/v1/namespaces/default/widgets';
    const first = await ask('POST', `${path}?fieldValidation=Strict`, { ...given, spec: {} });
    expect([first.status, first.json]).toMatchObject([201, { data: { a: [1, { b: null }] }, extra: 'x', spec: {} }]);
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect((await ask('PATCH', `${path}/w`, { data: { c: 2 }, extra: null }, merge)).json).toMatchObject({
      metadata: { generation: 2 },
      data: { a: [1, { b: null }], c: 2 },
    });
    expect((await ask('PATCH', `${path}/w`, { status: { ready: true } }, merge)).json).toMatchObject({ metadata: { generation: 2 } });
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const applied = await ask('PATCH', `${path}/w?fieldManager=me`, { ...given, data: { mine: true }, spec: {} }, apply);
    expect(applied.json).toMatchObject({ data: { c: 2, mine: true }, extra: 'x' });
  });
});
