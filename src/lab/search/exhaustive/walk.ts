/**
 * One run of an exhaustive search: it follows the given picks, then always takes the oldest event, until it ends or reaches a known state.
 */
import { fingerprintText, type Pending } from '../../../engine/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import { describePending, type ClusterEvent } from '../../../controlplane/runtime/index.ts';
import { formatDurationMs } from '../../../schema/values/index.ts';
import { listening, type Point } from '../../choices/index.ts';
import { itemsOf, type Item, type Scenario } from '../../scenario/index.ts';
import { stage, type SimulateOptions, type Staged } from '../../simulation/index.ts';
import { quietAtOf } from '../healing.ts';
import { collectCauses, type Cause, isKnownLast, type Making, watchLiveness } from '../cause.ts';
import { judged, judgementOf } from '../judgement.ts';
import { groupOf, judgedTogether, meetsIn, moveOf, type OrderRules } from './dependence.ts';
import { watchState, type StateWatch } from './state.ts';

/** A choice between several orders. */
export interface Branching {
  readonly alternatives: number;
  /** The event that came first, and the one that it overtook; empty: the oldest came first. */
  readonly words: string;
}

export interface Walked {
  readonly branchings: readonly Branching[];
  readonly picks: readonly number[];
  /** The state at the end; absent: the run was stopped at a known state. */
  readonly end?: string;
  readonly causes: readonly Cause[];
}

export interface Walk {
  readonly scenario: Scenario;
  readonly making: Making;
  readonly rules: OrderRules;
  readonly prefix: readonly number[];
  /** Called at each state beyond the prefix at which several events are due; false: the state is known. */
  isNew(state: string): boolean;
  /** Observes the walk, without influence on it. */
  readonly watcher?: Watcher;
}

/** Called at each point of the walk, and for each pick that was not the oldest event: with that event, and those it overtook. */
export interface Watcher {
  reached(point: Point): void;
  overtaken(cluster: Cluster, first: Pending<ClusterEvent>, earlier: readonly Pending<ClusterEvent>[]): void;
}

/** A run that follows picks, with what it has met so far. */
export interface Path<S> {
  readonly staged: S;
  readonly states: StateWatch;
  readonly branchings: Branching[];
  readonly picks: number[];
  prefix: readonly number[];
  /** It has reached a known state. */
  stopped: boolean;
  /** The broken assertions so far. Those that are certain only at the end are left to the run that continues from a known state. */
  causes(): readonly Cause[];
}

/** Sets up a run that follows picks; `begin` stages it. */
export function pathOf<S extends Pick<Staged, 'cluster' | 'judges' | 'position'>>(
  { scenario, making, rules, prefix, isNew, watcher }: Walk,
  begin: (options: SimulateOptions) => S,
): Path<S> {
  const items = itemsOf(scenario.steps);
  const judgement = judgementOf(scenario, making);
  const collected = collectCauses(judgement.mine);
  const going: { path?: Path<S>; together?: NonNullable<OrderRules['together']> } = {};
  const liveness = watchLiveness(() => going.path?.staged.cluster, quietAtOf(scenario, making));
  const choose = (candidates: readonly Pending<ClusterEvent>[]): number => {
    const { path } = going;
    if (path === undefined || path.stopped) return 0;
    const { cluster, judges, position } = path.staged;
    const nth = path.branchings.length;
    if (nth >= path.prefix.length && !isNew(fingerprintText(path.states.now()))) {
      path.stopped = true;
      return 0;
    }
    const group = groupOf(
      candidates.map((each) => moveOf(cluster, each)),
      orderRulesAt({ ...rules, together: (going.together ??= judgedTogether(judges)) }, items, position),
      meetsIn(cluster),
    );
    if (group.length < 2) return group[0] ?? 0;
    const pick = path.prefix[nth] ?? 0;
    path.branchings.push(branchingAt(cluster, candidates, group, pick, watcher));
    path.picks.push(pick);
    return group[pick] ?? 0;
  };
  const staged = begin({
    ...making,
    choose,
    digest: false,
    tries: false,
    eagerLeases: true,
    mayBeIdle: true,
    onEntry(entry) {
      collected.observe(entry);
      liveness.observe(entry);
    },
    onFailure: collected.failed,
    ...(watcher === undefined ? {} : { chooser: listening(watcher.reached) }),
  });
  const causes = (): readonly Cause[] => {
    const all = judged(liveness.among(collected.broken), judgement);
    return going.path?.stopped === true ? all.filter((each) => !isKnownLast(each)) : all;
  };
  return (going.path = { staged, states: watchState(staged), branchings: [], picks: [], prefix, stopped: false, causes });
}

function branchingAt(
  cluster: Cluster,
  candidates: readonly Pending<ClusterEvent>[],
  group: readonly number[],
  pick: number,
  watcher: Watcher | undefined,
): Branching {
  const [chosen, first] = [candidates[group[pick] ?? 0], candidates[group[0] ?? 0]];
  if (pick === 0 || chosen === undefined) return { alternatives: group.length, words: '' };
  watcher?.overtaken(
    cluster,
    chosen,
    group.slice(0, pick).flatMap((place) => candidates[place] ?? []),
  );
  // Names are resolved now, because a process may have ended later.
  const words = `at ${formatDurationMs(cluster.now - cluster.startAt)} ${nameOf(cluster, chosen)} came before ${nameOf(cluster, first)}`;
  return { alternatives: group.length, words };
}

/**
 * Makes one run.
 *
 * @throws OpaqueState where the state of a component is not plain data.
 */
export function walk(of: Walk): Walked {
  const isNew = (state: string): boolean => {
    const answer = of.isNew(state);
    if (!answer) path.staged.pauseAt(0);
    return answer;
  };
  const path = pathOf({ ...of, isNew }, (options) => stage(of.scenario, options));
  const { staged, states, branchings, picks } = path;
  for (;;) {
    const { done, value } = staged.passing.next();
    if (done === true) {
      const end = fingerprintText(states.now());
      staged.end(value);
      return { branchings, picks, causes: path.causes(), end };
    }
    if (path.stopped) return { branchings, picks, causes: path.causes() };
  }
}

const nameOf = ({ runtime }: Cluster, pending: Pending<ClusterEvent> | undefined): string =>
  pending === undefined ? 'nothing' : describePending(pending.event, pending.part, runtime.resolver);

/** A request takes 2 ms for the round trip, and a watch event 1 ms. */
export const TOY_LATENCY = { api: { minMs: 2, maxMs: 2 }, watch: { minMs: 1, maxMs: 1 } } as const;

/** Returns the scenario with latencies, and whether they were added. */
export function withLatency(scenario: Scenario): { readonly scenario: Scenario; readonly given: boolean } {
  const { api, watch } = scenario.cluster.latency;
  if (api.maxMs > 0 || watch.maxMs > 0) return { scenario, given: false };
  return { scenario: { ...scenario, cluster: { ...scenario.cluster, latency: TOY_LATENCY } }, given: true };
}

/** Returns the dependence while a step waits for a condition, which a write may make true. */
export function orderRulesAt(rules: OrderRules, items: readonly Item[], { items: taken, stage }: Staged['position']): OrderRules {
  const item = items[taken];
  const waits =
    stage === 'due'
      ? item?.step.timing.when === 'cel' || item?.step.timing.when === 'revision'
      : stage !== 'end' && (stage === 'taking' ? item?.step : item?.beside)?.verb === 'waitFor';
  return waits ? { ...rules, alert: true } : rules;
}

export const orderRulesOf = ({ cluster: { latency } }: Scenario): OrderRules => ({
  apart: latency.watch.minMs >= 1 && latency.api.minMs >= 2,
  drawn: latency.watch.minMs !== latency.watch.maxMs || latency.api.minMs !== latency.api.maxMs,
});
