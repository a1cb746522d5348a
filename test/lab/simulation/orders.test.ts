/**
 * The choice among events of one instant breaks no invariant: all orders within an instant are possible, so an invariant that holds in the
 * usual one must hold in all. A longer search by hand: `ORCHSIM_ORDERS=1000 npx vitest run test/lab/simulation/orders.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/engine/index.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { covering } from '../../support/covering.ts';
import { FOLDERS, goldenOf, recordedDigests, shipped, textOf } from '../../support/shipped.ts';

const ORDERS = Number(process.env['ORCHSIM_ORDERS'] ?? 1);
/** Lines of a golden text. Longer scenarios are left to the longer search, because a few of their runs take seconds. */
const SHORT = ORDERS > 1 ? Infinity : 120;

const chosen = new Set(covering('lines'));
const scenarios = FOLDERS.flatMap((folder) => shipped(folder).scenarios);

/** Digests of the runs in the usual order. */
const unchosen = recordedDigests();

/** The broken invariants of a run, and whether it ended. */
const broken = ({ failures }: Run): readonly string[] =>
  failures.flatMap(({ kind, invariant, message }) =>
    kind === 'invariant' && !message.startsWith('it was never')
      ? [invariant ?? message]
      : kind === 'limit' || kind === 'controller'
        ? [message]
        : [],
  );

function inOrder(scenario: Scenario, order: number): readonly string[] {
  const random = createRandom(order).stream('orders');
  return broken(simulate(scenario, { choose: (candidates) => random.below(candidates.length), tries: false, digest: false }));
}

/** Whether a scenario file has runs short enough for the usual search. */
const isShort = (file: string): boolean => (textOf(goldenOf(file)) ?? '').split('\n').length <= SHORT;

describe.each(scenarios.map((loaded) => [loaded.scenario.name, loaded] as const))('%s', (_, { scenario, file }) => {
  it.runIf(isShort(file))(`breaks nothing else in random orders (${ORDERS})`, { timeout: ORDERS * 20_000 }, () => {
    const allowed = new Set(file.startsWith('scenarios/broken') ? broken(simulate(scenario, { tries: false })) : []);
    const others = new Map<string, number[]>();
    for (let order = 1; order <= ORDERS; order++)
      for (const what of inOrder(scenario, order)) if (!allowed.has(what)) others.set(what, [...(others.get(what) ?? []), order]);
    expect(Object.fromEntries(others)).toEqual({});
  });

  // The usual order made by an explicit choice.
  it.runIf(chosen.has(file))('is the same run when the oldest is always picked', () => {
    expect(simulate(scenario, { choose: () => 0, tries: false }).digest).toBe(unchosen.get(scenario.name));
  });
});
