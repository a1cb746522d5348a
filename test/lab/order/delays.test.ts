/** The choices that put one pending event first: how long each of the others is held. */
import { describe, expect, it } from 'vitest';
import { letPass, typedChoices, type Held } from '../../../src/lab/order/waiting.ts';
import type { InjectedFault, PointChoice } from '../../../src/lab/scenario/index.ts';

const choice = (at: string, injectedFault: InjectedFault): PointChoice => ({ at, injectedFault });

describe('an event that is to come first', () => {
  const held = (at: number, address?: string): Held => ({ at, what: 'x', ...(address === undefined ? {} : { address }) });

  it('lets the others wait until it has happened', () => {
    const first = held(1_000);
    const passes = (other: Held, before: readonly (readonly [string, InjectedFault])[] = []) => letPass(first, other, new Map(before));
    expect([
      passes(held(1_000)),
      passes(held(1_000, 'decide m job n/a w0+1')),
      passes(held(400, 'decide m job n/a w0+1')),
      passes(held(1_000, 'see m Pod n/p #1')),
      passes(held(700, 'write m job n/a: create Pod #1')),
      passes(held(700, 'see m Pod n/p #1'), [['see m Pod n/p #1', { do: 'hold', ms: 50 }]]),
      passes(held(700, 'write m job'), [['write m job', { do: 'late', ms: 50 }]]),
      passes(held(700, 'see m Pod'), [['see m Pod', { do: 'gap', ms: 50 }]]),
    ]).toEqual([
      [],
      [choice('decide m job n/a w0+1', { do: 'hold', ms: 0 })],
      [choice('decide m job n/a w0+1', { do: 'hold', ms: 601 })],
      [choice('see m Pod n/p #1', { do: 'hold', ms: 1 })],
      [choice('write m job n/a: create Pod #1', { do: 'late', ms: 301 })],
      [choice('see m Pod n/p #1', { do: 'hold', ms: 351 })],
      [choice('write m job', { do: 'late', ms: 351 })],
      [choice('see m Pod', { do: 'hold', ms: 301 })],
    ]);
    expect(
      typedChoices([
        { at: 'see m Pod n/p #1', injectedFault: { do: 'hold', ms: 1_500 } },
        { at: 'write "x"', injectedFault: { do: 'late', ms: 2 } },
      ]),
    ).toBe('choices: [{ at: "see m Pod n/p #1", hold: 1500ms }, { at: "write \\"x\\"", late: 2ms }]');
  });
});
