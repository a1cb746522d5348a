/** Rules in CEL that objects break: what is reported, where, and which rules are not run. */
import { describe, expect, it } from 'vitest';
import type { FieldError } from '../../../src/apiserver/machinery/index.ts';
import { brokenRules } from '../../../src/apiserver/structural/cel/evaluate.ts';
import type { Structural } from '../../../src/apiserver/structural/members.ts';

const TEXT: Structural = { type: 'string' };
const INTEGER: Structural = { type: 'integer' };
const NODE: Structural = {
  type: 'object',
  properties: {
    text: TEXT,
    count: INTEGER,
    list: { type: 'array', items: TEXT },
    map: { type: 'object', additionalProperties: TEXT },
  },
};

describe('a rule that is broken', () => {
  const because = (rule: string, self: object, message?: string, old?: object) =>
    brokenRules(self, old, { ...NODE, 'x-kubernetes-validations': [{ rule, ...(message === undefined ? {} : { message }) }] }, []).map(
      ({ field, value, detail }) => [field, value, detail],
    );

  it.each<readonly [string, object, string, string | undefined]>([
    ['self.count > 1', { count: 1 }, 'failed rule: self.count > 1', undefined],
    ['self.count > 1', { count: 1 }, 'failed rule: self.count > 1', ''],
    ['self.count > 1', { count: 1 }, 'too few', 'too few'],
    ['self.open', { count: 1 }, 'no such key: open evaluating rule: self.open', undefined],
    ['self.map["a"] == ""', { map: {} }, 'no such key: a evaluating rule: self.map["a"] == ""', undefined],
    ['self.count / 0 > 1', { count: 1 }, 'division by zero evaluating rule: too few', 'too few'],
    ['self.list.min() == "a"', { list: [] }, 'min called on empty list evaluating rule: self.list.min() == "a"', undefined],
    [
      'self.text > self.count',
      { text: 'a', count: 1 },
      "'no such overload: dyn<string> > dyn<int>': call arguments did not match a supported operator, function or macro signature for rule: self.text > self.count",
      undefined,
    ],
  ])('%s of %j', (rule, self, detail, message) => {
    expect(because(rule, self, message)).toEqual([['<nil>', 'object', detail]]);
  });

  it('is not asked of what is not there, and of a creation where it compares', () => {
    expect(because('self.count >= oldSelf.count', { count: 1 })).toEqual([]);
    expect(because('self.count >= oldSelf.count', { count: 1 }, undefined, { count: 1 })).toEqual([]);
    expect(because('self.count >= oldSelf.count', { count: 1 }, 'it shrinks', { count: 2 })).toEqual([['<nil>', 'object', 'it shrinks']]);
  });

  it('is not run where something else is wrong that it may rely on', () => {
    const node: Structural = { ...NODE, 'x-kubernetes-validations': [{ rule: 'false', message: 'no' }] };
    const errors = (type: FieldError['type'], of = node) => brokenRules({ count: 1 }, undefined, of, [{ type, field: 'f', detail: '' }]);
    const unchecked =
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
    for (const type of ['NotSupported', 'Required', 'TooLong', 'TooMany', 'TypeInvalid'] as const)
      expect(errors(type)).toEqual([{ type: 'Invalid', field: '<nil>', value: null, detail: unchecked }]);
    expect(errors('Invalid').map(({ detail }) => detail)).toEqual(['no']);
    expect(errors('Required', NODE)).toEqual([]);
  });

  it('is the last one where it costs too much', () => {
    const rule = 'self.list.all(a, self.list.all(b, self.list.all(c, c != "")))';
    const node: Structural = { ...NODE, 'x-kubernetes-validations': [{ rule }, { rule: 'false' }] };
    const list = Array.from({ length: 200 }, () => 'x');
    expect(brokenRules({ list }, undefined, node, []).map(({ detail }) => detail)).toEqual([
      `no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`,
    ]);
  });

  it('compares an item with the former one that has the same keys, where a list has keys', () => {
    const items = (rule: string): Structural => ({
      type: 'object',
      properties: { id: TEXT, at: INTEGER, size: INTEGER },
      'x-kubernetes-validations': [{ rule, message: 'smaller' }],
    });
    const keyed: Structural = {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['id', 'at'],
          items: items('self.size >= oldSelf.size'),
        },
      },
    };
    const value = (...sizes: readonly (readonly [string, number, number])[]) => ({
      list: sizes.map(([id, at, size]) => ({ id, at, size })),
    });
    const fields = (is: unknown, was: unknown, node = keyed) => brokenRules(is, was, node, []).map(({ field }) => field);
    const was = value(['a', 1, 5], ['b', 1, 5], ['a', 2, 5]);
    expect(fields(value(['a', 2, 4], ['a', 1, 5], ['c', 1, 0], ['b', 1, 4]), was)).toEqual(['list[0]', 'list[3]']);
    expect(fields(value(['a', 1, 0]), { list: null })).toEqual([]);
    expect(fields(value(['a', 1, 0]), null)).toEqual([]);
    expect(fields(value(['a', 1, 0]), { list: 'x' })).toEqual([]);
    // Without keys no item has a former one.
    for (const list of [{}, { 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['id', 'at'] }]) {
      const plain: Structural = {
        type: 'object',
        properties: { list: { type: 'array', ...list, items: items('self.size >= oldSelf.size') } },
      };
      expect(fields(value(['a', 1, 0]), was, plain)).toEqual([]);
    }
  });

  it('is asked of values of a wrong format, as they are', () => {
    const node: Structural = { type: 'object', properties: { bytes: { type: 'string', format: 'byte' } } };
    const rules = { 'x-kubernetes-validations': [{ rule: 'size(self.bytes) == 1' }] };
    expect(brokenRules({ bytes: '!' }, undefined, { ...node, ...rules }, [])).toEqual([]);
    expect(brokenRules({ bytes: 'YWI=' }, undefined, { ...node, ...rules }, [])).toHaveLength(1);
  });

  it('is reported at its place, in lists, maps and objects', () => {
    const never = [{ rule: 'false', message: 'no' }];
    const ruled = { ...TEXT, 'x-kubernetes-validations': never };
    const node: Structural = {
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: ruled }, additionalProperties: false },
        list: { type: 'array', items: ruled },
        map: { type: 'object', additionalProperties: ruled },
        plain: TEXT,
      },
    };
    const value = { a: { b: 'x', c: 'x' }, list: ['x', null, 'y'], map: { 'k-1': 'x' }, plain: 'x', other: 'x' };
    expect(brokenRules(value, undefined, node, []).map(({ field, value: of }) => `${field} ${String(of)}`)).toEqual([
      'a.b string',
      'list[0] string',
      'list[2] string',
      'map[k-1] string',
    ]);
  });
});
