/**
 * Preemption: evicts pods of lower priority for a pod that fits on no node. Disruption budgets are violated only where they must be.
 * Models: v1.24 pkg/scheduler/framework/preemption, plugins/defaultpreemption, filterPodsWithPDBViolation.
 */
import type { RandomStream } from '../../../engine/random.ts';
import { unavailable } from './outcomes.ts';
import type { Nominator } from './queue.ts';
import { type NodeInfo, addPod, cloneNodeInfo, removePod, type PodInfo } from './node-info.ts';
import type { Refused } from './placement.ts';
import { unresolvable, type NodeRefusal, type SchedulerView } from './plugin.ts';
import { parseTime, labelMatcher } from '../../../schema/values/index.ts';
import { checkWithNominated, cloneFilters, type NamedFilter } from './filtering.ts';
import type { LabelSelector } from '../../../apiserver/machinery/index.ts';
import type { ObjectOf } from '../../runtime/index.ts';

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

/** Why a pod may not preempt now; undefined: it may. */
function ineligible({ pod, priority }: PodInfo, refused: ReadonlyMap<string, NodeRefusal>, view: SchedulerView): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const promised = pod.status.nominatedNodeName ?? '';
  if (promised === '' || refused.get(promised)?.code === 'unresolvable') return undefined;
  const node = view.model.node(promised);
  if (node === undefined) return undefined;
  // Its earlier victims are still terminating: no further evictions.
  for (const other of node.pods.values()) {
    if (other.pod.metadata.deletionTimestamp !== undefined && other.priority < priority)
      return 'not eligible due to a terminating pod on the nominated node.';
  }
  return undefined;
}

const enoughCandidates = (nodes: number): number =>
  Math.min(nodes, Math.max(MIN_CANDIDATES, Math.trunc((nodes * MIN_CANDIDATES_PERCENT) / 100)));

/** Tries to preempt for an unschedulable pod. */
export function preempt(pod: PodInfo, { refused, filters }: Refused, now: number, view: SchedulerView, random: RandomStream): Preemption {
  const why = ineligible(pod, refused, view);
  if (why !== undefined) return none(why);
  const statuses: NodeRefusal[] = [];
  const hopeful: NodeInfo[] = [];
  const hasLess = hasBelow(view.model.priorities, pod.priority);
  for (const node of view.model.nodes()) {
    if (filters === undefined || refused.get(node.name)?.code === 'unresolvable') statuses.push(NOT_HELPFUL);
    else if (!hasLess) statuses.push(NO_VICTIMS);
    else hopeful.push(node);
  }
  const found: Candidate[] = [];
  if (hopeful.length > 0 && filters !== undefined) {
    const context = { pod, filters: filters.filters, budgets: view.cache.list('PodDisruptionBudget'), nominator: view.nominator, now };
    const offset = random.below(hopeful.length);
    const enough = enoughCandidates(hopeful.length);
    let unharmed = false;
    for (const node of [...hopeful.slice(offset), ...hopeful.slice(0, offset)]) {
      if (unharmed && found.length >= enough) break;
      const result = victimsOn(node, context);
      if ('code' in result) statuses.push(result);
      else if (result.victims.length > 0) {
        found.push(result);
        unharmed ||= result.violations === 0;
      }
    }
  }
  const best = pickCandidate(found, now);
  return best === undefined
    ? none(unavailable(statuses.length, statuses), '')
    : { message: '', victims: best.victims, nominated: best.node };
}

/**
 * The pods to evict from a node for a pod of higher priority, and the node with the least important victims. Models: v1.24
 * plugins/defaultpreemption SelectVictimsOnNode, framework/preemption pickOneNodeForPreemption.
 */
interface Candidate {
  readonly node: string;
  /** Victims that violate budgets first; in both parts higher priorities first. */
  readonly victims: readonly PodInfo[];
  readonly violations: number;
}

const NO_VICTIMS: NodeRefusal = { ...unresolvable('No preemption victims found for incoming pod'), plugins: [] };

const startOf = ({ pod }: PodInfo, now: number): number => (pod.status.startTime === undefined ? now : parseTime(pod.status.startTime));

/** Higher priority first, then earlier start. */
const byImportance =
  (now: number) =>
  (a: PodInfo, b: PodInfo): number =>
    b.priority - a.priority || startOf(a, now) - startOf(b, now);

interface Context {
  readonly pod: PodInfo;
  readonly filters: readonly NamedFilter[];
  readonly budgets: readonly Budget[];
  readonly nominator: Nominator;
  readonly now: number;
}

/** Whether there are pods of a lower priority. */
function hasBelow(priorities: ReadonlyMap<number, unknown>, priority: number): boolean {
  for (const other of priorities.keys()) if (other < priority) return true;
  return false;
}

/** The fewest, least important pods whose eviction makes the pod fit. */
function victimsOn(original: NodeInfo, { pod, filters: given, budgets, nominator, now }: Context): Candidate | NodeRefusal {
  if (!hasBelow(original.priorities, pod.priority)) return NO_VICTIMS;
  const node = cloneNodeInfo(original);
  const filters = cloneFilters(given);
  const remove = (other: PodInfo): void => {
    removePod(node, other.uid);
    for (const { filter } of filters) filter.remove?.(other, node);
  };
  const add = (other: PodInfo): void => {
    addPod(node, other);
    for (const { filter } of filters) filter.add?.(other, node);
  };
  const refusal = (): NodeRefusal | undefined => checkWithNominated(filters, node, pod, nominator);

  const lesser = [...original.pods.values()].filter(({ priority }) => priority < pod.priority);
  for (const other of lesser) remove(other);
  const without = refusal();
  if (without !== undefined) return without;
  const { breaking, others } = partByBudgets(lesser.toSorted(byImportance(now)), budgets);
  const victims: PodInfo[] = [];
  let violations = 0;
  const mayStay = (other: PodInfo): boolean => {
    add(other);
    if (refusal() === undefined) return true;
    remove(other);
    victims.push(other);
    return false;
  };
  for (const other of breaking) if (!mayStay(other)) violations++;
  for (const other of others) mayStay(other);
  return { node: node.name, victims, violations };
}

/** Of the victims with the highest priority. */
function earliestStart({ victims }: Candidate, now: number): number {
  const highest = Math.max(...victims.map(({ priority }) => priority));
  return Math.min(...victims.filter(({ priority }) => priority === highest).map((victim) => startOf(victim, now)));
}

/** Makes priorities positive, so that more victims have a greater sum. */
const BASE = 2_147_483_648;

/** The best candidate: by budget violations, highest priority, sum of priorities, number of victims, then latest start. */
function pickCandidate(candidates: readonly Candidate[], now: number): Candidate | undefined {
  const criteria: readonly ((candidate: Candidate) => number)[] = [
    ({ violations }) => violations,
    ({ victims }) => victims[0]?.priority ?? 0,
    ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + BASE, 0),
    ({ victims }) => victims.length,
    (candidate) => -earliestStart(candidate, now),
  ];
  let left = candidates;
  for (const criterion of criteria) {
    if (left.length <= 1) break;
    const values = left.map(criterion);
    const least = values.reduce((a, b) => Math.min(a, b), Infinity);
    left = left.filter((_, i) => values[i] === least);
  }
  return left[0];
}

type Budget = ObjectOf<'PodDisruptionBudget'>;

const selectsNothing = (selector: LabelSelector | undefined): boolean =>
  selector === undefined || (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0);

/** Separates pods whose eviction would violate a budget from the others, keeping their order. Each pod reduces the budgets. */
function partByBudgets(
  pods: readonly PodInfo[],
  budgets: readonly Budget[],
): { readonly breaking: readonly PodInfo[]; readonly others: readonly PodInfo[] } {
  const left = budgets.map(({ status }) => status?.disruptionsAllowed ?? 0);
  const breaking: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const info of pods) {
    const { labels, namespace, name } = info.pod.metadata;
    let breaks = false;
    if (labels !== undefined && Object.keys(labels).length > 0) {
      for (const [i, { metadata, spec, status }] of budgets.entries()) {
        if (metadata.namespace !== namespace || selectsNothing(spec?.selector) || !labelMatcher(spec?.selector)(labels)) continue;
        // The server has counted this eviction already.
        if (status?.disruptedPods?.[name] !== undefined) continue;
        const rest = (left[i] ?? 0) - 1;
        left[i] = rest;
        if (rest < 0) breaks = true;
      }
    }
    (breaks ? breaking : others).push(info);
  }
  return { breaking, others };
}
