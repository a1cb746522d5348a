/** Patch requests: what their documents may be, in which words they are refused, and their limits. */
import { describe, expect, it } from 'vitest';
import { customKind } from '../../../src/apiserver/custom/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { checkValues } from '../../../src/apiserver/handlers/patch-verb.ts';
import { body, create } from './made.ts';
import { answer, type PatchType } from './patched.ts';
import { setup } from './setup.ts';

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

  it('is refused in linear time', () => {
    const long = 'x'.repeat(300_000);
    expect(patched('merge', { apiVersion: long })).toBe(differs('Widget', `apiVersion: Invalid value: "${long}": must be example.com/v1`));
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
