/** What is remembered changes no result; accessors, errors and spans are small and exact. */
import { describe, expect, it } from 'vitest';
import { accessors, lastOf, listPrints, newItems, perObject, withNow } from '../../src/engine/index.ts';
import { OrchsimError } from '../../src/engine/error.ts';

describe('memories', () => {
  it('of the last argument keep one result', () => {
    let calls = 0;
    const doubled = lastOf((n: number) => {
      calls++;
      return n * 2;
    });
    expect([doubled(1), doubled(1), doubled(2), doubled(1)]).toEqual([2, 2, 4, 2]);
    expect(calls).toBe(3);
  });

  it('of objects keep a result each', () => {
    let calls = 0;
    const counted = perObject((object: { readonly n: number }, more: number) => {
      calls++;
      return object.n + more;
    });
    const [a, b] = [{ n: 1 }, { n: 1 }];
    expect([counted(a, 1), counted(a, 5), counted(b, 5), counted(a, 0), calls]).toEqual([2, 2, 6, 2, 2]);
  });

  it('of lists keep the print of frozen records, by name', () => {
    let calls = 0;
    const print = listPrints((list) => ({ a: list.length, b: calls++ }));
    const [one, two] = [Object.freeze({ n: 1 }), Object.freeze({ n: 2 })];
    print('x', [one, two]);
    expect([print('x', [one, two]), calls]).toEqual([{ a: 2, b: 0 }, 1]);
    expect([print('y', [one, two]).b, print('x', [one]).b, print('x', [two]).b, calls]).toEqual([1, 2, 3, 4]);
    expect([print('z', [{ n: 1 }]).b, print('z', [{ n: 1 }]).b]).toEqual([4, 5]);
    const loose = { n: 1 };
    expect([print('l', [loose]).b, print('l', [loose]).b, print('t', ['a']).b, print('t', ['a']).b]).toEqual([6, 7, 8, 9]);
  });
});

describe('accessors', () => {
  it('are computed at each access, and are members like others', () => {
    let now = 1;
    const make = accessors('now', 'later');
    const made = make<{ readonly now: number; readonly later: number; readonly name: string }>(
      { now: () => now, later: () => now + 1 },
      { name: 'a' },
    );
    expect([made.now, made.later, made.name]).toEqual([1, 2, 'a']);
    now = 5;
    expect([made.now, made.later]).toEqual([5, 6]);
    const names: string[] = [];
    for (const name in made) names.push(name);
    expect(names).toEqual(['name', 'now', 'later']);
    expect(withNow<{ readonly now: string }>({ now: () => 'x' }, {}).now).toBe('x');
  });
});

it('an error names the page that explains its code', () => {
  const plain = new OrchsimError('ORCH_ARGUMENT', 'expected a, found b');
  expect([plain.message, plain.code, plain.name, 'cause' in plain]).toEqual([
    'expected a, found b\nORCH_ARGUMENT: npx orchsim help errors-arguments',
    'ORCH_ARGUMENT',
    'OrchsimError',
    false,
  ]);
  const pages = ['ORCH_SCENARIO', 'ORCH_DEFINITION', 'ORCH_IMPORT', 'ORCH_NOT_HELD', 'ORCH_COUNTEREXAMPLE'] as const;
  expect(pages.map((code) => new OrchsimError(code, 'x', 'why').message.split(' ').at(-1))).toEqual([
    'errors-scenarios',
    'errors-definitions',
    'errors-definitions',
    'errors-runs',
    'errors-runs',
  ]);
  expect(new OrchsimError('ORCH_IMPORT', 'x', 'why').cause).toBe('why');
});

it.each([
  [[1, 2, 3], [1, 2, 3], 3, 3],
  [[1, 2, 3], [], 0, 3],
  [[], [1, 2], 0, 0],
  [[1, 9, 3], [1, 2, 3], 1, 2],
  [[1, 2, 3, 4], [1, 2, 3], 3, 4],
  [[0, 1, 2, 3], [1, 2, 3], 0, 1],
  [[1, 3], [1, 2, 3], 1, 1],
  [[1, 1, 1], [1, 1], 2, 3],
  [[1, 1], [1, 1, 1], 2, 2],
  [[4, 5], [1, 2, 3], 0, 2],
])('%j has new items against %j in [%d, %d)', (list, before, from, to) => {
  expect(newItems(list, before)).toEqual({ from, to });
});
