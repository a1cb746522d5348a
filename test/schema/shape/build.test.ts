/** Schemas are plain data: what each function of a schema's author writes. */
import { expect, it } from 'vitest';
import * as shape from '../../../src/schema/shape/index.ts';

const { str, int32 } = shape;

it('scalars have a type, and a name where Go has one', () => {
  expect([str(), str('Policy'), shape.bool, int32, shape.int64, shape.count32, shape.count64]).toEqual([
    { type: 'string' },
    { type: 'string', go: 'Policy' },
    { type: 'boolean' },
    { type: 'int32' },
    { type: 'int64' },
    { type: 'int32', min: 0 },
    { type: 'int64', min: 0 },
  ]);
  expect([shape.quantity, shape.amount, shape.time, shape.microTime, shape.intOrString, shape.bytes, shape.any]).toEqual([
    { type: 'quantity' },
    { type: 'quantity', milli: true },
    { type: 'time' },
    { type: 'microTime' },
    { type: 'intOrString' },
    { type: 'bytes' },
    { type: 'any' },
  ]);
});

it('lists and maps say how they are merged', () => {
  const items = int32;
  expect([shape.list(items), shape.atomicList(items), shape.setList(items), shape.mapList(items, 'a', 'b')]).toEqual([
    { type: 'list', items },
    { type: 'list', items, listType: 'atomic' },
    { type: 'list', items, listType: 'set' },
    { type: 'list', items, listType: 'map', listMapKeys: ['a', 'b'], patchStrategy: 'merge', patchMergeKey: 'a' },
  ]);
  expect([
    shape.mergeList(items, 'a'),
    shape.mergeList(items, 'a', 'merge,retainKeys'),
    shape.map(items),
    shape.map(items, 'Counts'),
  ]).toEqual([
    { type: 'list', items, patchStrategy: 'merge', patchMergeKey: 'a' },
    { type: 'list', items, patchStrategy: 'merge,retainKeys', patchMergeKey: 'a' },
    { type: 'map', values: items },
    { type: 'map', values: items, go: 'Counts' },
  ]);
});

it('structs and fields may say what they mean', () => {
  expect([
    shape.obj('A', { a: int32 }),
    shape.obj('A', 'About.', { a: int32 }, { open: true }),
    shape.obj('A', {}, { memo: true }),
  ]).toEqual([
    { type: 'object', go: 'A', fields: { a: int32 } },
    { type: 'object', go: 'A', about: 'About.', fields: { a: int32 }, open: true },
    { type: 'object', go: 'A', fields: {}, memo: true },
  ]);
  expect([
    shape.field(1, int32),
    shape.field(1, 'Says.', int32),
    shape.field([2, 1], int32, { min: 1 }),
    shape.field(1, 'Says.', int32, { needed: true }),
  ]).toEqual([
    { type: 'int32', wire: 1 },
    { type: 'int32', wire: 1, says: 'Says.' },
    { type: 'int32', wire: [2, 1], min: 1 },
    { type: 'int32', wire: 1, says: 'Says.', needed: true },
  ]);
  const own = shape.field([1, 2], int32);
  expect(shape.embedded(7, { a: shape.field(3, int32), b: own, c: int32 })).toEqual({
    a: { type: 'int32', wire: [7, 3] },
    b: own,
    c: int32,
  });
});

it('flags say whether a field is there', () => {
  const given = str();
  expect([
    shape.req(given),
    shape.always(given),
    shape.ptr(given),
    shape.def(given, 'x'),
    shape.filled(given, 'x'),
    shape.oneOf(given, ['x']),
  ]).toEqual([
    { type: 'string', required: true, always: true },
    { type: 'string', always: true },
    { type: 'string', pointer: true },
    { type: 'string', default: 'x' },
    { type: 'string', default: 'x', always: true },
    { type: 'string', oneOf: ['x'] },
  ]);
  expect(shape.published(shape.list(given))).toEqual({ type: 'list', items: given, required: true, always: true });
});

it('JSON Schema has the keywords of a type and of its facets, and none without a value', () => {
  interface Part {
    readonly type: 'text' | 'number' | 'mapping';
    readonly says?: string;
    readonly needed?: true;
    readonly fields?: Readonly<Record<string, Part>>;
  }
  const emit = shape.jsonEmitter<Part>(
    ({ type }) =>
      type === 'mapping'
        ? ({ fields = {} }, inner) =>
            shape.jsonMembers(
              fields,
              (part, name) => ({ ...inner(part), title: name }),
              ({ needed }) => needed === true,
            )
        : { type: type === 'text' ? 'string' : 'number' },
    ({ says }) => ({ description: says }),
  );
  expect(emit({ type: 'text', says: 'A text.' })).toStrictEqual({ type: 'string', description: 'A text.' });
  const fields: Part['fields'] = { a: { type: 'text', needed: true }, b: { type: 'number' } };
  expect(emit({ type: 'mapping', fields })).toStrictEqual({
    type: 'object',
    properties: { a: { type: 'string', title: 'a' }, b: { type: 'number', title: 'b' } },
    required: ['a'],
    additionalProperties: false,
  });
  expect(emit({ type: 'mapping', says: 'Nothing.' })).toStrictEqual({
    type: 'object',
    properties: {},
    additionalProperties: false,
    description: 'Nothing.',
  });
});

it('misfits and unknown fields are found wherever they are', () => {
  const inner = shape.obj('Inner', { n: int32, free: shape.any });
  const schema = shape.obj('Outer', {
    list: shape.list(inner),
    map: shape.map(inner),
    open: shape.obj('Open', { a: str() }, { open: true }),
    own: { ...str(), coerce: (value: unknown) => value },
    at: shape.time,
  });
  const value = {
    list: [{ n: 'x' }, { n: null, zz: 1, free: { any: 1 } }],
    map: { k: { n: 1.5, 'a.b': 1 }, 'l.m': 5 },
    open: { a: 1, other: 2 },
    own: 5,
    at: 'soon',
    toString: 1,
  };
  expect(shape.findMisfits(schema, value).map(({ steps, value: found }) => [steps.join('/'), found])).toEqual([
    ['list/0/n', 'x'],
    ['map/k/n', 1.5],
    ['map/l.m', 5],
    ['open/a', 1],
    ['at', 'soon'],
  ]);
  expect(shape.unknownFields(schema, value)).toEqual(['list[1].zz', 'map.k.a.b', 'toString']);
  expect(shape.findUnknownFields(schema, value).map(({ known }) => known)).toEqual([
    ['n', 'free'],
    ['n', 'free'],
    ['list', 'map', 'open', 'own', 'at'],
  ]);
  expect(shape.findMisfits(shape.list(str()), { a: 1 }).map(({ steps }) => steps)).toEqual([[]]);
  expect(shape.findMisfits(inner, [])).toHaveLength(1);
});
