/**
 * Computes how many pods of a PodDisruptionBudget may be evicted now; the eviction sub-resource decrements the result. Models: v1.24
 * pkg/controller/disruption. Simplified: where several budgets cover a pod, all of them are reconciled; scales are those of StatefulSets,
 * ReplicaSets and Deployments.
 */
import { sameValue } from '../../../apiserver/machinery/index.ts';
import { formatTime, parseTime } from '../../../schema/values/index.ts';
import { present, withCondition } from '../../shared/index.ts';
import type { PodDisruptionBudget, Pod } from '../../../apiserver/kinds/index.ts';
import {
  defineController,
  forKinds,
  idle,
  watchOnly,
  observing,
  record,
  watch,
  write,
  writeStatus,
  type Outcome,
  type Write,
} from '../../runtime/index.ts';
import { concerned, createBudgets, followBudget, followPod, type Budgets, expectedPods, isHealthy, type Covered } from './budgets.ts';

/** The update, if the status has changed; the time of a condition alone does not count. */
const updateOf = (budget: PodDisruptionBudget, status: PodDisruptionBudget['status']): readonly Write[] =>
  sameValue(budget.status, status) ? [] : [writeStatus(budget, status)];

export const disruption = forKinds((registry) => {
  const controller = defineController<'PodDisruptionBudget', never, Budgets>({
    name: 'disruption',
    component: 'controllermanager',
    reconciles: 'PodDisruptionBudget',
    writes: ['PodDisruptionBudget'],
    models:
      'v1.24 pkg/controller/disruption. Simplified: where several budgets select a pod, each of them is reconciled; only StatefulSets, ReplicaSets and Deployments have scales.',
    watches: [
      watch('Pod', (delta, { state }) => concerned(state, delta), { predicate: { whileThereAre: 'PodDisruptionBudget' } }),
      ...['StatefulSet', 'ReplicaSet', 'Deployment'].map((kind) => watch(kind, watchOnly)),
    ],
    start: createBudgets,
    describe: ({ byKey }) => [...byKey].map(([key, { pods }]) => [key, [...pods.keys()]]),
    observe: observing({
      PodDisruptionBudget: (delta, { state, cache }) => followBudget(state, delta, cache),
      Pod: (delta, { state }) => followPod(state, delta),
    }),
    reconcile({ self: budget, key, state, cache, now }): Outcome<never> {
      const covered = state.byKey.get(key);
      if (covered === undefined) return idle('the pods that it selects are not known yet');
      const { namespace = '' } = budget.metadata;
      const notices: Write[] = covered.pods.size === 0 ? [record(budget, 'Normal', 'NoPods', 'No matching pods found')] : [];
      const expected = expectedPods(budget, covered, { cache, registry });
      if (typeof expected === 'string') {
        const message = `Failed to calculate the number of expected pods: ${expected}`;
        return write(
          `the expected number of pods is unknown, so no disruption is allowed: ${expected}`,
          ...notices,
          record(budget, 'Warning', 'CalculateExpectedPodCountFailed', message),
          ...updateOf(budget, failedStatus(budget, expected, now)),
        );
      }
      const { pods, overdue, nextAt } = disruptedPods(budget, covered, now);
      // Upstream prints the namespace in place of the name.
      for (const pod of overdue)
        notices.push(record(pod, 'Warning', 'NotDeleted', `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`));
      const healthy = healthyPods(covered, pods, now);
      const status = statusOf(budget, expected, healthy, pods, now);
      return {
        why: `${healthy} of ${expected.expected} pods healthy, ${expected.desired} required: disruptions allowed ${status.disruptionsAllowed}`,
        writes: [...notices, ...updateOf(budget, status)],
        ...(nextAt === undefined ? {} : { wakeAt: nextAt + 1 }),
      };
    },
  });
  return controller;
});

type Status = PodDisruptionBudget['status'];
type Times = Readonly<Record<string, string>>;

/** A pod whose eviction was granted should be deleted within this time, milliseconds; after it the pod counts again. */
const DELETION_TIMEOUT_MS = 120_000;

/**
 * The granted evictions of a budget that still count: their times by the names of the pods; pods that should be deleted by now; and when the
 * next is overdue. Models: v1.24 pkg/controller/disruption updatePdbStatus, failSafe, buildDisruptedPodMap; pkg/apis/policy conditions.
 */
function disruptedPods({ status: { disruptedPods: granted = {} } }: PodDisruptionBudget, covered: Covered, now: number) {
  const pods: Record<string, string> = {};
  const overdue: Pod[] = [];
  let nextAt: number | undefined;
  for (const [name, time] of Object.entries(granted)) {
    const pod = covered.pods.get(name);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined || time === null) continue;
    const dueAt = parseTime(time) + DELETION_TIMEOUT_MS;
    if (dueAt < now) {
      overdue.push(pod);
      continue;
    }
    pods[name] = time;
    nextAt = Math.min(nextAt ?? dueAt, dueAt);
  }
  return { pods, overdue, nextAt };
}

/** Healthy pods without a granted eviction. */
function healthyPods({ pods, healthy }: Covered, disrupted: Times, now: number): number {
  const going = Object.entries(disrupted).filter(([name, time]) => {
    const pod = pods.get(name);
    return pod !== undefined && isHealthy(pod) && parseTime(time) + DELETION_TIMEOUT_MS > now;
  });
  return healthy - going.length;
}

function statusOf(
  budget: PodDisruptionBudget,
  { expected, desired }: Exclude<ReturnType<typeof expectedPods>, string>,
  healthy: number,
  disrupted: Times,
  now: number,
): Status {
  const { generation } = budget.metadata;
  // A budget without expected pods allows nothing, so its first pods are protected before they are counted.
  const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
  const [status, reason] = disruptionsAllowed > 0 ? (['True', 'SufficientPods'] as const) : (['False', 'InsufficientPods'] as const);
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
    disruptionsAllowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: withCondition(budget.status.conditions, conditionOf(status, reason, '', generation, now)),
  };
}

/** No disruption is allowed while the expected number is unknown. */
const failedStatus = ({ status }: PodDisruptionBudget, message: string, now: number): Status => ({
  ...status,
  disruptionsAllowed: 0,
  conditions: withCondition(status.conditions, conditionOf('False', 'SyncFailed', message, status.observedGeneration, now)),
});

const conditionOf = (status: string, reason: string, message: string, generation: number | undefined, now: number) =>
  present({
    type: 'DisruptionAllowed',
    status,
    observedGeneration: generation === 0 ? undefined : generation,
    lastTransitionTime: formatTime(now),
    reason,
    message,
  });
