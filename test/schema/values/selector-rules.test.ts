/** Selectors of labels and of fields: what is valid of them, and what they match. */
import { describe, expect, it } from 'vitest';
import * as values from '../../../src/schema/values/index.ts';

describe('label selectors', () => {
  const problems = (selector: values.LabelSelector) =>
    values.validateLabelSelector(selector, 's').map((problem) => `${problem.field}: ${values.problemBody(problem).split(':')[0] ?? ''}`);
  it.each<[operator: string, given: readonly string[], problems: readonly string[]]>([
    ['In', ['a'], []],
    ['In', [], ['s.matchExpressions[0].values: Required value']],
    ['NotIn', ['a', 'b'], []],
    ['NotIn', [], ['s.matchExpressions[0].values: Required value']],
    ['Exists', [], []],
    ['Exists', ['a'], ['s.matchExpressions[0].values: Forbidden']],
    ['DoesNotExist', [], []],
    ['DoesNotExist', ['a'], ['s.matchExpressions[0].values: Forbidden']],
    ['in', ['a'], ['s.matchExpressions[0].operator: Invalid value']],
  ])('with %s and %j', (operator, given, expected) => {
    expect(problems({ matchExpressions: [{ key: 'k', operator, values: given }] })).toEqual(expected);
  });

  it('have keys and values that are labels', () => {
    expect(problems({ matchLabels: { 'b b': 'x', 'a a': 'y', c: 'z z' } })).toEqual([
      's.matchLabels: Invalid value',
      's.matchLabels: Invalid value',
      's.matchLabels: Invalid value',
    ]);
    expect(problems({ matchLabels: { a: 'b', 'c.d/e': '' }, matchExpressions: [{ key: 'a b', operator: 'Exists' }] })).toEqual([
      's.matchExpressions[0].key: Invalid value',
    ]);
    expect([values.areLabels({}), values.areLabels({ a: '' }), values.areLabels({ 'a b': '' }), values.areLabels({ a: 'b b' })]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('match all where they are empty, and nothing where they are absent or wrong', () => {
    const matches = (selector: values.LabelSelector | undefined) => values.labelMatcher(selector)({ a: 'b' });
    expect([matches({}), matches(undefined), matches({ matchLabels: { a: 'b' } }), matches({ matchLabels: { a: 'c' } })]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([
      matches({ matchExpressions: [{ key: 'a', operator: 'X' }] }),
      matches({ matchExpressions: [{ key: 'c', operator: 'DoesNotExist' }] }),
    ]).toEqual([false, true]);
    expect([
      values.formatLabelSelector({}),
      values.formatLabelSelector(undefined),
      values.formatLabelSelector({ matchLabels: { a: 'b', A: 'c' } }),
      values.formatLabelSelector({ matchExpressions: [{ key: 'a', operator: 'X' }] }),
    ]).toEqual(['<none>', '<none>', 'A=c,a=b', '<error>']);
  });
});

describe('field selectors', () => {
  it.each<[text: string, terms: unknown]>([
    ['', []],
    [',', []],
    [
      'b=2,a=1',
      [
        { field: 'a', op: '=', value: '1' },
        { field: 'b', op: '=', value: '2' },
      ],
    ],
    ['a==1', [{ field: 'a', op: '=', value: '1' }]],
    ['a!=1', [{ field: 'a', op: '!=', value: '1' }]],
    ['a=', [{ field: 'a', op: '=', value: '' }]],
    ['=1', [{ field: '', op: '=', value: '1' }]],
    ['=', []],
    ['a=b\\,c\\=d\\\\', [{ field: 'a', op: '=', value: 'b,c=d\\' }]],
  ])('%j', (text, terms) => {
    expect(values.parseFieldSelector(text)).toEqual({ value: terms });
  });

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['b=1,a', "invalid selector: 'b=1,a'; can't understand 'a'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('%j is none', (text, error) => {
    expect(values.parseFieldSelector(text)).toEqual({ error });
  });

  it('match where all terms do, and fix the value of a field', () => {
    const terms = values.parseFieldSelector('a=1,b!=2').value ?? [];
    const matches = (a: string, b: string) => values.matchesFields(terms, (field) => (field === 'a' ? a : b));
    expect([matches('1', '1'), matches('1', '2'), matches('2', '1'), matches('', '')]).toEqual([true, false, false, false]);
    expect([values.exactFieldMatch(terms, 'a'), values.exactFieldMatch(terms, 'b'), values.exactFieldMatch(terms, 'c')]).toEqual([
      '1',
      undefined,
      undefined,
    ]);
  });
});
