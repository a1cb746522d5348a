/**
 * The status of a Deployment, and whether its rollout progresses. Models: v1.24 pkg/controller/deployment sync.go calculateStatus,
 * progress.go.
 */
import type { DeploymentCondition, DeploymentStatus, ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { sameValue } from '../../../apiserver/machinery/index.ts';
import { conditionOf } from '../../shared/index.ts';
import { copyWith, parseTime, present, unlessZero } from '../../../schema/values/index.ts';
import { newCondition, withCondition, withoutCondition, hasDeadline, maxUnavailable } from './input.ts';
import type { Conditions, DeploymentInput } from './input.ts';
import { type Draft, settle, type SetView, allOf, type Sets } from './sets.ts';

const sum = (views: readonly SetView[], count: (set: ReplicaSet) => number | undefined): number =>
  views.reduce((total, { set }) => total + (count(set) ?? 0), 0);

/** All counts; a stored status omits those that are 0. */
const countsOf = (status: DeploymentStatus) => ({
  replicas: status.replicas ?? 0,
  updated: status.updatedReplicas ?? 0,
  ready: status.readyReplicas ?? 0,
  available: status.availableReplicas ?? 0,
});

/** The counts are sums of the sets' statuses, so they lag as these do. */
function counted({ input, status }: Draft, sets: Sets): DeploymentStatus {
  const { self: deployment, now } = input;
  const all = allOf(sets);
  const replicas = sum(all, (set) => set.status.replicas);
  const updated = sets.newest?.set.status.replicas ?? 0;
  const ready = sum(all, (set) => set.status.readyReplicas);
  const available = sum(all, (set) => set.status.availableReplicas);
  const unavailable = Math.max(0, sum(all, (set) => set.spec.replicas) - available);
  const enough = available >= deployment.spec.replicas - maxUnavailable(deployment);
  const availability = enough
    ? newCondition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
    : newCondition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', now);
  const { generation } = deployment.metadata;
  return present({
    observedGeneration: generation,
    replicas: unlessZero(replicas),
    updatedReplicas: unlessZero(updated),
    readyReplicas: unlessZero(ready),
    availableReplicas: unlessZero(available),
    unavailableReplicas: unlessZero(unavailable),
    conditions: withCondition(status.conditions ?? [], availability),
    collisionCount: status.collisionCount,
  });
}

/** Writes only the counts: progress is not judged while the Deployment is paused, scaled or deleted. */
export function syncStatus(draft: Draft, sets: Sets): void {
  conclude(draft, counted(draft, sets));
}

/** Whether all wanted pods are updated and available, and no old ones are left. */
export const isComplete = ({ self: { spec, metadata } }: DeploymentInput, status: DeploymentStatus): boolean => {
  const { replicas, updated, available } = countsOf(status);
  return (
    updated === spec.replicas &&
    replicas === spec.replicas &&
    available === spec.replicas &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
};

/** Whether counts show progress: more new pods, fewer old ones, more that are ready or available. */
function hasProgress(before: ReturnType<typeof countsOf>, after: ReturnType<typeof countsOf>): boolean {
  return (
    after.updated > before.updated ||
    after.replicas - after.updated < before.replicas - before.updated ||
    after.ready > before.ready ||
    after.available > before.available
  );
}

const deadlineOf = ({ spec }: DeploymentInput['self'], { lastUpdateTime }: DeploymentCondition): number =>
  (lastUpdateTime === null ? 0 : parseTime(lastUpdateTime)) + spec.progressDeadlineSeconds * 1000;

/** Writes counts and progress, or returns when to check the deadline. */
export function syncRollout(draft: Draft, sets: Sets): number | undefined {
  const { self: deployment } = draft.input;
  const next = counted(draft, sets);
  const progressed = hasDeadline(deployment) ? withProgress(draft, next, sets) : withoutCondition(next.conditions ?? [], 'Progressing');
  const failure = failureOf(sets);
  const conditions = failure === undefined ? withoutCondition(progressed, 'ReplicaFailure') : withCondition(progressed, failure);
  const status = copyWith(next, { conditions });
  return conclude(draft, status) ? undefined : wakeAtDeadline(draft.input, status);
}

function withProgress({ input, status: before }: Draft, next: DeploymentStatus, { newest }: Sets): Conditions {
  const { self: deployment, now } = input;
  const conditions = next.conditions ?? [];
  const current = conditionOf(before.conditions, 'Progressing');
  const isOver = (next.replicas ?? 0) === (next.updatedReplicas ?? 0) && current?.reason === 'NewReplicaSetAvailable';
  if (isOver) return conditions;
  const who = newest === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newest.set.metadata.name}"`;
  if (isComplete(input, next))
    return withCondition(
      conditions,
      newCondition('Progressing', 'True', 'NewReplicaSetAvailable', `${who} has successfully progressed.`, now),
    );
  if (hasProgress(countsOf(before), countsOf(next))) {
    const progress = newCondition('Progressing', 'True', 'ReplicaSetUpdated', `${who} is progressing.`, now);
    // Each progress updates the condition, because the deadline counts from the last one.
    const { lastTransitionTime } = current?.status === 'True' ? current : progress;
    return [...withoutCondition(conditions, 'Progressing'), copyWith(progress, { lastTransitionTime })];
  }
  if (current === undefined || current.reason === 'NewReplicaSetAvailable') return conditions;
  if (current.reason !== 'ProgressDeadlineExceeded' && deadlineOf(deployment, current) >= now) return conditions;
  return withCondition(
    conditions,
    newCondition('Progressing', 'False', 'ProgressDeadlineExceeded', `${who} has timed out progressing.`, now),
  );
}

/** A failure of the newest set comes before those of other sets. */
function failureOf({ newest, old }: Sets): DeploymentCondition | undefined {
  for (const view of [...(newest === undefined ? [] : [newest]), ...old]) {
    const found = view.set.status.conditions?.find(({ type }) => type === 'ReplicaFailure');
    if (found === undefined) continue;
    const { type, status, lastTransitionTime, reason = '', message = '' } = found;
    return { type, status, lastUpdateTime: lastTransitionTime, lastTransitionTime, reason, message };
  }
  return undefined;
}

/** Writes the status if it has changed; returns whether it has. */
function conclude(draft: Draft, status: DeploymentStatus): boolean {
  if (sameValue(draft.status, status)) return false;
  draft.status = status;
  settle(draft);
  return true;
}

/** A second after the deadline, because times in objects are whole seconds. */
function wakeAtDeadline(input: DeploymentInput, status: DeploymentStatus): number | undefined {
  const { self: deployment, now } = input;
  const current = conditionOf(status.conditions, 'Progressing');
  if (!hasDeadline(deployment) || current === undefined || isComplete(input, status)) return undefined;
  if (current.reason === 'ProgressDeadlineExceeded' || current.reason === 'NewReplicaSetAvailable') return undefined;
  const deadline = deadlineOf(deployment, current);
  return Math.max(now + 1, deadline - now < 1000 ? deadline + 1 : deadline + 1000);
}
