/**
 * Converts an order of events that breaks an invariant to choices of a scenario: every event that was overtaken is held until the other has
 * happened. The finding is then a file that reproduces, and is reduced like any other. A delay is not exactly an order, because a held
 * event may meet others at its new instant, so the choices count only if the failure reproduces.
 */
import type { Pending } from '../../../engine/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { ClusterEvent } from '../../../controlplane/runtime/index.ts';
import { replaying, type Point } from '../../choices/index.ts';
import { upcomingOf, letPass, type Held } from '../../order/index.ts';
import type { InjectedFault, PointChoice } from '../../scenario/index.ts';
import { present } from '../../../schema/values/index.ts';
import { attempt } from '../reproduction.ts';
import type { OrderFinding } from './explore.ts';
import { orderRulesOf, walk, type Walk } from './walk.ts';

/** Events that were overtaken by another, with the points at which they can be held. */
interface Overtaking {
  readonly first: Held;
  readonly earlier: readonly Held[];
}

/** The walk in which an order was found. */
export type Found = Pick<Walk, 'scenario' | 'making'> & Partial<Pick<Walk, 'rules'>>;

/** Returns choices that break the assertion of a finding in the usual order; undefined: none were found. */
export function choicesFor(
  { scenario, making, rules = orderRulesOf(scenario) }: Found,
  finding: OrderFinding,
): readonly PointChoice[] | undefined {
  const all = overtakingsIn({ scenario, making, rules }, finding.picks);
  // Often one overtaking is enough, so each is also tried alone.
  const plans = [all, ...(all.length > 1 ? all.map((each) => [each]) : [])].flatMap((some) => LONGER.map((more) => delaysOf(some, more)));
  return plans.find((choices) => choices.length > 0 && breaks({ scenario, making }, choices, finding));
}

/** Additional delays, because another event may be due at the instant to which an event is held. Milliseconds. */
const LONGER: readonly number[] = [0, 1];

const breaks = ({ scenario, making }: Found, choices: readonly PointChoice[], { cause: { claim } }: OrderFinding): boolean =>
  attempt(scenario, making, replaying(choices)).broken.some((cause) => cause.claim === claim);

function overtakingsIn(found: Required<Found>, picks: readonly number[]): readonly Overtaking[] {
  const reached: Point[] = [];
  const passed: { readonly overtaking: Overtaking; readonly from: number }[] = [];
  const upcoming = (cluster: Cluster, pending: Pending<ClusterEvent>): Held => {
    const each = upcomingOf(cluster, pending, reached);
    // The points of watch events are reached when they are sent, those of decisions and writes when they are due.
    return present({ ...each, address: each.stream === undefined ? undefined : reached.findLast((point) => each.isAt?.(point))?.address });
  };
  walk({
    ...found,
    prefix: picks,
    isNew: () => true,
    watcher: {
      reached: (point) => void reached.push(point),
      overtaken(cluster, first, earlier) {
        const overtaking = { first: upcoming(cluster, first), earlier: earlier.map((each) => upcoming(cluster, each)) };
        passed.push({ overtaking, from: reached.length });
      },
    },
  });
  return passed.map(({ overtaking: { first, earlier }, from }) => ({
    first,
    earlier: earlier.map((each) =>
      present({ ...each, address: each.address ?? reached.slice(from).find((point) => each.isAt?.(point))?.address }),
    ),
  }));
}

/** Returns one choice for each point, with the longest delay. */
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
