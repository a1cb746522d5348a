/** The budget of a condition: linear patterns, a limit of steps, and the messages about both. */
import { describe, expect, it } from 'vitest';
import { compileExpression, type Facts } from '../../../src/lab/scenario/index.ts';

const world = (count: number): Facts => {
  const pods = Array.from({ length: count }, (_, at) => ({ kind: 'Pod', metadata: { name: `p${at}` }, status: { at } }));
  return { objects: () => pods, object: () => undefined, now: 0, startAt: 0 };
};
const ask = (cel: string, count = 3): unknown => {
  const compiled = compileExpression(cel);
  return 'expression' in compiled ? compiled.expression.evaluate(world(count)) : compiled;
};
const SPENT = { error: expect.stringMatching(/^it takes more than 5,000,000 steps: filter first/) as unknown };

describe('matches', () => {
  it.each([
    ["'p12'.matches('^p[0-9]+$')", { holds: true }],
    ["'xp12y'.matches('p[0-9]+')", { holds: true }],
    ["'x'.matches('^(?i)X$')", { holds: true }],
    ["objects('Pod').all(p, p.metadata.name.matches('^p' + '[0-9]$'))", { holds: true }],
    ["'é'.matches('^.$')", { holds: true }],
  ])('%s', (cel, answer) => {
    expect(ask(cel)).toEqual(answer);
  });

  it('takes time in proportion to the text', () => {
    expect(ask(`'${'a'.repeat(9_000)}b'.matches('^(a+)+$')`)).toEqual({ holds: false });
    expect(ask(`'${'x'.repeat(2_000)}'.matches('(x+x+)+y')`)).toEqual({ holds: false });
  });

  it('reports unsupported syntax before the run', () => {
    expect(ask("'x'.matches('(?=a)')")).toEqual({
      error: { message: expect.stringContaining("the syntax is RE2's, without look-around and back-references") as unknown, offset: 12 },
    });
    expect(ask(`'x'.matches('${'a?'.repeat(501)}')`)).toEqual({
      error: { message: 'a pattern has at most 1000 characters, this one 1002', offset: 12 },
    });
    expect(ask("'x'.matches('(' + 'x')")).toEqual({ error: expect.stringContaining('missing closing )') as unknown });
  });

  it('counts the cost of a pattern on a text', () => {
    expect(ask("'x'.matches('^(?:x{1000}){1}$')")).toEqual({ holds: false });
    expect(ask("objects('Pod').map(p, p.metadata.name).join('-').matches('^(?:[a-z0-9-]{900})+$')", 100_000)).toEqual(SPENT);
  });
});

describe('the budget', () => {
  it('allows a condition on every one of 100,000 pods', () => {
    expect(ask("objects('Pod').all(p, p.status.at >= 0 && p.metadata.name.startsWith('p'))", 100_000)).toEqual({ holds: true });
  });

  it.each([
    ['pods against pods', "objects('Pod').all(p, objects('Pod').exists(q, q.status.at == -1) || true)", 5_000],
    ['where errors are passed over', "true || objects('Pod').all(p, objects('Pod').exists(q, q.status.at == -1))", 3],
    ['lists compared', "objects('Pod').all(p, objects('Pod') == objects('Pod'))", 5_000],
    ['lists that grow', "objects('Pod').all(p, (objects('Pod') + objects('Pod') + objects('Pod')).size() > 0)", 2_000],
  ])('%s', (name, cel, count) => {
    expect(ask(cel, count)).toEqual(name === 'where errors are passed over' ? { holds: true } : SPENT);
  });

  it('is the same budget every time', () => {
    const cel = "objects('Pod').exists(p, objects('Pod').exists(q, q.status.at < 0))";
    expect(ask(cel, 400)).toEqual({ holds: false });
    expect(ask(cel, 400)).toEqual({ holds: false });
  });
});
