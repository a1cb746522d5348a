/** Patch requests: what their documents may be, in which words they are refused, and their limits. */
import { describe, expect, it } from 'vitest';
import { customKind } from '../../../src/apiserver/custom/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { type ApiRequest, envelopeOf } from '../../../src/apiserver/request/index.ts';
import { checkValues } from '../../../src/apiserver/handlers/patch-verb.ts';
import { body, create } from './made.ts';
import { setup, type Setup } from './setup.ts';

const text = { type: 'string' };
const widgets = () => {
  const properties = {
    spec: { type: 'object', properties: { size: text, b: text } },
    status: { type: 'object', properties: { said: text } },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  const made = customKind({
    kind: 'CustomResourceDefinition',
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [{ name: 'v1', storage: true, subresources: { status: {} }, schema }],
    },
  });
  if ('problems' in made) throw new Error(JSON.stringify(made.problems));
  const world = setup('k8s.io', {}, { kinds: kindsFor(namesFor('k8s.io'), [made.kind]) });
  create(world, body('Widget', 'w', { spec: { size: 's', b: 'b' }, zz: 1 }, {}, 'example.com/v1'));
  return world;
};

type Patch = Partial<Extract<ApiRequest, { verb: 'patch' }>> & Pick<Extract<ApiRequest, { verb: 'patch' }>, 'kind' | 'name'>;
type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Where a refusal quotes the patched document, only its keys are of interest. */
const shortened = (message: string): string =>
  message
    .replace(UID, 'UID')
    .replace(/^ "" is invalid: patch: Invalid value: ("\{(?:[^"\\]|\\.)*"): (.*)$/s, (_, quoted: string, why: string) => {
      const document = JSON.parse(JSON.parse(quoted) as string) as object;
      return `document of ${Object.keys(document).join(' ')}: ${why.replace(/(?<= is missing in ').*(?='$)/s, '…')}`;
    });

/** Returns the code and message of a refusal, or what became of the object. */
const answer = ({ server }: Setup, patch: Patch): unknown => {
  const response = server.handle(envelopeOf('client', { verb: 'patch', namespace: 'default', ...patch } as ApiRequest));
  if (!response.ok) return `${response.code} ${shortened(response.status.message ?? '')}`;
  if (!('object' in response)) return response;
  const { metadata: _, ...members } = response.object;
  return members;
};

const WIDGET = { kind: 'Widget', apiVersion: 'example.com/v1', spec: { b: 'b', size: 's' } };
const MISSING = "422 document of apiVersion kind metadata spec: Object 'Kind' is missing in '…'";
const differs = (kind: string, why: string): string => `422 ${kind} "w" is invalid: ${why}`;

describe('a patch that changes what a custom resource is', () => {
  const world = widgets();
  const patched = (patchType: PatchType, patch: unknown, subresource?: 'status') =>
    answer(world, { kind: 'Widget', name: 'w', patchType, body: patch, ...(subresource === undefined ? {} : { subresource }) });
  const unread = (why: string) => `couldn't get version/kind; json parse error: json: cannot unmarshal ${why}`;

  it.each<readonly [PatchType, unknown, string]>([
    ['merge', { kind: '' }, MISSING],
    ['merge', { kind: null }, MISSING.replace(' kind', '')],
    ['merge', { kind: 5 }, `422 document of apiVersion kind metadata spec: ${unread('number into Go struct field .kind of type string')}`],
    ['json', [{ op: 'remove', path: '/kind' }], MISSING.replace(' kind', '')],
    [
      'json',
      [{ op: 'replace', path: '', value: [] }],
      `422  "" is invalid: patch: Invalid value: "[]": ${unread('array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }')}`,
    ],
  ])('into nothing is refused, also of its status: %s %j', (patchType, patch, why) => {
    expect(patched(patchType, patch)).toBe(why);
    expect(patched(patchType, patch, 'status')).toBe(why);
  });

  it.each<readonly [PatchType, unknown, string]>([
    ['merge', { kind: 'Gadget' }, differs('Gadget.example.com', 'kind: Invalid value: "Gadget": must be Widget')],
    [
      'merge',
      { apiVersion: 'example.com/v2' },
      differs('Widget.example.com', 'apiVersion: Invalid value: "example.com/v2": must be example.com/v1'),
    ],
    ['merge', { apiVersion: 'a/b/c' }, differs('Widget.a/b', 'apiVersion: Invalid value: "a/b/c": must be example.com/v1')],
    ['merge', { apiVersion: null }, differs('Widget', 'apiVersion: Invalid value: "": must be example.com/v1')],
    [
      'merge',
      { apiVersion: 'v1', kind: 'Gadget' },
      differs('Gadget', '[kind: Invalid value: "Gadget": must be Widget, apiVersion: Invalid value: "v1": must be example.com/v1]'),
    ],
    [
      'json',
      [{ op: 'replace', path: '/kind', value: 'Gadget' }],
      differs('Gadget.example.com', 'kind: Invalid value: "Gadget": must be Widget'),
    ],
  ])('into something else is refused, but of its status, which has no kind: %s %j', (patchType, patch, why) => {
    expect(patched(patchType, patch)).toBe(why);
    expect(patched(patchType, patch, 'status')).toEqual(WIDGET);
  });

  it('or does not say what it is, is written', () => {
    const world = widgets();
    const sized = (patchType: PatchType, patch: unknown) => answer(world, { kind: 'Widget', name: 'w', patchType, body: patch });
    expect(sized('merge', { spec: { size: 'm' } })).toEqual({ ...WIDGET, spec: { b: 'b', size: 'm' } });
    expect(sized('merge', { kind: 'Widget', apiVersion: 'example.com/v1', spec: { size: 'l' } })).toEqual({
      ...WIDGET,
      spec: { b: 'b', size: 'l' },
    });
    expect(sized('merge', { unknown: 1, spec: { size: 'x' } })).toEqual({ ...WIDGET, spec: { b: 'b', size: 'x' } });
    expect(sized('merge', { unknown: 1, spec: { size: 'l' } })).toEqual({ ...WIDGET, spec: { b: 'b', size: 'l' } });
    const said = { apiVersion: 'example.com/v1', kind: 'Widget', status: { said: 'a' } };
    expect(answer(world, { kind: 'Widget', name: 'w', patchType: 'apply', fieldManager: 'm', body: said, subresource: 'status' })).toEqual({
      ...WIDGET,
      spec: { b: 'b', size: 'l' },
      status: { said: 'a' },
    });
    expect(
      answer(world, { kind: 'Widget', name: 'w', patchType: 'merge', body: { unknown: 1, status: { said: null } }, subresource: 'status' }),
    ).toEqual({
      ...WIDGET,
      spec: { b: 'b', size: 'l' },
      status: {},
    });
    expect(sized('json', [{ op: 'remove', path: '/spec/b' }])).toEqual({ ...WIDGET, spec: { size: 'l' }, status: {} });
    expect(sized('strategic', { kind: 'Gadget', apiVersion: 'v2', metadata: { labels: { a: 'b' } } })).toEqual({
      ...WIDGET,
      spec: { size: 'l' },
      status: {},
    });
  });

  it('is read as the stored kind where it is strategic', () => {
    for (const patch of [{ kind: 'Gadget' }, { apiVersion: 'v2' }, { kind: '' }]) expect(patched('strategic', patch)).toEqual(WIDGET);
  });
});

describe('a patch of an object', () => {
  const world = setup();
  create(world, { ...body('ConfigMap', 'c', { data: { b: '1', a: '2' } }) });
  const DATA = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '2', b: '1' } };

  it.each<readonly [PatchType, unknown, unknown]>([
    ['strategic', { kind: 'Gadget', apiVersion: 'v2' }, DATA],
    ['strategic', { kind: 5 }, '422  "" is invalid: patch: Invalid value: "map[kind:5]": cannot convert int64 to string'],
    ['strategic', { data: 5 }, '422  "" is invalid: patch: Invalid value: "map[data:5]": cannot restore map from int64'],
    [
      'strategic',
      { metadata: { creationTimestamp: 'x' } },
      '422 document of kind apiVersion metadata data: parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    ['merge', { kind: '', apiVersion: null }, DATA],
    [
      'merge',
      { data: { q: 5 } },
      '422 document of apiVersion data kind metadata: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'json',
      [{ op: 'add', path: '/data/q', value: 5 }],
      '422 document of apiVersion data kind metadata: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    ['merge', { metadata: { name: 'other' } }, '400 the name of the object (other) does not match the name on the URL (c)'],
    ['merge', { metadata: { name: null } }, '400 the name of the object (c based on URL) was undeterminable: name must be provided'],
    [
      'merge',
      { metadata: { namespace: 'other' } },
      '400 the namespace of the provided object does not match the namespace sent on the request',
    ],
  ])('%s %j', (patchType, patch, expected) => {
    expect(answer(world, { kind: 'ConfigMap', name: 'c', patchType, body: patch })).toEqual(expected);
  });

  it('may have no unknown fields where the client is strict', () => {
    const strict = setup('k8s.io', { ServerSideFieldValidation: true });
    create(strict, body('ConfigMap', 'c', { data: { b: '1', a: '2' } }));
    const patch = { metadata: { labels: { l: 'm' } }, other: 1 };
    const refused = (patchType: PatchType) =>
      answer(strict, { kind: 'ConfigMap', name: 'c', patchType, body: patch, fieldValidation: 'Strict' });
    expect(refused('merge')).toBe('422 document of apiVersion data kind metadata other: strict decoding error: unknown field "other"');
    expect(refused('strategic')).toBe(
      '422  "" is invalid: patch: Invalid value: "map[metadata:map[labels:map[l:m]] other:1]": strict decoding error: unknown field "other"',
    );
    const response = strict.server.handle(
      envelopeOf('client', {
        verb: 'patch',
        kind: 'ConfigMap',
        namespace: 'default',
        name: 'c',
        patchType: 'merge',
        body: patch,
        fieldValidation: 'Warn',
      }),
    );
    expect(response).toMatchObject({ ok: true, warnings: ['unknown field "other"'], object: { metadata: { labels: { l: 'm' } } } });
  });

  it('that is not there is refused, and so is a sub-resource that is not there', () => {
    const merge = { patchType: 'merge', body: {} } as const;
    const unknown = '404 the server could not find the requested resource';
    expect([
      answer(world, { kind: 'ConfigMap', name: 'none', ...merge }),
      answer(world, { kind: 'ConfigMap', name: 'c', ...merge, subresource: 'status' }),
      answer(world, { kind: 'Pod', name: 'none', ...merge, subresource: 'eviction' }),
      answer(world, { kind: 'Namespace', name: 'default', ...merge, subresource: 'finalize' }),
      answer(world, { kind: 'ReplicaSet', name: 'none', ...merge, subresource: 'scale' }),
      answer(world, { kind: 'ReplicaSet', name: 'none', patchType: 'apply', fieldManager: 'm', body: {}, subresource: 'status' }),
    ]).toEqual([
      '404 configmaps "none" not found',
      unknown,
      unknown,
      unknown,
      ...Array<string>(2).fill('404 replicasets.apps "none" not found'),
    ]);
  });

  it('prints keys in order where a merge patch touches them', () => {
    const refusal = (patchType: PatchType, patch: unknown) =>
      world.refused({ verb: 'patch', kind: 'ConfigMap', namespace: 'default', name: 'c', patchType, body: patch }).message;
    const document = (metadata: string) =>
      JSON.stringify(`{"apiVersion":"v1","data":{"a":"2","b":"1"},"kind":"ConfigMap","metadata":{${metadata}}}`);
    const { uid } = world.store.get('ConfigMap', 'default/c')?.metadata ?? {};
    const rest = `"namespace":"default","uid":"${uid}","resourceVersion":"6","creationTimestamp":"2024-03-01T00:00:00Z"`;
    const why = 'json: cannot unmarshal number into Go struct field ';
    expect(refusal('merge', { immutable: 5 })).toBe(
      ` "" is invalid: patch: Invalid value: ${document(`"name":"c",${rest}`).replace(',\\"kind', ',\\"immutable\\":5,\\"kind')}: ${why}ConfigMap.immutable of type bool`,
    );
    expect(refusal('merge', { metadata: { generateName: 5 } })).toBe(
      ` "" is invalid: patch: Invalid value: ${document(`"creationTimestamp":"2024-03-01T00:00:00Z","generateName":5,"name":"c","namespace":"default","resourceVersion":"6","uid":"${uid}"`)}: ${why}ObjectMeta.metadata.generateName of type string`,
    );
  });
});

describe('an applied configuration', () => {
  const fresh = () => {
    const world = setup();
    create(world, body('ConfigMap', 'c', { data: { a: '1' } }));
    return world;
  };
  const applying = (name: string, members: object, more: object = {}): Patch => ({
    kind: 'ConfigMap',
    name,
    patchType: 'apply',
    fieldManager: 'm',
    body: { apiVersion: 'v1', kind: 'ConfigMap', ...members },
    ...more,
  });
  const NAME = (given: string, name: string) => `400 the name of the object (${given}) does not match the name on the URL (${name})`;
  const NAMESPACE = '400 the namespace of the provided object does not match the namespace sent on the request';
  const C = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } };
  const N = { apiVersion: 'v1', kind: 'ConfigMap' };

  it.each<readonly [object | null, unknown, unknown]>([
    [{ name: 'other' }, NAME('other', 'c'), NAME('other', 'n')],
    [{ name: 'c', namespace: 'x' }, NAMESPACE, NAME('c', 'n')],
    [{ namespace: 'default' }, C, N],
    [{ namespace: '' }, C, N],
    [{ name: 'n', namespace: 'default' }, NAME('n', 'c'), N],
    [{}, C, N],
    [null, C, N],
    [{ name: '' }, C, '422 ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required'],
  ])('with metadata %j', (metadata, stored, made) => {
    expect(answer(fresh(), applying('c', { metadata }))).toEqual(stored);
    const world = fresh();
    expect(answer(world, applying('n', { metadata }))).toEqual(made);
    const created = world.store.get('ConfigMap', 'default/n');
    expect(created?.metadata).toEqual(typeof made === 'string' ? undefined : expect.objectContaining({ name: 'n', namespace: 'default' }));
  });

  it('may be of the whole cluster', () => {
    const world = setup();
    const namespace = {
      kind: 'Namespace',
      name: 'n',
      patchType: 'apply',
      fieldManager: 'm',
      body: { apiVersion: 'v1', kind: 'Namespace' },
    } as const;
    expect(answer(world, namespace)).toMatchObject({ kind: 'Namespace', status: { phase: 'Active' } });
    expect(world.store.get('Namespace', 'n')?.metadata).toEqual(expect.not.objectContaining({ namespace: expect.anything() as unknown }));
  });

  it('takes fields of others only by force', () => {
    const world = setup('k8s.io', {}, { trackFields: () => true });
    const data = (a: string) => ({ data: { a } });
    const stored = (a: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', data: { a } });
    expect(answer(world, applying('c', data('1')))).toEqual(stored('1'));
    expect(answer(world, applying('c', data('2'), { fieldManager: 'other' }))).toBe(
      '409 Apply failed with 1 conflict: conflict with "m": .data.a',
    );
    expect(answer(world, applying('c', data('2'), { fieldManager: 'other', force: true }))).toEqual(stored('2'));
  });

  it('that does not decode is shown', () => {
    expect(answer(fresh(), applying('c', { binaryData: { b: '!' } }))).toBe(
      '422 document of kind apiVersion metadata data binaryData: illegal base64 data at input byte 0',
    );
    expect(answer(fresh(), applying('n', { binaryData: { b: '!' } }))).toBe(
      '422 document of apiVersion kind binaryData metadata: illegal base64 data at input byte 0',
    );
  });
});

describe('a patch of a scale', () => {
  const world = setup();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  create(world, body('ReplicaSet', 'r', { spec: { replicas: 2, selector: { matchLabels: { a: 'b' } }, template } }, {}, 'apps/v1'));
  const scaled = (spec: object) => ({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec, status: { replicas: 0, selector: 'a=b' } });
  const fit = (word: string) =>
    `422 document of apiVersion kind metadata spec status: json: cannot unmarshal ${word} into Go struct field ScaleSpec.spec.replicas of type int32`;

  it.each<readonly [PatchType, unknown, unknown]>([
    ['merge', { spec: { replicas: 'x' } }, fit('string')],
    ['json', [{ op: 'replace', path: '/spec/replicas', value: 1.5 }], fit('number')],
    [
      'strategic',
      { spec: { replicas: 'x' } },
      '422  "" is invalid: patch: Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32',
    ],
    [
      'merge',
      { kind: 'X', apiVersion: 'a/v2' },
      '400 X in version "v2" cannot be handled as a Scale: no kind "X" is registered for version "a/v2" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'merge',
      { spec: { replicas: -1 } },
      '422 Scale.autoscaling "r" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    ['merge', { metadata: { name: 'o' } }, '400 the name of the object (o) does not match the name on the URL (r)'],
    [
      'merge',
      { metadata: { uid: 'u' } },
      '409 Operation cannot be fulfilled on replicasets.apps "r": StorageError: invalid object, Code: 4, Key: /registry/replicasets/default/r, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object meta: UID',
    ],
    [
      'merge',
      { metadata: { resourceVersion: '1' } },
      '409 Operation cannot be fulfilled on replicasets.apps "r": the object has been modified; please apply your changes to the latest version and try again',
    ],
    ['merge', { spec: { replicas: 3 } }, scaled({ replicas: 3 })],
    ['strategic', { spec: { replicas: 4 } }, scaled({ replicas: 4 })],
    ['merge', { spec: null, kind: '' }, scaled({})],
  ])('%s %j', (patchType, patch, expected) => {
    expect(answer(world, { kind: 'ReplicaSet', name: 'r', patchType, body: patch, fieldManager: 'm', subresource: 'scale' })).toEqual(
      expected,
    );
  });
});

it('a scale is not applied', () => {
  const world = setup();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  create(world, body('ReplicaSet', 'r', { spec: { selector: { matchLabels: { a: 'b' } }, template } }, {}, 'apps/v1'));
  const at = { kind: 'ReplicaSet', namespace: 'default', name: 'r', subresource: 'scale' } as const;
  expect(world.refused({ verb: 'patch', ...at, patchType: 'apply', fieldManager: 'm', body: {} })).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });
});

it('an object has at most 40,000 values and 6 MiB of text after a patch', () => {
  const lists = (count: number) => ({ a: Array.from({ length: count }, () => null), b: { c: 1 } });
  // The object, two members, one member of a member, and the items.
  expect(() => checkValues(lists(39_996))).not.toThrow();
  expect(() => checkValues(lists(39_997))).toThrow('limit is 40000 values in the object that a patch makes; take something away');
  const texts = (count: number) => ({ key: 'x'.repeat(count), list: ['y'.repeat(count)] });
  const half = 3 * 1024 * 1024;
  expect(() => checkValues({ ...texts(half), list: ['y'.repeat(half - 'key'.length - 'list'.length)] })).not.toThrow();
  expect(() => checkValues({ ...texts(half), list: ['y'.repeat(half - 'key'.length - 'list'.length + 1)] })).toThrow(
    'limit is 6291456 characters in the object that a patch makes',
  );
});

it('the size of an object is limited, although each patch is small', () => {
  const world = setup();
  const map = { kind: 'ConfigMap', namespace: 'default', name: 'c' } as const;
  create(world, body('ConfigMap', 'c'));
  const merge = (data: object) => ({ ...map, verb: 'patch' as const, patchType: 'merge' as const, body: { data } });
  const adding = (letter: string, count: number) =>
    merge(Object.fromEntries(Array.from({ length: count }, (_, n) => [`${letter}${n}`, ''])));
  const before = world.ok(adding('a', 20_000));
  expect(world.refused(adding('b', 20_000))).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
  expect(world.store.get('ConfigMap', 'default/c')).toBe(before);
});
