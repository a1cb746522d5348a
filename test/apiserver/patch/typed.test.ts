/** Values by their schemas: what changed between two of them, and what does not fit. */
import { describe, expect, it } from 'vitest';
import { toFieldsV1 } from '../../../src/apiserver/patch/managers.ts';
import { compare } from '../../../src/apiserver/patch/typed-compare.ts';
import { mergeTyped } from '../../../src/apiserver/patch/typed-fields.ts';
import { misfits } from '../../../src/apiserver/patch/typed-schema.ts';
import { RawNumber, type Schema } from '../../../src/schema/shape/index.ts';
import { schemaOfKind } from './facts.ts';
import { deepFreeze } from './support.ts';

const pod = schemaOfKind('Pod');
const text: Schema = { type: 'string' };
const required = { required: true } as const;
const types: Schema = {
  type: 'object',
  go: 'Types',
  fields: {
    open: { type: 'any' },
    ratio: { type: 'float64' },
    count: { type: 'int32' },
    amount: { type: 'quantity' },
    when: { type: 'time' },
    timeout: { type: 'duration' },
    data: { type: 'map', values: { type: 'bytes' } },
    atomic: { type: 'list', items: text, listType: 'atomic', patchStrategy: 'merge' },
    set: { type: 'list', items: text, patchStrategy: 'replace,merge' },
    keyed: {
      type: 'list',
      listType: 'map',
      listMapKeys: ['port', 'protocol', 'name', 'flag', 'link'],
      items: {
        type: 'object',
        go: 'Keyed',
        fields: {
          port: { type: 'int32', ...required },
          protocol: { type: 'string', default: 'TCP' },
          name: { type: 'string', always: true },
          flag: { type: 'boolean', ...required },
          link: { type: 'string', ...required, pointer: true },
        },
      },
    },
    sub: {
      type: 'list',
      patchStrategy: 'merge',
      patchMergeKey: 'of',
      items: { type: 'object', go: 'Sub', fields: { of: { type: 'any', ...required } } },
    },
  },
};
const omitted = (key: string): string =>
  `associative list with keys has an element that omits key field "${key}" (and doesn't have default value)`;
/** Returns an integer that a JavaScript number cannot hold. */
const long = (last: number): RawNumber => new RawNumber(`900719925474099${last}`);

describe('changes', () => {
  const changes = (before: unknown, after: unknown, schema = pod): object | undefined => {
    const found = compare(schema, before, after);
    return (
      found &&
      Object.fromEntries(
        Object.entries(found)
          .filter(([, set]) => set.size > 0)
          .map(([kind, set]) => [kind, toFieldsV1(set)]),
      )
    );
  };
  it.each<[string, object, object, object]>([
    ['nothing', { spec: { nodeName: 'a' } }, { spec: { nodeName: 'a' } }, {}],
    ['a leaf', { spec: { nodeName: 'a' } }, { spec: { nodeName: 'b' } }, { modified: { 'f:spec': { 'f:nodeName': {} } } }],
    [
      'a new map with its members',
      {},
      { metadata: { labels: { a: '1' } } },
      { added: { 'f:metadata': { '.': {}, 'f:labels': { '.': {}, 'f:a': {} } } } },
    ],
    [
      'a removed map',
      { metadata: { labels: { a: '1' } } },
      { metadata: {} },
      { removed: { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } } },
    ],
    ['an empty map that comes', { metadata: {} }, { metadata: { labels: {} } }, { added: { 'f:metadata': { 'f:labels': {} } } }],
    [
      'items by key, in any order',
      { spec: { containers: [{ name: 'a' }, { name: 'b', image: 'x' }] } },
      { spec: { containers: [{ name: 'b', image: 'y' }, { name: 'c' }] } },
      {
        added: { 'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {} } } } },
        removed: { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } } } },
        modified: { 'f:spec': { 'f:containers': { 'k:{"name":"b"}': { 'f:image': {} } } } },
      },
    ],
    [
      'an atomic list',
      { spec: { tolerations: [{ key: 'a' }] } },
      { spec: { tolerations: [{ key: 'b' }] } },
      { modified: { 'f:spec': { 'f:tolerations': {} } } },
    ],
    [
      'null becomes a list',
      { spec: { containers: null } },
      { spec: { containers: [{ name: 'a' }] } },
      { added: { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } } } } },
    ],
  ])('%s', (_, before, after, expected) => expect(changes(before, after)).toEqual(expected));

  it('are undefined for duplicate items, also of frozen objects', () => {
    const [before, after] = [{ spec: {} }, { spec: { containers: [{ name: 'a' }, { name: 'a' }] } }];
    expect(changes(before, after)).toBeUndefined();
    for (const _ of ['computed', 'not remembered']) expect(changes(deepFreeze(before), deepFreeze(after))).toBeUndefined();
  });

  it('of a frozen struct depend on what it is compared with', () => {
    const after = deepFreeze({ spec: { hostname: 'a', nodeName: 'x' } });
    const image = { 'f:spec': { 'f:nodeName': {} } };
    for (const _ of ['computed', 'remembered']) {
      expect(changes(deepFreeze({ spec: { hostname: 'a' } }), after)).toEqual({ added: image });
      expect(changes(deepFreeze({ spec: { hostname: 'a', nodeName: 'y' } }), after)).toEqual({ modified: image });
    }
  });

  it('leave out managed fields, and metadata that has no other change', () => {
    const metadata = (rest: object) => ({ metadata: { managedFields: [{ manager: 'm' }], ...rest } });
    expect(changes({}, metadata({}))).toEqual({ added: { 'f:metadata': {} } });
    expect(changes({ metadata: {} }, metadata({}))).toEqual({});
    expect(changes({ metadata: {} }, metadata({ name: 'n' }))).toEqual({ added: { 'f:metadata': { 'f:name': {} } } });
    expect(changes(metadata({ name: 'n' }), { metadata: {} })).toEqual({ removed: { 'f:metadata': { 'f:name': {} } } });
    expect(changes(metadata({}), { metadata: { managedFields: [] } })).toEqual({});
  });

  const leaf = { 'f:open': {} };
  const [inside, whole] = [{ 'f:open': { 'f:a': {} } }, { 'f:open': { '.': {}, 'f:a': {} } }];
  it.each<[string, object, object, object]>([
    ['a new map', {}, { open: { a: 1 } }, { added: whole }],
    ['a removed map', { open: { a: 1 } }, {}, { removed: whole }],
    ['a new scalar', {}, { open: 1 }, { added: leaf }],
    ['a removed list', { open: [1] }, {}, { removed: leaf }],
    ['another scalar', { open: 1 }, { open: 2 }, { modified: leaf }],
    ['an equal list', { open: [{ a: 1 }] }, { open: [{ a: 1 }] }, {}],
    [
      'members',
      { open: { a: 1, b: [1], c: 0 } },
      { open: { a: 2, b: [1], d: { e: 1 } } },
      { modified: inside, removed: { 'f:open': { 'f:c': {} } }, added: { 'f:open': { 'f:d': { '.': {}, 'f:e': {} } } } },
    ],
    ['a scalar that becomes a map', { open: 1 }, { open: { a: 1 } }, { modified: leaf, added: inside }],
    ['a map that becomes a scalar', { open: { a: 1 } }, { open: 1 }, { modified: leaf, removed: inside }],
    ['a scalar that becomes an empty map', { open: 1 }, { open: {} }, { modified: leaf }],
    ['a scalar that becomes null', { open: 1 }, { open: null }, { modified: leaf }],
    ['null that becomes a map', { open: null }, { open: { a: 1 } }, { added: inside }],
    ['null that becomes an empty map', { open: null }, { open: {} }, { modified: leaf }],
    ['an empty map that is removed', { open: {} }, {}, { removed: leaf }],
    ['a number beyond the exact ones', { open: long(3) }, { open: long(5) }, { modified: leaf }],
    ['an equal number beyond the exact ones', { open: long(3) }, { open: long(3) }, {}],
  ])('of an open value: %s', (_, before, after, expected) => expect(changes(before, after, types)).toEqual(expected));
});

describe('misfits', () => {
  it.each<[object, string]>([
    [{ spec: { zz: 1 } }, '.spec.zz: field not declared in schema'],
    [{ spec: { priority: 'x' } }, '.spec.priority: expected numeric (int or float), got string'],
    [{ spec: { nodeName: 5 } }, '.spec.nodeName: expected string, got &value.valueUnstructured{Value:5}'],
    [{ spec: { hostPID: 'x' } }, '.spec.hostPID: expected boolean, got &{x}'],
    [{ spec: [] }, '.spec: expected map, got &{[]}'],
    [{ spec: { containers: { a: 1 } } }, '.spec.containers: expected list, got &{map[a:1]}'],
    [{ spec: { containers: [{ name: 'a' }, { name: 'a' }] } }, '.spec.containers: duplicate entries for key [name="a"]'],
    [{ spec: { containers: [null] } }, '.spec.containers: element 0: associative list with keys may not have a null element'],
    [{ spec: { containers: ['x'] } }, '.spec.containers: element 0: associative list with keys may not have non-map elements'],
    [
      { spec: { imagePullSecrets: [{}] } },
      '.spec.imagePullSecrets: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    ],
    [{ metadata: { finalizers: [{}] } }, ".metadata.finalizers: element 0: associative list without keys has an element that's a map type"],
    [{ metadata: { labels: { constructor: 5 } } }, '.metadata.labels.constructor: expected string, got &value.valueUnstructured{Value:5}'],
    [
      { spec: { zz: 1 }, status: { yy: 2 } },
      'errors:\n  .spec.zz: field not declared in schema\n  .status.yy: field not declared in schema',
    ],
  ])('%j', (value, text) => expect(misfits(pod, value)).toBe(text));

  it.each<[object, string | undefined]>([
    [{ open: [{ a: true }], when: 5, amount: false, ratio: long(5), count: null, set: ['a', 'b'] }, undefined],
    [{ ratio: '1' }, '.ratio: expected numeric (int or float), got string'],
    [{ count: true }, '.count: expected numeric (int or float), got bool'],
    [{ data: { a: 5 } }, '.data.a: expected string, got &value.valueUnstructured{Value:5}'],
    [{ timeout: {} }, '.timeout: expected string, got &value.valueUnstructured{Value:map[string]interface {}{}}'],
    [{ atomic: ['a', 'a', 1] }, '.atomic[2]: expected string, got &value.valueUnstructured{Value:1}'],
    [{ set: ['a', 1] }, '.set[=1]: expected string, got &value.valueUnstructured{Value:1}'],
    [{ set: ['a', 'b', 'a'] }, '.set: duplicate entries for key [="a"]'],
    [{ set: ['a', ['b']] }, '.set: element 1: not supported: associative list with lists as elements'],
    [{ set: [null] }, ".set: element 0: associative list without keys has an element that's an explicit null"],
    [{ keyed: [{ link: 'l' }, { link: 'l' }] }, '.keyed: duplicate entries for key [flag=false,link="l",name="",port=0,protocol="TCP"]'],
    [{ keyed: [{ link: null, port: null }, {}] }, `.keyed: element 1: ${omitted('link')}`],
    [{ sub: [{}] }, `.sub: element 0: ${omitted('of')}`],
    [
      { count: 'x', set: [1, 2] },
      'errors:\n  .count: expected numeric (int or float), got string\n  .set[=1]: expected string, got &value.valueUnstructured{Value:1}\n  .set[=2]: expected string, got &value.valueUnstructured{Value:2}',
    ],
  ])('%j of various types', (value, text) => expect(misfits(types, value)).toBe(text));

  it('of an open struct: members that it declares', () => {
    const open: Schema = { type: 'object', go: 'Open', open: true, fields: { a: { type: 'string' } } };
    expect(misfits(open, { zz: { a: 1 } })).toBeUndefined();
    expect(misfits(open, { zz: 1, a: 1 })).toBe('.a: expected string, got &value.valueUnstructured{Value:1}');
  });
});

describe('a configuration merged into an object', () => {
  const item = (port: number, more: object = {}) => ({ port, protocol: 'TCP', name: '', flag: false, link: 'l', ...more });
  it.each<[what: string, live: object, config: object, merged: object]>([
    ['adds members', { count: 1 }, { ratio: 2 }, { count: 1, ratio: 2 }],
    [
      'replaces leaves, and lists that are one value',
      { atomic: ['a', 'b'], count: 1 },
      { atomic: ['c'], count: 2 },
      { atomic: ['c'], count: 2 },
    ],
    ['merges maps', { data: { a: '1', b: '2' } }, { data: { b: '3', c: '4' } }, { data: { a: '1', b: '3', c: '4' } }],
    ['merges sets, with new items behind', { set: ['a', 'b'] }, { set: ['c', 'a'] }, { set: ['a', 'b', 'c'] }],
    [
      'merges items of equal keys',
      { keyed: [item(1), item(2)] },
      { keyed: [item(3), item(2, { zz: 1 })] },
      { keyed: [item(1), item(2, { zz: 1 }), item(3)] },
    ],
    ['merges open maps', { open: { a: { b: 1 }, c: [1] } }, { open: { a: { d: 2 }, c: [2] } }, { open: { a: { b: 1, d: 2 }, c: [2] } }],
    ['replaces an open value of another type', { open: [1] }, { open: { a: 1 } }, { open: { a: 1 } }],
    [
      'takes away nothing by null',
      { data: { a: '1' }, set: ['a'], count: 1 },
      { data: null, set: null },
      { data: { a: '1' }, set: ['a'], count: 1 },
    ],
    ['replaces leaves by null', { count: 1 }, { count: null }, { count: null }],
    ['replaces what is empty by null', { data: {}, set: [] }, { data: null, set: null }, { data: null, set: null }],
    ['replaces null by what is empty', { data: null, set: null }, { data: {}, set: [] }, { data: {}, set: [] }],
    ['keeps an open list where it has an empty map', { open: [1] }, { open: {} }, { open: [1] }],
  ])('%s', (_, live, config, merged) => {
    expect(mergeTyped(types, deepFreeze(live), deepFreeze(config))).toEqual(merged);
    const again = mergeTyped(types, deepFreeze(merged), config);
    expect(again).toEqual(merged);
    expect(again).toBe(merged);
  });
});
