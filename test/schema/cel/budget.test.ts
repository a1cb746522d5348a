/** The steps of CEL expressions, the budget that ends them, `matches` in linear time, and `has()` of any expression. */
import { describe, expect, it } from 'vitest';
import { Environment } from '@marcbachmann/cel-js';
import { easeHas, Exhausted, meter, nodesOf, onAbsence, patternOf, withinBudget } from '../../../src/schema/cel/index.ts';

const environment = new Environment({ homogeneousAggregateLiterals: false, enableOptionalTypes: true })
  .registerVariable('self', 'dyn')
  .registerVariable('text', 'string')
  .registerVariable('items', 'list<dyn>')
  .registerVariable('pattern', 'dyn');

const parse = (cel: string) => {
  const parsed = environment.parse(cel);
  easeHas(nodesOf(parsed.ast));
  const { error } = parsed.check();
  if (error !== undefined) throw error;
  meter(parsed.ast);
  return parsed;
};

/** Sixteen characters, and sixteen items. */
const VALUES = { text: 'x'.repeat(16), items: Array.from({ length: 16 }, (_, at) => BigInt(at)), pattern: 'x+', self: {} };

const run = (cel: string, values: object = {}, steps?: number) => {
  const parsed = parse(cel);
  return withinBudget(() => parsed({ ...VALUES, ...values }) as unknown, steps);
};

describe('steps', () => {
  const cases: readonly (readonly [string, unknown, number, object?])[] = [
    // One for each node.
    ['true', true, 1],
    ['1 + 1', 2n, 3],
    ['self.a.b.c', 7n, 4, { self: { a: { b: { c: 7n } } } }],
    ['self["a"][0]', 7n, 5.25, { self: { a: [7n] } }],
    ['{"a": 1}', { a: 1n }, 3.125],
    // A text or list that is passed on: one for eight characters or elements.
    ['text', VALUES.text, 3],
    ['true ? text : "b"', VALUES.text, 7],
    ['[text, text]', [VALUES.text, VALUES.text], 7.25],
    ['size(items)', 16n, 4],
    ['text.contains("x")', true, 5.125],
    // One that is created or compared: one for each.
    ['text + text', VALUES.text.repeat(2), 39],
    ['text == text', true, 35],
    ['text != text', false, 35],
    ['text + text == text', false, 57],
    ['text > text', false, 7],
    ['1 in items', true, 19],
    ['items == items', true, 35],
    // What is not evaluated is not counted.
    ['false && text == "a"', false, 2],
    // A loop counts each of its rounds.
    ['items.map(x, x)', VALUES.items, 39],
    ['items.map(x, x > 13, x + 1)', [15n, 16n], 91.25],
    ['items.filter(x, x > 13)', [14n, 15n], 87.25],
    ['items.all(x, x < 30)', true, 85],
    ['items.exists(x, x == 3)', true, 25],
    ['items.exists_one(x, x == 3)', true, 85],
    // Macros count what they evaluate.
    ['cel.bind(x, text, x + x)', VALUES.text.repeat(2), 47],
    ['self.?a.orValue(1)', 1n, 4],
    ['self.?a.orValue(1)', 2n, 3, { self: { a: 2n } }],
    ['self.?a.or(self.?b).orValue(3)', 4n, 6, { self: { b: 4n } }],
    ['has(self.a)', true, 2, { self: { a: VALUES.text } }],
    // A match counts each instruction of the pattern for each sixteen characters.
    ['text.matches("x+y")', false, 5.375 + patternOf('x+y').programSize()],
    ['text.matches(pattern)', true, 5.25 + patternOf('x+').programSize()],
  ];
  it.each(cases.map(([cel, value, spent, values]) => ({ cel, value, spent, values })))('$cel', ({ cel, value, spent, values }) => {
    expect(run(cel, values)).toEqual({ value, spent });
  });

  it('grow with the length of a list, not with its square', () => {
    const items = Array.from({ length: 20_000 }, () => 1n);
    expect(run('items.filter(x, x == 1).size()', { items }).spent).toBe(6 * 20_000 + 4 + 2 * 2500);
  });
});

describe('the budget', () => {
  it('may be spent to the last step', () => {
    expect(run('1 + 1', {}, 3)).toEqual({ value: 2n, spent: 3 });
    expect(() => run('1 + 1', {}, 2)).toThrow(Exhausted);
    expect(() => run('1 + 1', {}, 2)).toThrow(
      'it takes more than 5,000,000 steps: filter first, and keep lists out of conditions on every element of another',
    );
    expect(run('text', {}, 3)).toEqual({ value: VALUES.text, spent: 3 });
    const match = 5.25 + patternOf('x+').programSize();
    expect(run('text.matches(pattern)', {}, match)).toEqual({ value: true, spent: match });
    // A value that is too long ends what comes after it, or the evaluation.
    expect(() => run('text', {}, 2)).toThrow(Exhausted);
    expect(() => run('text.matches("y")', {}, 6)).toThrow(Exhausted);
  });

  it('ends an expression that passes over errors', () => {
    const parsed = parse('items.exists(x, x == 3) || true');
    expect(withinBudget(() => parsed(VALUES) as unknown, 60).value).toBe(true);
    expect(() => withinBudget(() => parsed(VALUES) as unknown, 20)).toThrow(Exhausted);
  });

  it('leaves other errors, and the budget around it', () => {
    const inner = () => withinBudget(() => parse('1 + 1')(VALUES) as unknown, 3);
    expect(
      withinBudget(() => {
        inner();
        expect(() => run('self.absent')).toThrow('No such key: absent');
        expect(() => run('1 + 1', {}, 1)).toThrow(Exhausted);
        return parse('1')(VALUES) as unknown;
      }, 1),
    ).toEqual({ value: 1n, spent: 1 });
    // Outside of a budget nothing is limited.
    expect(parse('1 + 1')(VALUES)).toBe(2n);
  });

  it('ends an evaluation that never stops by itself', () => {
    const cel = 'cel.bind(all, items, all.exists(a, all.exists(b, all.exists(c, all.exists(d, all.exists(e, all.exists(f, f < 0)))))))';
    expect(() => run(cel, {}, 100_000)).toThrow(Exhausted);
  });
});

describe('matches', () => {
  it.each([
    ['text.matches("^x{16}$")', true],
    ['text.matches("y")', false],
    // Inside of macros, too: with backtracking it would take hours.
    [`cel.bind(p, "^(x+)+$", (text + text + text + "y").matches(p))`, false],
    [`self.?absent.orValue(text + text + text + "y").matches("^(x+)+$")`, false],
  ])('%s', (cel, value) => {
    expect(run(cel).value).toBe(value);
  });

  it('needs two texts', () => {
    expect(() => run('self.matches("a")', { self: 1n })).toThrow("found no matching overload for 'int.matches(string)'");
    expect(() => run('text.matches(pattern)', { pattern: 1n })).toThrow("found no matching overload for 'string.matches(int)'");
  });

  it('compiles a pattern once', () => {
    expect(patternOf('a+b')).toBe(patternOf('a+b'));
    expect(patternOf('a+b')).not.toBe(patternOf('a+c'));
    expect(patternOf('x'.repeat(1000)).test('x'.repeat(1000))).toBe(true);
    expect(() => patternOf('x'.repeat(1001))).toThrow('a pattern has at most 1000 characters, this one 1001');
    expect(() => patternOf('(?=a)')).toThrow(
      "Invalid regular expression: (?=a) (error parsing regexp: invalid or unsupported Perl syntax: `(?=`; the syntax is RE2's, without look-around and back-references)",
    );
    for (let at = 0; at < 250; at++) expect(patternOf(`^${at}$`).test(String(at))).toBe(true);
  });
});

describe('has()', () => {
  it.each([
    ['has(self.a.b)', { a: { b: 0 } }, true],
    ['has(self.a.b)', { a: { b: '' } }, true],
    ['has(self.a.b)', { a: { b: null } }, false],
    ['has(self.a.b)', { a: { b: undefined } }, false],
    ['has(self.a.b)', { a: {} }, false],
    ['has(self.a.b)', { a: null }, false],
    ['has(self.a.b)', { a: 'text' }, false],
    ['has(self.a.b)', {}, false],
    ['has(self.a.length)', { a: 'text' }, false],
    ['has(self.toString)', {}, false],
    ['has(self.a[0].b)', { a: [{ b: 1 }] }, true],
    ['has(self.a.filter(x, x.name == "q")[0].b)', { a: [{ name: 'p' }, { name: 'q', b: 1 }] }, true],
    ['has(self.?a.b)', { a: { b: 1 } }, true],
    ['has(self.?a.b)', {}, false],
  ])('%s of %j', (cel, self, value) => {
    expect(run(cel, { self }).value).toBe(value);
  });

  it('needs a member', () => {
    expect(() => parse('has(self)')).toThrow('has() invalid argument');
    expect(() => parse('has(absent.a)')).toThrow('Unknown variable: absent');
    expect(() => parse('has(self["a"])')).toThrow('has() invalid argument');
  });
});

describe('absence', () => {
  const orZero = (cel: string, self: unknown) => {
    const parsed = environment.parse(cel);
    parsed.check();
    onAbsence(parsed.ast, 'count', 0n);
    return parsed({ self }) as unknown;
  };

  it('gives a value in place of a member', () => {
    expect(orZero('self.count', { count: 2n })).toBe(2n);
    expect(orZero('self.count', {})).toBe(0n);
  });

  it('leaves the error of another member', () => {
    expect(() => orZero('self.other', {})).toThrow('No such key: other');
    expect(() => orZero('self.counter', {})).toThrow('No such key: counter');
  });
});

it('lists the nodes of an expression from the outside', () => {
  expect(nodesOf(environment.parse('has(self.a) && {"b": [1, text]}.size() > 0').ast).map(({ op }) => op)).toEqual([
    '&&',
    'call',
    '.',
    'id',
    '>',
    'rcall',
    'map',
    'value',
    'list',
    'value',
    'id',
    'value',
  ]);
});
