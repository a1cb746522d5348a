import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RawNumber, type Schema } from '../../../src/schema/shape/index.ts';
import { schemaOfKind } from './facts.ts';
import { applyMergePatch, applyStrategicPatch, deepFreeze } from './support.ts';

const pod = schemaOfKind('Pod');
/** An integer that a JavaScript number cannot hold. */
const long = new RawNumber('9007199254740993');
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
  it('add to an empty set, and nothing to one', () => {
    const doc = { metadata: { finalizers: [] } };
    expect(applyStrategicPatch(pod, doc, { metadata: { finalizers: ['a/1', 'a/1'] } }).ok).toEqual({ metadata: { finalizers: ['a/1'] } });
    expect(applyStrategicPatch(pod, doc, { metadata: { finalizers: [] } }).ok).toBe(doc);
    expect(patched({ metadata: { finalizers: [] } })).toBe(live);
  });
  it('order what only the patch has, or neither has', () => {
    const ordered = (order: readonly string[], more: object) =>
      applyStrategicPatch(pod, { metadata: {} }, { metadata: { '$setElementOrder/finalizers': order, ...more } }).ok;
    expect(ordered(['b', 'a'], { finalizers: ['b', 'a'] })).toEqual({ metadata: { finalizers: ['b', 'a'] } });
    expect(ordered(['a'], {})).toEqual({ metadata: {} });
  });
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

describe('values', () => {
  const numbers: Schema = {
    type: 'object',
    go: 'Numbers',
    fields: {
      ratio: { type: 'float64' },
      open: { type: 'any' },
      counts: { type: 'map', values: { type: 'int32' } },
      list: { type: 'list', patchStrategy: 'retainKeys', items: { type: 'string' } },
    },
  };

  it('makes numbers plain that keep their text, except for long integers', () => {
    const patch = {
      ratio: new RawNumber('1.50'),
      open: { a: [1, new RawNumber('2.0'), long], b: long },
      counts: { a: new RawNumber('1e1') },
    };
    const { ok } = applyStrategicPatch(numbers, {}, deepFreeze(patch));
    expect(ok).toEqual({ ratio: 1.5, open: { a: [1, 2, long], b: long }, counts: { a: 10 } });
    expect(applyStrategicPatch(numbers, ok, { ratio: patch.ratio, counts: patch.counts }).ok).toBe(ok);
  });

  it('replaces a list of another strategy', () =>
    expect(applyStrategicPatch(numbers, { list: ['a', 'b'] }, { list: ['c'] }).ok).toEqual({ list: ['c'] }));
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
