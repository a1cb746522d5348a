/**
 * The choice among events of one instant breaks no invariant: all orders within an instant are possible, so an invariant that holds in the
 * usual one must hold in all. A longer search by hand: `ORCHSIM_ORDERS=1000 npx vitest run test/lab/simulation/orders.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/engine/index.ts';
import type { Cluster } from '../../../src/controlplane/cluster.ts';
import { watchLivelocks, watchStarvation } from '../../../src/lab/livelock/index.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { livenessIn, simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { FOLDERS, recordedDigests, shipped } from '../../support/shipped.ts';

const ORDERS = Number(process.env['ORCHSIM_ORDERS'] ?? 1);
/** Scenarios with more events are left to the longer search, because a few of their runs take seconds. */
const SHORT = ORDERS > 1 ? Infinity : 1_200;

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

describe.each(scenarios.map(({ scenario }) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
  const there: { cluster?: Cluster } = {};
  const livelocks = watchLivelocks(() => there.cluster);
  const hungry = watchStarvation(() => there.cluster);
  // The usual order made by an explicit choice is compared with a run without a chooser.
  const usual = simulate(scenario, {
    choose: () => 0,
    tries: false,
    onCluster: (cluster) => (there.cluster = cluster),
    onEntry(entry) {
      livelocks.observe(entry);
      hungry.observe(entry);
    },
  });

  it('has no livelock, and no key fails again and again without a fault', () => {
    expect([livelocks.livelock, hungry.starvation, livenessIn(usual)]).toEqual([undefined, undefined, undefined]);
  });

  it.skipIf(usual.steps > SHORT)(`breaks nothing else in random orders (${ORDERS})`, { timeout: ORDERS * 20_000 }, () => {
    const allowed = new Set(broken(usual));
    const others = new Map<string, number[]>();
    for (let order = 1; order <= ORDERS; order++)
      for (const what of inOrder(scenario, order)) if (!allowed.has(what)) others.set(what, [...(others.get(what) ?? []), order]);
    expect(Object.fromEntries(others)).toEqual({});
  });

  it('is the same run when the oldest is always picked', () => {
    expect(usual.digest).toBe(unchosen.get(scenario.name));
  });
});
