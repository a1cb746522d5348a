/**
 * A run that did not come to rest, looked at again: whether it got nowhere, and what repeats. Plain runs are watched by nobody, so they
 * cost nothing more; the same seed gives the same run, and what is at rest has got somewhere.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import { livelockText, starvationText, watchLivelocks, watchStarvation, type Livelock, type Starvation } from '../livelock/index.ts';
import type { Definitions } from '../definitions/index.ts';
import { itemsOf, type Step } from '../scenario/index.ts';
import type { Run } from './run.ts';
import { stage, type Staged } from './simulate.ts';

/** What a world does that goes on and gets nowhere: a headline, what repeats, a line each. */
export interface Liveness {
  readonly message: string;
  readonly detail: readonly string[];
  /** The round that is told, or the failure: from right before it to its end, milliseconds since the start. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Entries of which the first so many are looked at: a circle closes long before. */
const MOST_ENTRIES = 2_000_000;
/** A circle and starvation take as many decisions at the least. */
const FEWEST_DECISIONS = 6;

/** What the run was about when it ended; undefined: it got somewhere. `own`: the definitions that it was run with. */
export const livenessIn = (run: Run, own?: Definitions): Liveness | undefined => (mayGoRound(run) ? lookAgain(run, own) : undefined);

/** Whether something was still going on, and not by a schedule alone. */
function mayGoRound({ settled, counters: { reconciles }, cluster: { kernel, runtime } }: Run): boolean {
  if (settled || reconciles < FEWEST_DECISIONS) return false;
  return kernel.foreground > runtime.recurrences.pending().length;
}

function lookAgain({ scenario, seed }: Run, own: Definitions | undefined): Liveness | undefined {
  const there: { cluster?: Cluster } = {};
  const livelocks = watchLivelocks(() => there.cluster);
  const hungry = watchStarvation(() => there.cluster);
  const staged = stage(scenario, {
    seed,
    digest: false,
    tries: false,
    ...(own === undefined ? {} : { with: own }),
    onCluster: (cluster) => (there.cluster = cluster),
    onEntry(entry) {
      livelocks.hear(entry);
      hungry.hear(entry);
    },
  });
  const items = itemsOf(scenario.steps);
  /** Nobody will do anything from outside any more: it goes on as it does. */
  const isLeftAlone = ({ stage: at, items: taken }: Staged['position']): boolean =>
    at === 'end' || items.slice(taken).every(({ step, beside }) => isIdle(step) && isIdle(beside));
  staged.pauseAt(0);
  while (staged.passing.next().done !== true && staged.entries() < MOST_ENTRIES)
    if (livelocks.current !== undefined && isLeftAlone(staged.position)) break;
  return reported(livelocks.current, hungry.current, scenario.startAt);
}

function reported(livelock: Livelock | undefined, starvation: Starvation | undefined, startAt: number): Liveness | undefined {
  const between = (first: number, last: number) => ({ fromMs: Math.max(0, first - startAt - 1), toMs: last - startAt });
  if (livelock !== undefined)
    return { ...livelockText(livelock), ...between(livelock.moves[0]?.at ?? startAt, livelock.moves.at(-1)?.at ?? startAt) };
  return starvation === undefined ? undefined : { ...starvationText(starvation), ...between(starvation.at, starvation.at) };
}

const isIdle = (step: Step | undefined): boolean =>
  step === undefined || step.verb === 'expect' || step.verb === 'note' || step.verb === 'waitFor';
