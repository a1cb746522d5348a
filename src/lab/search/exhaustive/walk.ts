/** One run of an exhaustive search: by the given picks, then always the oldest event first, until it ends or reaches a known state. */
import { fingerprintText, type Pending } from '../../../engine/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import { describePending, type ClusterEvent } from '../../../controlplane/runtime/index.ts';
import { formatDurationMs } from '../../../schema/values/index.ts';
import type { Chooser, Point } from '../../choices/index.ts';
import { itemsOf, type Scenario } from '../../scenario/index.ts';
import { stage, type Staged } from '../../simulation/index.ts';
import type { Making } from '../run.ts';
import { quietAtOf } from '../healing.ts';
import { listen, type Cause } from '../cause.ts';
import { isKnownLast, watchLiveness } from '../liveness.ts';
import { groupOf, judgedTogether, meetsIn, moveOf, type Ways } from './dependence.ts';
import { waysAt } from './latency.ts';
import { watchState, type StateWatch } from './state.ts';

/** A place where there is more than one way. */
export interface Branching {
  readonly ways: number;
  /** What came first, and in whose place; empty: the oldest. */
  readonly words: string;
}

export interface Walked {
  readonly branchings: readonly Branching[];
  /** The way that was gone at each. */
  readonly picks: readonly number[];
  /** The state at its end; absent: it was broken off at a known state. */
  readonly end?: string;
  /** What did not hold, the first first. */
  readonly causes: readonly Cause[];
}

/** Which way to go. */
export interface Walk {
  readonly scenario: Scenario;
  readonly making: Making;
  readonly ways: Ways;
  readonly prefix: readonly number[];
  /** Asked at each state beyond the prefix at which more than one thing is due; false: there is nothing new to come of it. */
  isNew(state: string): boolean;
  /** Somebody who wants to know more of it than comes back; they change nothing. */
  readonly watcher?: Watcher;
}

/** Called at each point of the walk, and for each pick that was not the oldest: the event that came first, and those it overtook. */
export interface Watcher {
  heard(point: Point): void;
  overtaken(cluster: Cluster, first: Pending<ClusterEvent>, earlier: readonly Pending<ClusterEvent>[]): void;
}

/** Goes one way. Throws where the state of a component is no data. */
export function walk({ scenario, making, ways, prefix, isNew, watcher }: Walk): Walked {
  const branchings: Branching[] = [];
  const picks: number[] = [];
  const items = itemsOf(scenario.steps);
  const heard = listen();
  const going: { staged?: Staged; states?: StateWatch; together?: NonNullable<Ways['together']>; stopped: boolean } = { stopped: false };
  const liveness = watchLiveness(() => going.staged?.cluster, quietAtOf(scenario));
  const choose = (candidates: readonly Pending<ClusterEvent>[]): number => {
    const { staged, states } = going;
    if (staged === undefined || states === undefined || going.stopped) return 0;
    const { cluster } = staged;
    const judged: Ways = { ...ways, together: (going.together ??= judgedTogether(staged.judges)) };
    if (branchings.length >= prefix.length && !isNew(fingerprintText(states.now()))) {
      going.stopped = true;
      staged.pauseAt(0);
      return 0;
    }
    const group = groupOf(
      candidates.map((each) => moveOf(cluster, each)),
      waysAt(judged, items, staged.position),
      meetsIn(cluster),
    );
    if (group.length < 2) return group[0] ?? 0;
    const pick = prefix[branchings.length] ?? 0;
    const [chosen, first] = [candidates[group[pick] ?? 0], candidates[group[0] ?? 0]];
    if (pick > 0 && chosen !== undefined)
      watcher?.overtaken(
        cluster,
        chosen,
        group.slice(0, pick).flatMap((place) => candidates[place] ?? []),
      );
    const sinceStartMs = cluster.now - cluster.startAt;
    // Names are those of the moment: afterwards nobody may be there who bears them.
    const words = pick === 0 ? '' : `at ${formatDurationMs(sinceStartMs)} ${nameOf(staged, chosen)} came before ${nameOf(staged, first)}`;
    branchings.push({ ways: group.length, words });
    picks.push(pick);
    return group[pick] ?? 0;
  };
  const staged = stage(scenario, {
    ...making,
    choose,
    digest: false,
    tries: false,
    eagerLeases: true,
    mayBeIdle: true,
    onEntry(entry) {
      heard.hear(entry);
      liveness.hear(entry);
    },
    onFailure: heard.failed,
    ...(watcher === undefined ? {} : { chooser: listening(watcher) }),
  });
  going.staged = staged;
  going.states = watchState(staged);
  const end = toItsEnd(staged, going.states, () => going.stopped);
  const causes = liveness.among(heard.broken);
  // Whoever went on from the known state tells what it came to.
  if (end === undefined) return { branchings, picks, causes: causes.filter((each) => !isKnownLast(each)) };
  return { branchings, picks, causes, end };
}

const listening = (watcher: Watcher): Chooser => ({
  slow: new Map(),
  choose(point) {
    watcher.heard(point);
    return undefined;
  },
});

function toItsEnd(staged: Staged, states: StateWatch, isStopped: () => boolean): string | undefined {
  for (;;) {
    const { done, value } = staged.passing.next();
    if (done === true) {
      const end = fingerprintText(states.now());
      staged.end(value);
      return end;
    }
    if (isStopped()) {
      staged.passing.return(false);
      return undefined;
    }
  }
}

const nameOf = ({ cluster: { runtime } }: Staged, pending: Pending<ClusterEvent> | undefined): string =>
  pending === undefined ? 'nothing' : describePending(pending.event, pending.part, runtime.resolver);
