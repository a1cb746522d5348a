/**
 * The pods to evict from a node for a pod of higher priority, and the node with the least important victims. Models: v1.24
 * plugins/defaultpreemption SelectVictimsOnNode, framework/preemption pickOneNodeForPreemption.
 */
import { parseTime } from '../../../schema/values/index.ts';
import { partByBudgets, type budgetsOf } from './budgets.ts';
import { checkWithNominated, cloneFilters, type NamedFilter } from './filtering.ts';
import type { Nominator } from './nominator.ts';
import { addPod, cloneNodeInfo, removePod, type NodeInfo } from './node-info.ts';
import { unresolvable, type NodeRefusal } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';

export interface Candidate {
  readonly node: string;
  /** Victims that violate budgets first; in both parts higher priorities first. */
  readonly victims: readonly PodInfo[];
  readonly violations: number;
}

/** No pod on the node has a lower priority. */
export const NO_VICTIMS: NodeRefusal = { ...unresolvable('No preemption victims found for incoming pod'), plugins: [] };

/** The start time of a pod; now, if it has not started. */
const startOf = ({ pod }: PodInfo, now: number): number => (pod.status.startTime === undefined ? now : parseTime(pod.status.startTime));

/** Higher priority first, then earlier start. */
const byImportance =
  (now: number) =>
  (a: PodInfo, b: PodInfo): number =>
    b.priority - a.priority || startOf(a, now) - startOf(b, now);

interface Context {
  readonly pod: PodInfo;
  readonly filters: readonly NamedFilter[];
  readonly budgets: ReturnType<typeof budgetsOf>;
  readonly nominator: Nominator;
  readonly now: number;
}

/** Whether any pod on a node has a lower priority, by the counts of priorities. */
function hasLesser(node: NodeInfo, priority: number): boolean {
  for (const other of node.priorities.keys()) if (other < priority) return true;
  return false;
}

/** The fewest, least important pods whose eviction makes the pod fit. */
export function victimsOn(original: NodeInfo, { pod, filters: given, budgets, nominator, now }: Context): Candidate | NodeRefusal {
  if (!hasLesser(original, pod.priority)) return NO_VICTIMS;
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

/** The earliest start among the victims of the highest priority. */
function earliestStart({ victims }: Candidate, now: number): number {
  let earliest = Infinity;
  let highest = -Infinity;
  for (const victim of victims) {
    const start = startOf(victim, now);
    if (victim.priority > highest) {
      highest = victim.priority;
      earliest = start;
    } else if (victim.priority === highest && start < earliest) earliest = start;
  }
  return earliest;
}

/** Makes priorities positive, so that more victims have a greater sum. */
const BASE = 2_147_483_648;

/** The best candidate: by budget violations, highest priority, sum of priorities, number of victims, then latest start. */
export function pickCandidate(candidates: readonly Candidate[], now: number): Candidate | undefined {
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
