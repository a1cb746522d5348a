/** Why a condition is false: the decisive parts, with their values. */
import { expect, it } from 'vitest';
import { compileExpression } from '../../../src/lab/scenario/index.ts';
import { facts } from './facts.ts';

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
  ['cel.bind(x, 2, x > 3)', ['cel.bind(x, 2, x > 3) is false']],
  ['[null, 1].all(x, x == 1)', ['not for null: x is null']],
  ['9007199254740993 + 0 == 1', ['9007199254740993 + 0 == 1: 9007199254740993 + 0 is 9007199254740993']],
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
