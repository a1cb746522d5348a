/**
 * Which pods would have to leave a node for a more important one, and which node gives up least. Models: v1.24 plugins/defaultpreemption
 * SelectVictimsOnNode, framework/preemption pickOneNodeForPreemption.
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
  /** Most important first among those that break budgets, then among the others. */
  readonly victims: readonly PodInfo[];
  readonly violations: number;
}

/** There is nobody less important on the node. */
export const NO_VICTIMS: NodeRefusal = { ...unresolvable('No preemption victims found for incoming pod'), plugins: [] };

/** When it began to run; a pod that has not yet begins now. */
const startOf = ({ pod }: PodInfo, now: number): number => (pod.status.startTime === undefined ? now : parseTime(pod.status.startTime));

/** Higher priority, then the longer running. */
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

/** Whether any pod on a node is less important: a look at the counts, not at the pods. */
function hasLesser(node: NodeInfo, priority: number): boolean {
  for (const other of node.priorities.keys()) if (other < priority) return true;
  return false;
}

/** The fewest, least important pods whose leaving makes room. */
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

/** The start of the longest running among the most important victims. */
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

/** Makes priorities positive, so that more victims weigh more. */
const BASE = 2_147_483_648;

/** The candidate that gives up least: budgets, importance, number, then what has run shortest. */
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
