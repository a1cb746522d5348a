import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, type Facts } from '../../../src/lab/scenario/index.ts';

const pod = (name: string, namespace: string, status: object) =>
  Object.freeze({ kind: 'Pod', metadata: { name, namespace, labels: { 'app.io/x': 'a' } }, status });
const pods = [pod('a', 'default', { phase: 'Running', restarts: 3 }), pod('b', 'other', { phase: 'Pending', ratio: 0.5 })];
const node = { kind: 'Node', metadata: { name: 'node-0' } };
const job = {
  kind: 'Job',
  metadata: { name: 'a', namespace: 'default' },
  spec: { parallelism: 5, list: [1, 2] },
  status: { startTime: '2024-03-01T00:00:00Z' },
};
const events = [
  { kind: 'Event', reason: 'Created', involvedObject: { kind: 'Job', namespace: 'default', name: 'a' } },
  { kind: 'Event', reason: 'Other', involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' } },
];
const all = [...pods, node, job, ...events] as readonly { kind: string; metadata?: { name: string; namespace?: string } }[];
const startAt = Date.UTC(2024, 2, 1);
const facts: Facts = {
  now: startAt + 5_000,
  startAt,
  objects: (kind, namespace) =>
    all.filter((object) => object.kind === kind && (namespace === undefined || object.metadata?.namespace === namespace)),
  object: (kind, namespace, name) =>
    all.find((object) => object.kind === kind && object.metadata?.name === name && object.metadata.namespace === namespace),
};
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
    { numRuns: 1_000 },
  );
});

describe('why a condition is false', () => {
  const explain = (cel: string) => {
    const compiled = compileExpression(cel);
    return 'expression' in compiled ? compiled.expression.explain(facts) : compiled.error;
  };

  it.each<[string, readonly string[]]>([
    ["objects('Pod').size() == 3", ['objects("Pod").size() == 3: objects("Pod").size() is 2']],
    [
      "true && object('Job/a').spec.parallelism > 7 && false",
      ['object("Job/a").spec.parallelism > 7: object("Job/a").spec.parallelism is 5'],
    ],
    ["objects('Pod').all(p, p.status.phase == 'Running')", ['not for Pod other/b: p.status.phase is "Pending"']],
    ["objects('Pod').exists(p, p.status.phase == 'Failed')", ['p.status.phase == "Failed" holds for 0 of 2']],
    ["!(size(objects('Pod')) == 2)", ['size(objects("Pod")) == 2 is true']],
    ["1 > 2 || object('Job/b') != null", ['1 > 2: is false', 'object("Job/b") != null: object("Job/b") is null']],
    ["objects('Pod').exists_one(p, p.kind == 'Pod')", ['p.kind == "Pod" holds for 2 of 2']],
    ["objects('Pod').all(p, has(p.status.ratio) || p.kind == 'Job')", ['not for Pod default/a']],
    ["objects('Node').all(n, n.metadata.name == 'a')", ['not for Node node-0: n.metadata.name is "node-0"']],
    ['[1, 2, 3].all(x, x in [3])', ['not for 1: x is 1', 'not for 2: x is 2']],
    ['[1, 2, 3].all(x, x > 3)', ['not for 1: x is 1', 'not for 2: x is 2', 'not for 3: x is 3']],
    ['[1, 2, 3, 4, 5].all(x, x > 5)', ['not for 1: x is 1', 'not for 2: x is 2', 'not for 3: x is 3', 'and not for 2 more']],
    ["[{'a': 1}].all(x, x.a > 1)", ['not for {"a":1}: x.a is 1']],
    ["{'a': 1}.all(k, k == 'b')", ['not for "a": k is "a"']],
    [
      "objects('Pod').all(p, p.status.nope == 1)",
      [
        'p.status.nope == 1: unknown (No such key: nope (a field that is absent when it is zero is read as object.?status.?active.orValue(0)))',
      ],
    ],
    [
      "object('Job/b').all(p, p == 1)",
      ["p == 1: unknown (Expression of type 'null' cannot be range of a comprehension (must be list, map, or dynamic).)"],
    ],
    ["'abc'.startsWith('x')", ['"abc".startsWith("x") is false']],
    ["has(object('Job/a').status.nope)", ['has(object("Job/a").status.nope) is false']],
    ['true ? false : true', ['true ? false : true is false']],
    ['now.getSeconds() == 4 || (1 > 2 && 2 > 3)', ['now.getSeconds() == 4: now.getSeconds() is 5', '1 > 2: is false']],
    ['1 / 0 == 1 && true', ['(1 / 0) == 1: 1 / 0 is unknown (division by zero)']],
    [
      "now < timestamp('2024-03-01T00:00:00Z')",
      [
        'now < timestamp("2024-03-01T00:00:00Z"): now is 2024-03-01T00:00:05.000Z, timestamp("2024-03-01T00:00:00Z") is 2024-03-01T00:00:00.000Z',
      ],
    ],
    [
      "object('Job/a').spec == {'list': [1]}",
      ['object("Job/a").spec == {"list": [1]}: object("Job/a").spec is {"parallelism":5,"list":[1,2]}, {"list": [1]} is {"list":[1]}'],
    ],
    [
      `'${'x'.repeat(79)}' + '' == '${'x'.repeat(78)}' + ''`,
      [
        `"${'x'.repeat(79)}" + "" == "${'x'.repeat(78)}" + "": "${'x'.repeat(79)}" + "" is "${'x'.repeat(79)}…, "${'x'.repeat(78)}" + "" is "${'x'.repeat(78)}"`,
      ],
    ],
    ["elapsed > duration('1m')", ['elapsed > duration("1m"): elapsed is 5s, duration("1m") is 60s']],
    [
      "object('Job/a').spec.nope > 1",
      [
        'object("Job/a").spec.nope > 1: object("Job/a").spec.nope is unknown (No such key: nope (a field that is absent when it is zero is read as object.?status.?active.orValue(0)))',
      ],
    ],
  ])('%s', (cel, lines) => {
    expect(explain(cel)).toEqual(lines);
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
    expect(asks("objects('P' + 'od').size() > 0 && elapsed > duration('1s')")).toEqual(['any', true]);
  });
});
