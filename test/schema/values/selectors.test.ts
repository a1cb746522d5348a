import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  matcherOfText,
  exactFieldMatch,
  formatLabelSelection,
  labelMatcher,
  parseFieldSelector,
  parseLabelSelector,
  problemText,
  unescapeFieldValue,
  validateLabels,
  validateLabelSelector,
} from '../../../src/schema/values/index.ts';

describe('label selectors', () => {
  it('print a text that selects the same', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9]{0,2}$/);
    const term = fc.oneof(
      word,
      word.map((key) => `!${key}`),
      fc.tuple(word, fc.constantFrom('=', '==', '!='), word).map((parts) => parts.join('')),
      fc
        .tuple(word, fc.constantFrom('in', 'notin'), fc.array(word, { maxLength: 3 }))
        .map(([key, op, values]) => `${key} ${op} (${values.join(', ')})`),
    );
    fc.assert(
      fc.property(fc.array(term, { maxLength: 4 }), (terms) => {
        const first = parseLabelSelector(terms.join(', ')).value;
        const printed = first === undefined ? '' : formatLabelSelection(first);
        const again = parseLabelSelector(printed).value;
        return first !== undefined && again !== undefined && formatLabelSelection(again) === printed;
      }),
    );
  });

  it('never throw, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '=', '!', ',', '(', ')', '<', '>', ' ', 'in', 'é', '\0') }), (text) => {
        const parsed = parseLabelSelector(text);
        return (parsed.error === undefined) !== (parsed.value === undefined);
      }),
    );
  });

  it('match only own properties of the labels', () => {
    expect(parseLabelSelector('constructor').value?.matches({})).toBe(false);
    expect(parseLabelSelector('!toString').value?.matches({ a: 'b' })).toBe(true);
  });

  it('select nothing when absent, everything when empty, and treat absent labels as none', () => {
    expect([
      labelMatcher(undefined)({ a: 'b' }),
      labelMatcher({})({ a: 'b' }),
      labelMatcher({ matchLabels: { a: 'b' } })(undefined),
    ]).toEqual([false, true, false]);
  });

  it('are compiled once per object', () => {
    const selector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['db'] }] };
    expect(labelMatcher(selector)).toBe(labelMatcher(selector));
    expect([{ app: 'web' }, { app: 'web', tier: 'db' }, { app: 'api' }].map(labelMatcher(selector))).toEqual([true, false, false]);
  });
});

it('a text that was validated before selects by its terms; one that cannot be read selects nothing', () => {
  const selects = (text: string) => [{}, { a: 'b' }, { a: 'c', d: 'e' }].map(matcherOfText(text));
  expect([selects(''), selects('a=b'), selects('d,a notin (b)'), selects('a in (')]).toEqual([
    [true, true, true],
    [false, true, false],
    [false, false, true],
    [false, false, false],
  ]);
});

describe('validation of label selectors', () => {
  const problems = (selector: Parameters<typeof validateLabelSelector>[0]): readonly string[] =>
    validateLabelSelector(selector, 'spec.selector').map(problemText);

  it.each([
    [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      ["spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"],
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      ["spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"],
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Gt' }] },
      ['spec.selector.matchExpressions[0].operator: Invalid value: "Gt": not a valid selector operator'],
    ],
    [{ matchLabels: { a: 'b' } }, []],
    [undefined, []],
  ])('%j', (selector, expected) => {
    expect(problems(selector)).toEqual(expected);
  });

  it('names the label key or the value that is wrong', () => {
    expect(validateLabels({ 'a b': 'c', d: '-' }, 'metadata.labels').map(({ field, value }) => [field, value])).toEqual([
      ['metadata.labels', 'a b'],
      ['metadata.labels', '-'],
    ]);
  });
});

describe('field selectors', () => {
  it('restore every value from its escaped form', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\\', ',', '=', '!', 'é', '😀') }),
        (value) => unescapeFieldValue(value.replace(/[\\,=]/g, '\\$&')).value === value,
      ),
    );
  });

  it('name the exact value of a field, for indexes', () => {
    const terms = parseFieldSelector('spec.nodeName=n1,status.phase!=Failed').value ?? [];
    expect([exactFieldMatch(terms, 'spec.nodeName'), exactFieldMatch(terms, 'status.phase')]).toEqual(['n1', undefined]);
  });
});

describe('a set of many values', () => {
  it('is compiled once for any number of objects', () => {
    let reads = 0;
    const values = new Proxy(
      Array.from({ length: 2_000 }, (_, at) => `v${at}`),
      { get: (list, name): unknown => ((reads += 1), Reflect.get(list, name) as unknown) },
    );
    const matches = labelMatcher({ matchExpressions: [{ key: 'k', operator: 'In', values }] });
    const compiled = reads;
    for (let at = 0; at < 100; at++) expect(matches({ k: `v${at * 30}` })).toBe(at * 30 < 2_000);
    expect(reads).toBe(compiled);
  });
});
