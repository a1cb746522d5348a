/**
 * Liveness of runs that did not settle: runs the scenario again with the detectors of livelock and starvation. A plain run has no
 * detectors, so it costs nothing more. The same seed gives the same run, and a settled cluster makes progress by definition.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Definitions } from '../definitions/index.ts';
import { type Livelock, livelockText, type Starvation, starvationText, watchLivelocks, watchStarvation } from '../livelock/index.ts';
import { itemsOf, type Step } from '../scenario/index.ts';
import type { Run } from './run.ts';
import { stage, type Staged } from './simulate.ts';

export interface Liveness {
  readonly message: string;
  readonly detail: readonly string[];
  /** The reported cycle, or the failure: from just before its start to its end, milliseconds since the start. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The limit of entries that the detectors observe: a livelock closes its cycle long before. */
const MOST_ENTRIES = 2_000_000;
/** Livelock and starvation take at least this many decisions. */
const FEWEST_DECISIONS = 6;

/** Returns the liveness violation at the end of a run; undefined: none. `own`: the definitions of the run. */
export const livenessIn = (run: Run, own?: Definitions): Liveness | undefined => (mayLivelock(run) ? detectIn(run, own) : undefined);

/** Whether activity other than schedules was still pending. */
function mayLivelock({ settled, counters: { reconciles }, cluster: { kernel, runtime } }: Run): boolean {
  if (settled || reconciles < FEWEST_DECISIONS) return false;
  return kernel.foreground > runtime.recurrences.pending().length;
}

function detectIn({ scenario, seed }: Run, own: Definitions | undefined): Liveness | undefined {
  const created: { cluster?: Cluster } = {};
  const livelocks = watchLivelocks(() => created.cluster);
  const starvations = watchStarvation(() => created.cluster);
  const staged = stage(scenario, {
    seed,
    digest: false,
    tries: false,
    ...(own === undefined ? {} : { with: own }),
    onCluster: (cluster) => (created.cluster = cluster),
    onEntry(entry) {
      livelocks.observe(entry);
      starvations.observe(entry);
    },
  });
  const items = itemsOf(scenario.steps);
  /** Whether no action from outside follows, so that the activity continues as it is. */
  const isUndisturbed = ({ stage: at, items: taken }: Staged['position']): boolean =>
    at === 'end' || items.slice(taken).every(({ step, beside }) => isIdle(step) && isIdle(beside));
  staged.pauseAt(0);
  while (staged.passing.next().done !== true && staged.entries() < MOST_ENTRIES)
    if (livelocks.current !== undefined && isUndisturbed(staged.position)) break;
  return livenessOf(livelocks.current, starvations.current, scenario.startAt);
}

function livenessOf(livelock: Livelock | undefined, starvation: Starvation | undefined, startAt: number): Liveness | undefined {
  const between = (first: number, last: number) => ({ fromMs: Math.max(0, first - startAt - 1), toMs: last - startAt });
  if (livelock !== undefined)
    return { ...livelockText(livelock), ...between(livelock.moves[0]?.at ?? startAt, livelock.moves.at(-1)?.at ?? startAt) };
  return starvation === undefined ? undefined : { ...starvationText(starvation), ...between(starvation.at, starvation.at) };
}

const isIdle = (step: Step | undefined): boolean =>
  step === undefined || step.verb === 'expect' || step.verb === 'note' || step.verb === 'waitFor';
