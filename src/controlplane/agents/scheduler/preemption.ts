/**
 * Preemption: evicts pods of lower priority for a pod that fits on no node. Models: v1.24 pkg/scheduler/framework/preemption,
 * plugins/defaultpreemption.
 */
import type { RandomStream } from '../../../engine/random.ts';
import { budgetsOf } from './budgets.ts';
import { unavailable } from './messages.ts';
import type { Nominator } from './nominator.ts';
import type { NodeInfo } from './node-info.ts';
import type { Refused } from './placement.ts';
import { unresolvable, type NodeRefusal } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import { NO_VICTIMS, pickCandidate, victimsOn, type Candidate } from './victims.ts';
import type { SchedulerView } from './view.ts';

/** `nominated`: the nominated node, '' to remove the nomination, undefined to keep it. */
export interface Preemption {
  readonly message: string;
  readonly victims: readonly PodInfo[];
  readonly nominated: string | undefined;
}

const NOT_HELPFUL: NodeRefusal = { ...unresolvable('Preemption is not helpful for scheduling'), plugins: [] };
const MIN_CANDIDATES = 100;
const MIN_CANDIDATES_PERCENT = 10;

const none = (message: string, nominated?: string): Preemption => ({ message: `preemption: ${message}`, victims: [], nominated });

/** Why a pod may not preempt now. */
function ineligible({ pod, priority }: PodInfo, refused: ReadonlyMap<string, NodeRefusal>, view: SchedulerView): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const promised = pod.status.nominatedNodeName ?? '';
  if (promised === '' || refused.get(promised)?.code === 'unresolvable') return undefined;
  const node = view.node(promised);
  if (node === undefined) return undefined;
  // Its earlier victims are still terminating: no further evictions.
  for (const other of node.pods.values()) {
    if (other.pod.metadata.deletionTimestamp !== undefined && other.priority < priority)
      return 'not eligible due to a terminating pod on the nominated node.';
  }
  return undefined;
}

/** The number of candidates that is enough. */
const enoughCandidates = (nodes: number): number =>
  Math.min(nodes, Math.max(MIN_CANDIDATES, Math.trunc((nodes * MIN_CANDIDATES_PERCENT) / 100)));

interface Options {
  readonly view: SchedulerView;
  readonly nominator: Nominator;
  readonly random: RandomStream;
  /** Whether any pod on a node is less important. */ hasPodsBelow(priority: number): boolean;
}

/** Tries to preempt for an unschedulable pod. */
export function preempt(
  pod: PodInfo,
  { refused, filters }: Refused,
  now: number,
  { view, nominator, random, hasPodsBelow }: Options,
): Preemption {
  const why = ineligible(pod, refused, view);
  if (why !== undefined) return none(why);
  const statuses = new Map<string, NodeRefusal>();
  const hopeful: NodeInfo[] = [];
  const pointless = filters === undefined || !hasPodsBelow(pod.priority);
  for (const node of view.nodes()) {
    if (filters === undefined || refused.get(node.name)?.code === 'unresolvable') statuses.set(node.name, NOT_HELPFUL);
    else if (pointless) statuses.set(node.name, NO_VICTIMS);
    else hopeful.push(node);
  }
  const found: Candidate[] = [];
  if (hopeful.length > 0 && filters !== undefined) {
    const context = { pod, filters: filters.filters, budgets: budgetsOf(view), nominator, now };
    const offset = random.below(hopeful.length);
    const enough = enoughCandidates(hopeful.length);
    let unharmed = false;
    for (let i = 0; i < hopeful.length && !(unharmed && found.length >= enough); i++) {
      const node = hopeful[(offset + i) % hopeful.length];
      if (node === undefined) continue;
      const result = victimsOn(node, context);
      if ('code' in result) statuses.set(node.name, result);
      else if (result.victims.length > 0) {
        found.push(result);
        unharmed ||= result.violations === 0;
      }
    }
  }
  // Candidates without budget violations come first, in upstream's order.
  const best = pickCandidate(
    [...found.filter(({ violations }) => violations === 0), ...found.filter(({ violations }) => violations > 0)],
    now,
  );
  return best === undefined
    ? none(unavailable(statuses.size, statuses.values()), '')
    : { message: '', victims: best.victims, nominated: best.node };
}
