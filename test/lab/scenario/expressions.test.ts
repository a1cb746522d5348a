import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../../src/lab/scenario/index.ts';
import { facts, pods } from './facts.ts';

const kinds = ['Pod', 'Job', 'Node', 'Event'];

function evaluate(cel: string, self?: object): unknown {
  const compiled = compileExpression(cel, { about: self === undefined ? 'world' : 'self', kinds });
  if ('error' in compiled) return compiled.error;
  const result = compiled.expression.evaluate(facts, self);
  return 'holds' in result ? result.holds : result.error;
}

describe('conditions', () => {
  it.each([
    "objects('Pod').all(p, p.kind == 'Pod')",
    "objects('Pod').exists_one(p, p.status.phase == 'Running')",
    "size(objects('Pod')) == 2",
    "objects('Pod', 'other').size() == 1",
    "objects('Pod').map(p, p.metadata.name) == ['a', 'b']",
    "objects('Pod').filter(p, has(p.status.restarts)).size() == 1",
    "objects('Pod')[1].status.ratio + 0.5 == 1.0",
    "objects('Pod')[0].metadata.labels['app.io/x'] == 'a'",
    "object('Job/a').spec.parallelism / 2 == 2",
    "object('Job/a').spec.parallelism % 2 + 1 == 2",
    "object('Job/default/a').spec.parallelism > objects('Pod').size()",
    "2 in object('Job/a').spec.list",
    "object('Job/a').spec == {'parallelism': 5, 'list': [1, 2]}",
    "object('Job/other/a') == null",
    "object('Node/node-0') != null",
    "object('Job/a').?status.?active.orValue(0) == 0",
    "now == timestamp('2024-03-01T00:00:05Z')",
    "elapsed == duration('5s')",
    "now - timestamp(object('Job/a').status.startTime) < duration('1m')",
    'now.getSeconds() == 5',
    'events().size() == 2',
    "events('Job/a').all(e, e.reason == 'Created')",
    "events('Job/a')[0].reason.matches('^Cre')",
  ])('%s', (cel) => {
    expect(evaluate(cel)).toBe(true);
  });

  it('may be about one object', () => {
    expect(evaluate("self.status.restarts == 3 && self.metadata.name == 'a'", pods[0])).toBe(true);
    expect(compileExpression('self == null')).toMatchObject({ error: { message: 'Unknown variable: self' } });
  });

  it('see each revision of an object', () => {
    const compiled = compileExpression('self.n == 1', { about: 'self' });
    const results = 'expression' in compiled ? [{ n: 1 }, { n: 2 }, { n: 1 }].map((self) => compiled.expression.evaluate(facts, self)) : [];
    expect(results).toEqual([{ holds: true }, { holds: false }, { holds: true }]);
  });
});

describe('what does not compile has an offset and the nearest name', () => {
  it.each<[string, object]>([
    ['1 +', { message: 'Unexpected token: EOF', offset: 3 }],
    ['', { message: 'Unexpected token: EOF', offset: 0 }],
    ['true && nw > now', { message: 'Unknown variable: nw', offset: 8, suggestion: 'now' }],
    ["objcts('Pod').size() > 0", { offset: 0, suggestion: 'objects' }],
    ["objects('Pdo').size() > 0", { message: 'unknown kind "Pdo"', offset: 8, suggestion: 'Pod' }],
    ["object('Job') == null", { message: 'object() expects Kind/name or Kind/namespace/name, not "Job"', offset: 7 }],
    ["objects('Pod')", { message: 'a condition is true or false, this is list', offset: 0 }],
    ["'a' + 1 == 'a1'", { message: 'no such overload: string + int' }],
    ["now.getHours('Europe/Berlin') == 1", { message: 'getHours() with a zone depends on the host and is not supported' }],
    ['now.getDayOfYear() == 1', { message: 'getDayOfYear() depends on the host and is not supported' }],
    ["now > timestamp('2024-03-01T00:00:00.000')", { message: 'a timestamp needs a zone, such as Z', offset: 16 }],
    [`${'('.repeat(5_000)}1`, {}],
    [' '.repeat(20_000), { message: 'at most 10000 characters' }],
  ])('%s', (cel, error) => {
    expect(evaluate(cel)).toMatchObject(error);
  });
});

it('a name is suggested for one that is not known, and none for a known function with other arguments', () => {
  const suggested = (cel: string) => (evaluate(cel) as { readonly suggestion?: string }).suggestion;
  expect(["'a'.strtsWith('b')", "objcts('Pod').size() == 1", 'elapsd == now', 'size(1) == 2', 'now.contains(1)'].map(suggested)).toEqual([
    'startsWith',
    'objects',
    'elapsed',
    undefined,
    undefined,
  ]);
});

describe('what fails while it runs is a value', () => {
  it.each([
    [
      "object('Job/a').status.active == 0",
      'No such key: active (a field that is absent when it is zero is read as object.?status.?active.orValue(0))',
    ],
    ["object('Job/nope').status.active == 0", expect.stringContaining('No such key: status')],
    ["object('Job/a').spec.list", 'a condition is true or false, this is something else'],
    ["object('Job/a').metadata.name", 'a condition is true or false, this is a'],
    ["object('Job/a').spec.parallelism", 'a condition is true or false, this is 5'],
    ["object('Job/a').spec.list[7] == 1", expect.stringContaining('index out of bounds')],
    ["object('Job/a').constructor == 1", expect.stringContaining('No such key: constructor')],
    ['1 / 0 == 1', expect.stringContaining('division by zero')],
  ])('%s', (cel, error) => {
    expect(evaluate(cel)).toEqual(error);
  });
});

it('no text makes it throw', () => {
  const piece = fc.constantFrom(
    "objects('Pod')",
    '.all(',
    'p,',
    ' p',
    '.status',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '==',
    '&&',
    '?',
    ':',
    '1',
    '.',
    'now',
    '-',
    'has(',
    "r'",
    'b"',
    '\\u',
    '0x',
    '1e999',
    '%',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
      ),
      (cel) => {
        const compiled = compileExpression(cel);
        if ('error' in compiled) expect(compiled.error.offset >= 0 && compiled.error.offset <= cel.length).toBe(true);
        else compiled.expression.evaluate(facts);
      },
    ),
    { numRuns: 300 },
  );
});

it('the kinds that it reads are known beforehand', () => {
  const asks = (cel: string) => {
    const compiled = compileExpression(cel);
    return 'expression' in compiled
      ? [compiled.expression.kinds === undefined ? 'any' : [...compiled.expression.kinds], compiled.expression.usesTime]
      : compiled.error;
  };
  expect(asks("objects('Pod').size() > 0 && object('Job/a') != null && events('Job/a').size() > 0")).toEqual([
    ['Pod', 'Job', 'Event'],
    false,
  ]);
  expect(asks('events().size() == 0 && now > timestamp(0)')).toEqual([['Event'], true]);
  expect(asks("size('Pod') == 3")).toEqual([[], false]);
  expect(asks("object('Pod/default/a') == null || objects('Pod', 'other').size() == 0")).toEqual([['Pod'], false]);
  expect(asks("objects('P' + 'od').size() > 0 && elapsed > duration('1s')")).toEqual(['any', true]);
});
