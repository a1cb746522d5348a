/**
 * The status of a ReplicaSet, and what is done when a write of a sync was refused: an event, the remaining writes that upstream's parallel
 * batches would have sent, a condition in the status, and back-off. Models: v1.24 pkg/controller/replicaset/replica_set_utils.go
 * calculateStatus, updateReplicaSetStatus; pkg/controller/replicaset manageReplicas, slowStartBatch; pkg/controller RealPodControl.
 */
import type { ReplicaSet, ReplicaSetStatus } from '../../../apiserver/kinds/index.ts';
import { formatTime, labelMatcher } from '../../../schema/values/index.ts';
import { minReadyMs, availableCount, type ReplicaPods, type SetMemory, adoptPods } from './owned.ts';
import { type Failure, type Outcome, type RecoverInput, type Write, writeStatus } from '../../runtime/index.ts';
import { namespaceTerminates, readForStatus, refusedPod } from '../../shared/index.ts';

type Conditions = NonNullable<ReplicaSetStatus['conditions']>;

/** A failure of the set's pods, as its condition states it. */
interface ReplicaFailure {
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

type Input = RecoverInput<'ReplicaSet', SetMemory>;

/** The outcome after a refused write; undefined: the key backs off. */
export function recoverSet(input: Input, failure: Failure): Outcome<SetMemory> | undefined {
  const { self: set, memory = {} } = input;
  const { write, status, dropped } = failure;
  if (set === undefined) return undefined;
  const again = readForStatus(memory, failure);
  if (again !== undefined) return again;
  if (write.op !== 'create' && write.op !== 'delete') return undefined;
  const creating = write.op === 'create';
  if (creating && namespaceTerminates(status))
    return { why: 'its namespace is being deleted, so no pod can be created', writes: dropped.filter(({ op }) => op === 'update') };

  const first = memory.error ?? status.message ?? '';
  const { why, reason, event, batchMates, creates } = refusedPod(set, failure, memory.planned?.creates);
  const rest = creating ? batchMates : dropped.filter(({ op }) => op === 'delete');
  const planned = creating ? { creates, deletes: 0 } : (memory.planned ?? { creates: 0, deletes: 0 });
  return {
    why,
    writes: [event, ...rest, ...reported(input, set, { reason, message: first })],
    memory: { planned, error: first },
    backoff: 'retry',
  };
}

/** The status with the failure, and the counts of before. */
function reported(input: Input, set: ReplicaSet, trouble: ReplicaFailure): readonly Write[] {
  const { pods } = adoptPods({ ...input, self: set });
  const status = statusOf(set, pods, trouble, input.now);
  return isRelevant(set.status, status) ? [writeStatus(set, status)] : [];
}
