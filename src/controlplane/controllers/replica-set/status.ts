/** The status of a ReplicaSet. Models: v1.24 pkg/controller/replicaset/replica_set_utils.go calculateStatus, updateReplicaSetStatus. */
import type { ReplicaSet, ReplicaSetStatus } from '../../../apiserver/kinds/index.ts';
import { formatTime, labelMatcher } from '../../../schema/values/index.ts';
import { minReadyMs } from './input.ts';
import { availableCount, type ReplicaPods } from './pods.ts';

type Conditions = NonNullable<ReplicaSetStatus['conditions']>;

/** A failure of the set's pods, as its condition states it. */
export interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

/** The status with the present counts, and with the failure if there is one. */
export function statusOf(set: ReplicaSet, pods: ReplicaPods, failure: ReplicaFailure | undefined, now: number): ReplicaSetStatus {
  const available = availableCount(pods, minReadyMs(set), now);
  const labelled = fullyLabelled(set, pods);
  const { generation } = set.metadata;
  const conditions = conditionsWith(set.status.conditions ?? [], failure, now);
  return {
    replicas: pods.active.size,
    ...(labelled === 0 ? {} : { fullyLabeledReplicas: labelled }),
    ...(pods.ready === 0 ? {} : { readyReplicas: pods.ready }),
    ...(available === 0 ? {} : { availableReplicas: available }),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

function fullyLabelled({ spec }: ReplicaSet, { active, labels }: ReplicaPods): number {
  const matches = labelMatcher({ matchLabels: spec.template.metadata.labels ?? {} });
  if (labels.allMatch(matches)) return active.size;
  return [...active.values()].filter(({ metadata }) => matches(metadata.labels)).length;
}

/** The first failure stays in the condition until there are none. */
function conditionsWith(before: Conditions, failure: ReplicaFailure | undefined, now: number): Conditions {
  const reported = before.some(({ type }) => type === 'ReplicaFailure');
  if (failure === undefined) return reported ? before.filter(({ type }) => type !== 'ReplicaFailure') : before;
  return reported ? before : [...before, { type: 'ReplicaFailure', status: 'True', lastTransitionTime: formatTime(now), ...failure }];
}

/** Whether a status differs enough to be written. */
export const isRelevant = (before: ReplicaSetStatus, after: ReplicaSetStatus): boolean =>
  before.replicas !== after.replicas ||
  (before.fullyLabeledReplicas ?? 0) !== (after.fullyLabeledReplicas ?? 0) ||
  (before.readyReplicas ?? 0) !== (after.readyReplicas ?? 0) ||
  (before.availableReplicas ?? 0) !== (after.availableReplicas ?? 0) ||
  before.observedGeneration !== after.observedGeneration ||
  (before.conditions ?? []).length !== (after.conditions ?? []).length;
