/** CEL in schemas: names and values as expressions see them, functions, types, and the most that a rule can cost. */
import { describe, expect, it } from 'vitest';
import { celErrors } from '../../../src/apiserver/structural/cel/compile.ts';
import { mostSteps } from '../../../src/apiserver/structural/cel/cost.ts';
import { runtime } from '../../../src/apiserver/structural/cel/environment.ts';
import { celValue, escaped } from '../../../src/apiserver/structural/cel/values.ts';
import type { Structural } from '../../../src/apiserver/structural/members.ts';
import { parseJson } from '../../../src/schema/shape/index.ts';

const run = (cel: string, self: unknown): unknown => {
  try {
    return runtime().parse(cel)({ self });
  } catch (error) {
    return (error as Error).message.split('\n')[0];
  }
};

it('a name that CEL cannot spell is escaped', () => {
  const names = ['a', 'true', 'namespace', 'a-b', 'a.b', 'a/b', 'a__b', '__x', '-', '_'];
  const spelt = 'a __true__ __namespace__ a__dash__b a__dot__b a__slash__b a__underscores__b __underscores__x __dash__ _';
  expect(names.map((name) => escaped(name)).join(' ')).toBe(spelt);
  for (const name of ['1a', 'a b', '', 'é']) expect([name, escaped(name)]).toEqual([name, undefined]);
});

describe('a value', () => {
  const INT: Structural = { type: 'integer' };
  const DOUBLE: Structural = { type: 'number' };
  const textOf = (format: string): Structural => ({ type: 'string', format });
  it.each<readonly [string, unknown, Structural | undefined, unknown]>([
    ['an integer', 5, INT, 5n],
    ['an integer without a type', 5, undefined, 5n],
    ['a number', 5, DOUBLE, 5],
    ['a fraction without a type', 1.5, undefined, 1.5],
    ['an integer beyond those that are safe', 2 ** 60, INT, 2 ** 60],
    ['a long integer', parseJson('9223372036854775807').value, INT, 9223372036854775807n],
    ['a long number', parseJson('9223372036854775807').value, DOUBLE, 9223372036854775807],
    ['a text', 'x', { type: 'string' }, 'x'],
    ['a date', '2024-03-01', textOf('date'), new Date('2024-03-01T00:00:00Z')],
    ['an instant', '2024-03-01T01:02:03Z', textOf('date-time'), new Date('2024-03-01T01:02:03Z')],
    ['an instant that is none', 'x', textOf('date-time'), 'x'],
    ['bytes', 'YWI=', textOf('byte'), new Uint8Array([97, 98])],
    ['bytes that are none', '!', textOf('byte'), '!'],
    ['a duration that is none', 'x', textOf('duration'), 'x'],
    ['a text of another format', 'x', textOf('email'), 'x'],
    ['a text of another type', '2024-03-01', { format: 'date' }, '2024-03-01'],
    ['null', null, INT, null],
    ['a list', [1, 2], { type: 'array', items: DOUBLE }, [1, 2]],
    ['a list without items', [1], { type: 'array' }, [1n]],
    ['a map', { 'a-b': 1 }, { type: 'object', additionalProperties: DOUBLE }, { 'a-b': 1 }],
    [
      'an object',
      { 'a-b': 1, 'c d': 1, other: 1 },
      { type: 'object', properties: { 'a-b': INT, 'c d': INT, none: INT } },
      { a__dash__b: 1n },
    ],
    ['an object that is open', { other: 1 }, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, {}],
    [
      'an embedded resource',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: {} }, spec: {} },
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
    ],
  ])('%s', (_, value, node, expected) => {
    expect(celValue(value, node)).toEqual(expected);
  });

  it('of the root has what every object has', () => {
    const value = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', generateName: 'q' } };
    expect(celValue(value, { type: 'object' }, true)).toEqual(value);
    expect(celValue(value, { type: 'object' })).toEqual({});
  });

  it('may be a duration', () => {
    expect(run('self == duration("90s") && self > duration("1m")', celValue('1m30s', textOf('duration')))).toBe(true);
  });
});

const TEXT: Structural = { type: 'string', maxLength: 100 };
const INTEGER: Structural = { type: 'integer' };
const LIST: Structural = { type: 'array', maxItems: 10, items: TEXT };
const NODE: Structural = {
  type: 'object',
  properties: {
    text: TEXT,
    free: { type: 'string' },
    count: INTEGER,
    list: LIST,
    map: { type: 'object', maxProperties: 5, additionalProperties: TEXT },
    object: { type: 'object', properties: { deep: INTEGER } },
    items: {
      type: 'array',
      items: { type: 'object', required: ['id', 'on'], properties: { id: { type: 'string', minLength: 3 }, on: { type: 'boolean' } } },
    },
    lists: { type: 'array', items: { type: 'array', minItems: 2, items: INTEGER } },
    texts: { type: 'array', items: { type: 'array', minItems: 3, items: { type: 'string', minLength: 2 } } },
    counts: { type: 'object', additionalProperties: INTEGER },
  },
};

describe('the most steps of a rule', () => {
  // 3 MiB hold a text of that length, and as many items as their shortest form has room.
  const LARGEST = 3 * 1024 * 1024;
  const items = Math.floor(LARGEST / (2 + (2 + 3 + 5) + (2 + 3 + 4) + 1));
  it.each<readonly [string, number]>([
    ['true', 0],
    ['self.count', 2],
    ['self.count > 1', 3],
    ['-self.count < 0', 4],
    ['self.count > 1 && self.count < 3', 6],
    ['!(self.count > 1)', 3],
    // What reads a whole value pays a tenth of its size.
    ['self.text == "a"', 13],
    ['self.text != "a"', 13],
    ['self.free == "a"', 3 + LARGEST / 10],
    ['"a" in self.list', 4],
    ['self.text + self.text == "a"', 26],
    ['size(self.list) > 1', 5],
    ['self.text.size() > 1', 14],
    ['self.map == oldSelf.map', 6],
    ['self.map["a"] == "b"', 14],
    ['self.list[0] == "b"', 14],
    ['self.count > 1 ? self.text == "a" : true', 17],
    // A loop counts its body for each item.
    ['self.list.all(x, x == "a")', 132],
    ['self.list.exists_one(x, x == "a")', 132],
    ['self.list.exists(x, x.size() > 1)', 142],
    ['self.list.map(x, x + "a")', 132],
    ['self.list.filter(x, x == "a").all(y, y == "b")', 262],
    ['self.list.map(x, x.size()).all(y, y > 1)', 135],
    ['self.map.all(key, key == "a")', 17],
    ['[1, 2].all(x, x > self.count)', 6],
    ['self.lists.all(x, true)', 2 + Math.floor(LARGEST / 5)],
    ['self.texts.all(x, true)', 2 + Math.floor(LARGEST / (2 + 3 * 4 + 1))],
    ['self.list[self.count] == "b"', 16],
    ['self.count > 1 || self.text == "a"', 16],
    ['self.counts.all(x, true)', 2 + Math.floor(LARGEST / 5)],
    ['self.items.all(x, true)', 2 + items],
    ['self.absent == 1', 3],
  ])('%s', (cel, steps) => {
    expect(mostSteps(runtime().parse(cel).ast, NODE, false)).toBe(steps);
  });

  it('know what every object has at the root only', () => {
    const { ast } = runtime().parse('self.metadata.name == "a"');
    expect(mostSteps(ast, NODE, false)).toBe(4);
    expect(mostSteps(ast, NODE, true)).toBe(4 + LARGEST / 10);
  });
});

describe('a rule of a schema', () => {
  const dated: Structural = {
    ...NODE,
    properties: {
      ...NODE.properties,
      day: { type: 'string', format: 'date' },
      instant: { type: 'string', format: 'date-time' },
      span: { type: 'string', format: 'duration' },
      bytes: { type: 'string', format: 'byte' },
      either: { 'x-kubernetes-int-or-string': true },
      open: { 'x-kubernetes-preserve-unknown-fields': true },
      number: { type: 'number' },
      on: { type: 'boolean' },
      'a-b': INTEGER,
    },
  };
  const details = (rule: string, node = dated) =>
    celErrors({ ...node, 'x-kubernetes-validations': [{ rule }] }, 'root').map(({ detail }) => detail);
  const at = (place: string, why: string, line: string, column: number) =>
    `compilation failed: ERROR: <input>:${place}: ${why}\n | ${line}\n | ${'.'.repeat(column)}^`;

  it.each([
    'self.on',
    'self.object == oldSelf.object',
    'self.either == 1 && self.either == "a"',
    'self.open == 1',
    'self.open',
    'self.a__dash__b == 1',
    'self.metadata.generateName == "" && self.kind == "" && self.apiVersion == ""',
    'self.instant > self.day && self.span > duration("1s")',
    'self.list[0] == self.map["a"]',
  ])('%s', (cel) => {
    expect(details(cel)).toEqual([]);
  });

  it.each([
    ['self.text > 1', 'string > int'],
    ['self.list[0] > 1', 'string > int'],
    ['self.map["a"] > 1', 'string > int'],
    ['self.object.deep > "a"', 'int > string'],
    ['self.number > "a"', 'double > string'],
    ['self.day > 1', 'google.protobuf.Timestamp > int'],
    ['self.instant == "a"', 'google.protobuf.Timestamp == string'],
    ['self.span == "a"', 'google.protobuf.Duration == string'],
    ['self.bytes > 1', 'bytes > int'],
    ['self.kind == 1', 'string == int'],
  ])('%s', (cel, overload) => {
    expect(details(cel)).toEqual([at('1:1', `no such overload: ${overload}`, cel, 0)]);
  });

  it.each([
    ['self.cuont > 1', '1:6', "undefined field 'cuont' (did you mean count?)", 5],
    ['self.quite_another', '1:6', "undefined field 'quite_another'", 5],
    // A name of another place is no suggestion for itself.
    ['self.deep > 1', '1:6', "undefined field 'deep'", 5],
    ['self.metadata.names == ""', '1:15', "undefined field 'names' (did you mean name?)", 14],
    ['other', '1:1', "undeclared reference to 'other' (in container '')", 0],
    ['self.list.exists(x, y)', '1:21', "undeclared reference to 'y' (in container '')", 20],
  ])('%s', (cel, place, why, column) => {
    expect(details(cel)).toEqual([at(place, why, cel, column)]);
  });

  it('says the line of what is wrong, and shows it', () => {
    expect(details('self.on &&\n  self.cuont > 1 ||\nself.on')).toEqual([
      at('2:8', "undefined field 'cuont' (did you mean count?)", '  self.cuont > 1 ||', 7),
    ]);
  });

  it('must give a boolean', () => {
    for (const cel of ['self.count', 'self.object']) expect(details(cel)).toEqual(['cel expression must evaluate to a bool']);
  });

  it('may not cost more than ten million steps, and all together a hundred million', () => {
    const listOf = (maxItems: number, rule: string, count = 1): Structural => ({
      type: 'object',
      properties: {
        list: {
          type: 'array',
          maxItems,
          items: { ...INTEGER, 'x-kubernetes-validations': Array.from({ length: count }, () => ({ rule })) },
        },
      },
    });
    const errors = (node: Structural) => celErrors(node, 'root').map(({ field, detail }) => `${field}: ${detail.replace(/ \(try .*/, '')}`);
    const rule = 'root.properties[list].items.x-kubernetes-validations';
    expect(errors(listOf(5_000_000, 'self > 1'))).toEqual([]);
    expect(errors(listOf(5_000_001, 'self > 1'))).toEqual([`${rule}[0].rule: estimated rule cost exceeds budget by factor of 1.000000x`]);
    expect(errors(listOf(7_000_000, 'self > 1'))).toEqual([`${rule}[0].rule: estimated rule cost exceeds budget by factor of 1.400000x`]);
    expect(errors(listOf(7_500_000, 'self > 1'))).toEqual([`${rule}[0].rule: estimated rule cost exceeds budget by factor of 1.5x`]);
    expect(errors(listOf(500_000_000, 'self > 1'))[0]).toContain('budget by factor of 100.0x');
    expect(errors(listOf(500_000_001, 'self > 1'))[0]).toContain('budget by factor of more than 100x');
    expect(errors(listOf(5_000_000, 'self > 1', 10))).toEqual([]);
    expect(errors(listOf(5_000_000, 'self > 1', 11))).toEqual([
      'root: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.100000x',
    ]);
  });
});
