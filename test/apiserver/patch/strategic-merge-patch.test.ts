import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../src/schema/shape/types.ts';
import { schemaOfKind } from './facts.ts';
import { abyss, applyMergePatch, applyStrategicPatch, deepFreeze } from './support.ts';

const pod = schemaOfKind('Pod');
const live = deepFreeze({
  metadata: { finalizers: ['a/1', 'a/2', 'a/3'], labels: { x: '1' } },
  spec: {
    containers: [
      {
        name: 'c1',
        image: 'i1',
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      },
      { name: 'c2', image: 'i2' },
    ],
    nodeSelector: { n1: '1' },
    volumes: [{ name: 'v', emptyDir: {} }],
    tolerations: [{ key: 'k' }],
  },
});
const { spec, metadata } = live;
const [c1, c2] = spec.containers;

const patched = (patch: unknown): unknown => {
  const { ok, error } = applyStrategicPatch(pod, live, deepFreeze(patch));
  expect(error).toBeUndefined();
  return ok;
};
const inSpec = (change: object): unknown => ({ metadata, spec: { ...spec, ...change } });

describe('lists with a merge key', () => {
  it.each<[string, unknown, unknown]>([
    ['merge the item', [{ name: 'c2', image: 'z' }], [c1, { name: 'c2', image: 'z' }]],
    ['add an item before the others, as upstream orders', [{ name: 'c3', image: 'z' }], [{ name: 'c3', image: 'z' }, c1, c2]],
    ['delete an item', [{ name: 'c1', $patch: 'delete' }], [c2]],
    ['delete a missing item', [{ name: 'zz', $patch: 'delete' }], [c1, c2]],
    ['replace the list', [{ $patch: 'replace' }, { name: 'c9', image: 'q' }], [{ name: 'c9', image: 'q' }]],
    [
      'merge below',
      [{ name: 'c1', env: [{ name: 'B', value: '9' }] }],
      [
        {
          ...c1,
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '9' },
          ],
        },
        c2,
      ],
    ],
    ['null a member', [{ name: 'c1', env: null }], [{ name: 'c1', image: 'i1' }, c2]],
    [
      'take the order of the patch',
      [
        { name: 'c2', image: 'z' },
        { name: 'c1', image: 'y' },
      ],
      [
        { name: 'c2', image: 'z' },
        { ...c1, image: 'y' },
      ],
    ],
  ])('%s', (_, containers, expected) => expect(patched({ spec: { containers } })).toEqual(inSpec({ containers: expected })));

  it('drop nulls of new values', () =>
    expect(patched({ spec: { affinity: { nodeAffinity: null, podAffinity: {} } } })).toEqual(inSpec({ affinity: { podAffinity: {} } })));

  it('put `$setElementOrder` first', () => {
    expect(patched({ spec: { '$setElementOrder/containers': [{ name: 'c2' }, { name: 'c1' }] } })).toEqual(
      inSpec({ containers: [c2, c1] }),
    );
    expect(patched({ spec: { '$setElementOrder/containers': [{ name: 'c2' }, { name: 'zz' }, { name: 'c1' }] } })).toEqual(
      inSpec({ containers: [c2, c1] }),
    );
    expect(
      patched({ spec: { '$setElementOrder/containers': [{ name: 'n' }, { name: 'c1' }], containers: [{ name: 'n', image: 'x' }] } }),
    ).toEqual(inSpec({ containers: [{ name: 'n', image: 'x' }, c1, c2] }));
    expect(patched({ spec: { '$setElementOrder/hostAliases': [{ ip: '1' }] } })).toBe(live);
  });
});

describe('sets, maps and other lists', () => {
  it('merge a set of scalars, the patch first', () =>
    expect(patched({ metadata: { finalizers: ['a/9', 'a/2'] } })).toEqual({
      spec,
      metadata: { ...metadata, finalizers: ['a/9', 'a/1', 'a/2', 'a/3'] },
    }));
  it('delete from a set', () =>
    expect(patched({ metadata: { '$deleteFromPrimitiveList/finalizers': ['a/2', 'zz'] } })).toEqual({
      spec,
      metadata: { ...metadata, finalizers: ['a/1', 'a/3'] },
    }));
  it('delete from a missing set', () =>
    expect(applyStrategicPatch(pod, { metadata: {} }, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }).ok).toEqual({
      metadata: {},
    }));
  it('order a set', () =>
    expect(patched({ metadata: { '$setElementOrder/finalizers': ['a/3', 'a/1', 'a/2'] } })).toEqual({
      spec,
      metadata: { ...metadata, finalizers: ['a/3', 'a/1', 'a/2'] },
    }));
  it('merge maps', () => expect(patched({ spec: { nodeSelector: { n1: null, n2: '2' } } })).toEqual(inSpec({ nodeSelector: { n2: '2' } })));
  it('replace maps', () =>
    expect(patched({ spec: { nodeSelector: { $patch: 'replace', n9: '9' } } })).toEqual(inSpec({ nodeSelector: { n9: '9' } })));
  it('empty maps', () => expect(patched({ spec: { nodeSelector: { $patch: 'delete' } } })).toEqual(inSpec({ nodeSelector: {} })));
  it('replace lists without a strategy', () =>
    expect(patched({ spec: { tolerations: [{ key: 'z' }] } })).toEqual(inSpec({ tolerations: [{ key: 'z' }] })));
  it('retain keys', () =>
    expect(patched({ spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] } })).toEqual(
      inSpec({ volumes: [{ name: 'v', hostPath: { path: '/x' } }] }),
    ));
  it('empty the document', () => expect(patched({ $patch: 'delete' })).toEqual({}));
});

describe('refusals', () => {
  const noReason = (message: string) => ({ code: 500, message });
  it.each<[string, unknown, object]>([
    [
      'an item without its key',
      { spec: { containers: [{ image: 'z' }] } },
      noReason('map: map[image:z] does not contain declared merge key: name'),
    ],
    [
      'an unknown directive',
      { spec: { containers: [{ name: 'c1', $patch: 'bogus' }] } },
      noReason('unknown patch type: bogus in map: map[$patch:bogus name:c1]'),
    ],
    ['a directive that is not a text', { spec: { $patch: 5 } }, noReason('unknown patch type: %!s(int64=5) in map: map[$patch:5]')],
    [
      'a merge directive in a list',
      { spec: { containers: [{ name: 'c1', $patch: 'merge' }] } },
      noReason('merging lists cannot yet be specified in the patch'),
    ],
    [
      'items of other types',
      { metadata: { finalizers: [{ a: 1 }] } },
      noReason('list element types are not identical: [[a/1 a/2 a/3] [map[a:1]]]'),
    ],
    ['lists of lists', { metadata: { finalizers: [['a']] } }, noReason('list element types are not identical: [[a/1 a/2 a/3] [[a]]]')],
    [
      'an order that does not fit',
      { metadata: { '$setElementOrder/finalizers': ['a/1'], finalizers: ['a/9'] } },
      noReason("The order in patch list:\n[a/9]\n doesn't match $setElementOrder list:\n[a/1]\n"),
    ],
    [
      'an order of an unknown field',
      { spec: { '$setElementOrder/zz': ['a'] } },
      noReason('unable to find api field in struct PodSpec for the json field "zz"'),
    ],
    [
      'an order that is not a list',
      { spec: { '$setElementOrder/containers': 'a' } },
      noReason('expected a []interface {}, but received a string'),
    ],
    [
      'an order without a list',
      { spec: { $setElementOrder: [] } },
      { code: 400, reason: 'BadRequest', message: 'invalid patch format of setElementOrder list' },
    ],
    [
      'a patch beyond the retained keys',
      { spec: { volumes: [{ name: 'v', $retainKeys: ['name'], hostPath: {} }] } },
      { code: 400, reason: 'BadRequest', message: 'invalid patch format of retainKeys' },
    ],
    [
      'retained keys that are not a list',
      { spec: { $retainKeys: 'x' } },
      { code: 400, reason: 'BadRequest', message: 'invalid patch format of retainKeys' },
    ],
    [
      'a deletion without a list',
      { metadata: { $deleteFromPrimitiveList: [] } },
      { code: 400, reason: 'BadRequest', message: 'invalid patch format of primitive list' },
    ],
    [
      'a list',
      [],
      { code: 400, reason: 'BadRequest', message: 'json: cannot unmarshal array into Go value of type map[string]interface {}' },
    ],
  ])('%s', (_, patch, expected) => {
    expect(applyStrategicPatch(pod, live, patch).error).toEqual(expected);
  });

  it.each<[string, unknown, string, string]>([
    ['a map for a list', { spec: { containers: { a: 1 } } }, 'map[spec:map[containers:map[a:1]]]', 'cannot restore slice from map'],
    ['a text for a map', { metadata: { labels: 'x' } }, 'map[metadata:map[labels:x]]', 'cannot restore map from string'],
    ['a number for a struct', { spec: 5 }, 'map[spec:5]', 'cannot restore struct from: int64'],
    ['a number for a text', { spec: { nodeName: 5 } }, 'map[spec:map[nodeName:5]]', 'cannot convert int64 to string'],
    ['a text for a number', { spec: { activeDeadlineSeconds: 'x' } }, 'map[spec:map[activeDeadlineSeconds:x]]', 'unrecognized type: int64'],
    [
      'a fraction for a number',
      { spec: { activeDeadlineSeconds: 1.5 } },
      'map[spec:map[activeDeadlineSeconds:1.5]]',
      'cannot convert float64 to int64',
    ],
    ['a text for a boolean', { spec: { hostPID: 'x' } }, 'map[spec:map[hostPID:x]]', 'unrecognized type: bool'],
  ])('%s', (_, patch, shown, detail) => {
    const message = `Invalid value: ${JSON.stringify(shown)}: ${detail}`;
    expect(applyStrategicPatch(pod, live, patch).error).toEqual({
      code: 422,
      reason: 'Invalid',
      message: ` "" is invalid: patch: ${message}`,
      details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
    });
  });

  it('endless nesting', () => expect(applyStrategicPatch(pod, live, abyss()).error?.code).toBe(400));
});

describe('properties', () => {
  const leaf: Schema = { type: 'any' };
  const schema: Schema = {
    type: 'object',
    go: 'Top',
    fields: {
      spec: {
        type: 'object',
        go: 'Spec',
        fields: { a: leaf, b: leaf, deep: { type: 'object', go: 'Deep', fields: { a: leaf, b: leaf } } },
      },
    },
  };
  const scalar = fc.oneof(fc.integer(), fc.string(), fc.boolean());
  const flat = fc.dictionary(fc.constantFrom('a', 'b', 'zz', 'constructor', 'toString'), fc.oneof(scalar, fc.constant(null)));
  const documents = fc.record({ spec: fc.tuple(flat, flat).map(([top, deep]) => ({ ...top, deep })) });
  const withoutNull = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (_, item: unknown) => (item === null ? undefined : item)));

  it('equals a merge patch where no list merges', () => {
    fc.assert(
      fc.property(documents, documents, (before, patch) => {
        const doc = deepFreeze(withoutNull(before));
        expect(applyStrategicPatch(schema, doc, deepFreeze(patch))).toEqual(applyMergePatch(doc, patch));
      }),
    );
  });

  it('returns the same document for a no-op', () => {
    fc.assert(
      fc.property(documents, (before) => {
        const doc = withoutNull(before);
        expect(applyStrategicPatch(schema, doc, structuredClone(doc)).ok).toBe(doc);
      }),
    );
    expect(applyStrategicPatch(pod, live, structuredClone(live)).ok).toBe(live);
  });

  it('treats keys such as __proto__ as ordinary keys', () => {
    const { ok } = applyStrategicPatch(
      pod,
      { metadata: { labels: {} } },
      JSON.parse('{"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}'),
    );
    expect(JSON.stringify(ok)).toBe('{"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}');
  });
});
