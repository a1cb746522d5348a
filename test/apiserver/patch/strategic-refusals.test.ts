/** What a strategic merge patch is refused for, with upstream's texts. */
import { describe, expect, it } from 'vitest';
import { RawNumber, type Schema } from '../../../src/schema/shape/index.ts';
import { schemaOfKind } from './facts.ts';
import { abyss, applyStrategicPatch } from './support.ts';

const pod = schemaOfKind('Pod');
const live = {
  metadata: { finalizers: ['a/1', 'a/2', 'a/3'] },
  spec: { containers: [{ name: 'c1', image: 'i1' }, { name: 'c2' }], volumes: [{ name: 'v', emptyDir: {} }] },
};
/** An integer that a JavaScript number cannot hold. */
const long = new RawNumber('9007199254740993');
const types: Schema = {
  type: 'object',
  go: 'Types',
  fields: {
    bytes: { type: 'bytes' },
    ratio: { type: 'float64' },
    count: { type: 'int32' },
    text: { type: 'string', go: 'v1.Word' },
    flag: { type: 'boolean' },
    either: { type: 'intOrString' },
    amount: { type: 'quantity' },
    at: { type: 'time' },
    open: { type: 'any' },
    maps: { type: 'map', values: { type: 'map', values: { type: 'string' } } },
    counts: { type: 'map', values: { type: 'int32' } },
    structs: { type: 'list', patchStrategy: 'merge', items: { type: 'object', go: 'S', fields: { count: { type: 'int32' } } } },
    unmerged: { type: 'list', patchStrategy: 'retainKeys', items: { type: 'string' } },
  },
};

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

  const QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const read = (word: string, type: string): string => `json: cannot unmarshal ${word} into Go value of type ${type}`;
  it.each<[string, readonly unknown[], readonly [unknown, string][]]>([
    [
      'bytes',
      ['x', null],
      [
        [5, 'cannot restore slice from int64'],
        [{}, 'cannot restore slice from map'],
      ],
    ],
    [
      'ratio',
      [1, 1.5, long],
      [
        ['x', 'unrecognized type: float64'],
        [true, 'unrecognized type: float64'],
      ],
    ],
    [
      'count',
      [1, long],
      [
        [1.5, 'cannot convert float64 to int32'],
        [true, 'unrecognized type: int32'],
        [[], 'unrecognized type: int32'],
      ],
    ],
    [
      'text',
      ['x'],
      [
        [5, 'cannot convert int64 to v1.Word'],
        [1.5, 'unrecognized type: string'],
        [{}, 'unrecognized type: string'],
      ],
    ],
    [
      'flag',
      [false],
      [
        [1, 'unrecognized type: bool'],
        ['true', 'unrecognized type: bool'],
      ],
    ],
    [
      'either',
      ['x', 1],
      [
        [true, read('bool', 'int32')],
        [[], read('array', 'int32')],
      ],
    ],
    [
      'amount',
      ['x', 1],
      [
        [true, QUANTITY],
        [{}, QUANTITY],
        [[], QUANTITY],
      ],
    ],
    [
      'at',
      ['x'],
      [
        [1, read('number', 'string')],
        [{}, read('object', 'string')],
      ],
    ],
    ['open', [1, 'x', [{}], {}], []],
    [
      'counts',
      [{}, { a: 1, b: null }],
      [
        [[], 'cannot restore map from slice'],
        [{ a: 1, b: 'x' }, 'unrecognized type: int32'],
      ],
    ],
    [
      'structs',
      [[], [{}, { count: 1, zz: 1 }]],
      [
        [[1], 'cannot restore struct from: int64'],
        [[{ count: 1 }, { count: 'x' }], 'unrecognized type: int32'],
      ],
    ],
  ])('%s of other types', (field, fine, wrong) => {
    for (const value of fine) expect(applyStrategicPatch(types, {}, { [field]: value }).error).toBeUndefined();
    for (const [value, detail] of wrong) expect(applyStrategicPatch(types, {}, { [field]: value }).error?.message).toContain(`: ${detail}`);
  });

  it.each<[string, unknown, unknown, string]>([
    [
      'a member of an open map',
      { open: { a: {} } },
      { open: { a: { b: 1 } } },
      'unable to find api field in struct RawExtension for the json field "a"',
    ],
    [
      'a member of a map of maps',
      { maps: { a: {} } },
      { maps: { a: { b: 'x' } } },
      'merging an object in json but data type is not struct, instead is: map',
    ],
    ['a list in an open member', { open: [1] }, { open: [2] }, 'expected slice or array type, but got: struct'],
    ['the order of an open member', { open: [1] }, { '$setElementOrder/open': [1] }, 'expected slice or array type, but got: struct'],
    ['the order of null', { unmerged: null }, { '$setElementOrder/unmerged': [] }, 'expected a []interface {}, but received a %!s(<nil>)'],
    ['a list of structs without a merge key', { structs: [{}] }, { structs: [{}] }, 'cannot merge lists without merge key for struct'],
  ])('%s', (_, doc, patch, message) => expect(applyStrategicPatch(types, doc, patch).error).toEqual(noReason(message)));

  it('endless nesting', () => expect(applyStrategicPatch(pod, live, abyss()).error?.code).toBe(400));
});
