/**
 * An order that breaks an invariant, as choices of a scenario: every event that was overtaken is held until the other has happened. So
 * the finding is a file that reproduces, and is reduced like any other. A delay is not quite an order: a held event may meet others at
 * its new instant, so it counts only if the failure reproduces.
 */
import type { Pending } from '../../../engine/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { ClusterEvent } from '../../../controlplane/runtime/index.ts';
import { replaying, type Point } from '../../choices/index.ts';
import { upcomingOf, letPass, type Held } from '../../order/index.ts';
import type { InjectedFault, PointChoice } from '../../scenario/index.ts';
import { attempt } from '../run.ts';
import type { OrderFinding } from './explore.ts';
import { waysOf } from './latency.ts';
import { walk, type Walk } from './walk.ts';

/** Somebody who was overtaken, with where they can be held. */
interface Overtaking {
  readonly first: Held;
  readonly earlier: readonly Held[];
}

/** How an order was found. */
export type Found = Pick<Walk, 'scenario' | 'making'> & Partial<Pick<Walk, 'ways'>>;

/** Choices with which the claim of a finding breaks in the usual order; undefined: none were found. */
export function choicesFor(
  { scenario, making, ways = waysOf(scenario) }: Found,
  finding: OrderFinding,
): readonly PointChoice[] | undefined {
  const all = overtakingsIn({ scenario, making, ways }, finding.picks);
  // Mostly one of them does it, and which of them is told best by itself.
  const plans = [all, ...(all.length > 1 ? all.map((each) => [each]) : [])].flatMap((some) => LONGER.map((more) => delaysOf(some, more)));
  return plans.find((choices) => choices.length > 0 && breaks({ scenario, making }, choices, finding));
}

/** What is held comes so much later than it would have to: something else may be due where it lands. Milliseconds. */
const LONGER: readonly number[] = [0, 1];

const breaks = ({ scenario, making }: Found, choices: readonly PointChoice[], { cause: { claim } }: OrderFinding): boolean =>
  attempt(scenario, making, replaying(choices)).broken.some((cause) => cause.claim === claim);

/** Walks that way again, and listens. */
function overtakingsIn(found: Required<Found>, picks: readonly number[]): readonly Overtaking[] {
  const heard: Point[] = [];
  const passed: { readonly overtaking: Overtaking; readonly from: number }[] = [];
  const upcoming = (cluster: Cluster, pending: Pending<ClusterEvent>): Held => {
    const each = upcomingOf(cluster, pending, heard);
    // News were asked about when they were sent; what is decided and written is when its turn comes.
    const address = each.stream === undefined ? undefined : heard.findLast((point) => each.isAt?.(point))?.address;
    return address === undefined ? each : { ...each, address };
  };
  walk({
    ...found,
    prefix: picks,
    isNew: () => true,
    watcher: {
      heard: (point) => void heard.push(point),
      overtaken(cluster, first, earlier) {
        const overtaking = { first: upcoming(cluster, first), earlier: earlier.map((each) => upcoming(cluster, each)) };
        passed.push({ overtaking, from: heard.length });
      },
    },
  });
  return passed.map(({ overtaking: { first, earlier }, from }) => ({
    first,
    earlier: earlier.map((each): Held => {
      const address = each.address ?? heard.slice(from).find((point) => each.isAt?.(point))?.address;
      return address === undefined ? each : { ...each, address };
    }),
  }));
}

/** Each once, by its longest. */
function delaysOf(overtakings: readonly Overtaking[], more: number): readonly PointChoice[] {
  const held = new Map<string, number>();
  const choices = new Map<string, PointChoice>();
  const nothing: ReadonlyMap<string, InjectedFault> = new Map();
  for (const { first, earlier } of overtakings)
    for (const { at, injectedFault } of earlier.flatMap((each) => letPass(first, each, nothing))) {
      const ms = injectedFault.ms + more;
      if (ms <= (held.get(at) ?? -1)) continue;
      held.set(at, ms);
      choices.set(at, { at, injectedFault: { ...injectedFault, ms } });
    }
  return [...choices.values()];
}
