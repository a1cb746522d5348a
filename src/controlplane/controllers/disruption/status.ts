/**
 * The status of a budget. Models: v1.24 pkg/controller/disruption updatePdbStatus, failSafe, buildDisruptedPodMap; pkg/apis/policy
 * conditions.
 */
import type { Pod, PodDisruptionBudget } from '../../../apiserver/kinds/index.ts';
import { formatTime, parseTime } from '../../../schema/values/index.ts';
import { isHealthy, type Covered } from './budgets.ts';
import type { Expected } from './expected.ts';

type Status = PodDisruptionBudget['status'];
type Condition = NonNullable<Status['conditions']>[number];

/** A pod whose eviction was granted should be deleted within this time, milliseconds; after it the pod counts again. */
const DELETION_TIMEOUT_MS = 120_000;

export interface Disrupted {
  /** Times of granted evictions whose pods are not deleted yet, by name. */
  readonly pods: Readonly<Record<string, string>>;
  /** Pods that should be deleted by now. */
  readonly overdue: readonly Pod[];
  /** When the next of them is overdue. */
  readonly nextAt: number | undefined;
}

/** The granted evictions of a budget that still count. */
export function disruptedPods({ status: { disruptedPods: granted = {} } }: PodDisruptionBudget, covered: Covered, now: number): Disrupted {
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
export function healthyPods({ pods, healthy }: Covered, disrupted: Disrupted['pods'], now: number): number {
  const going = Object.entries(disrupted).filter(([name, time]) => {
    const pod = pods.get(name);
    return pod !== undefined && isHealthy(pod) && parseTime(time) + DELETION_TIMEOUT_MS > now;
  });
  return healthy - going.length;
}

/** The status with the present counts. */
export function statusOf(
  budget: PodDisruptionBudget,
  { expected, desired }: Expected,
  healthy: number,
  disrupted: Disrupted['pods'],
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
    conditions: withCondition(budget.status.conditions, { status, reason, message: '', observedGeneration: generation }, now),
  };
}

/** No disruption is allowed while the expected number is unknown. */
export function failedStatus({ status }: PodDisruptionBudget, message: string, now: number): Status {
  return {
    ...status,
    disruptionsAllowed: 0,
    conditions: withCondition(
      status.conditions,
      { status: 'False', reason: 'SyncFailed', message, observedGeneration: status.observedGeneration },
      now,
    ),
  };
}

function withCondition(
  before: Status['conditions'],
  { observedGeneration, ...next }: Pick<Condition, 'status' | 'reason' | 'message'> & { readonly observedGeneration: number | undefined },
  now: number,
): readonly Condition[] {
  const old = before?.find(({ type }) => type === 'DisruptionAllowed');
  const lastTransitionTime = old?.status === next.status ? old.lastTransitionTime : formatTime(now);
  const condition: Condition = {
    type: 'DisruptionAllowed',
    status: next.status,
    ...(observedGeneration === undefined || observedGeneration === 0 ? {} : { observedGeneration }),
    lastTransitionTime,
    reason: next.reason,
    message: next.message,
  };
  return old === undefined ? [...(before ?? []), condition] : (before ?? []).map((each) => (each === old ? condition : each));
}
