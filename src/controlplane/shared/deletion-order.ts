/** The order in which surplus pods are deleted. Models: v1.24 pkg/controller ActivePods, ActivePodsWithRanks. */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { compareText, parseTime, sortedBy } from '../../schema/values/index.ts';
import { isReady, readySince } from './service-pods.ts';

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

const restartsOf = ({ status }: Pod): number =>
  (status.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0);

interface Worth {
  ageOf(since: number): number;
  costOf(pod: Pod): number;
  neighboursOf(pod: Pod): number;
}

/** The criteria of a pod, read once. */
function candidateOf(pod: Pod, { ageOf, costOf, neighboursOf }: Worth) {
  const since = readySince(pod);
  const created = parseTime(pod.metadata.creationTimestamp);
  return {
    pod,
    assigned: (pod.spec.nodeName ?? '') === '' ? 0 : 1,
    phase: PHASES[pod.status.phase] ?? 0,
    ready: isReady(pod) ? 1 : 0,
    cost: costOf(pod),
    neighbours: neighboursOf(pod),
    readyTime: since ?? 0,
    readyRank: since === undefined ? undefined : since === Infinity ? -Infinity : ageOf(since),
    restarts: restartsOf(pod),
    created,
    age: ageOf(created),
  };
}
type Candidate = ReturnType<typeof candidateOf>;

/**
 * Negative: `a` is deleted before `b`. Like upstream's this is not a total order: pods created at the same time compare equal, while each
 * may differ from a third by its uid.
 */
function byWorth(a: Candidate, b: Candidate): number {
  const plain = a.assigned - b.assigned || a.phase - b.phase || a.ready - b.ready || a.cost - b.cost || b.neighbours - a.neighbours;
  if (plain !== 0) return plain;
  const chance = compareText(a.pod.metadata.uid, b.pod.metadata.uid);
  if (a.readyRank !== undefined && b.readyRank !== undefined && a.readyTime !== b.readyTime) return a.readyRank - b.readyRank || chance;
  const restarts = b.restarts - a.restarts;
  if (restarts !== 0) return restarts;
  return a.created === b.created ? 0 : a.age - b.age || chance;
}

/**
 * Pods in this order: unscheduled, pending, not ready; then the cheapest, those with the most pods of the same controller on their node, the
 * most recently ready, the most restarted, the youngest. `ageOf`: how ages are compared.
 */
export function inDeletionOrder(
  pods: readonly Pod[],
  { ageOf = (since) => -since, costOf = () => 0, neighboursOf = () => 0 }: Partial<Worth> = {},
): readonly Pod[] {
  const candidates = pods.map((pod) => candidateOf(pod, { ageOf, costOf, neighboursOf }));
  return sortedBy(candidates, byWorth).map(({ pod }) => pod);
}
