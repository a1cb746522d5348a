/**
 * Recovery when a write of a sync was refused: an event, the remaining writes that upstream's parallel batches would have sent, a condition
 * in the status, and back-off. Models: v1.24 pkg/controller/replicaset manageReplicas, slowStartBatch; pkg/controller RealPodControl.
 */
import type { ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { record, type Controller, type Failure, type Outcome, type Write, writeStatus } from '../../runtime/index.ts';
import { readForStatus, endOfBatch } from '../../shared/index.ts';
import type { SetMemory } from './input.ts';
import { adoptPods } from './adoption.ts';
import { isRelevant, statusOf, type ReplicaFailure } from './status.ts';

type RecoverInput = Parameters<NonNullable<Controller<'ReplicaSet', SetMemory>['recover']>>[0];

/** The outcome after a refused write; undefined: the key backs off. */
export function recoverSet(input: RecoverInput, failure: Failure): Outcome<SetMemory> | undefined {
  const { self: set, memory = {} } = input;
  const { write, status, dropped } = failure;
  if (set === undefined) return undefined;
  const again = readForStatus(memory, failure);
  if (again !== undefined) return again;
  if (write.op !== 'create' && write.op !== 'delete') return undefined;
  const creating = write.op === 'create';
  if (creating && status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true)
    return { why: 'its namespace is being deleted, so no pod can be created', writes: dropped.filter(({ op }) => op === 'update') };

  const error = status.message ?? '';
  const first = memory.error ?? error;
  const trouble: ReplicaFailure = { reason: creating ? 'FailedCreate' : 'FailedDelete', message: first };
  const left = dropped.filter(({ op }) => op === write.op);
  const attempt = (memory.planned?.creates ?? left.length + 1) - left.length - 1;
  const rest = creating ? left.slice(0, endOfBatch(attempt) - attempt) : left;
  const planned = creating ? { creates: attempt + 1 + rest.length, deletes: 0 } : (memory.planned ?? { creates: 0, deletes: 0 });
  return {
    why: creating
      ? `a pod could not be created (${status.reason ?? 'error'}), so no larger batch is tried`
      : `a pod could not be deleted (${status.reason ?? 'error'})`,
    writes: [
      record(set, 'Warning', trouble.reason, `Error ${creating ? 'creating' : 'deleting'}: ${error}`),
      ...rest,
      ...reported(input, set, trouble),
    ],
    memory: { planned, error: first },
    backoff: 'retry',
  };
}

/** The status with the failure, and the counts of before. */
function reported(input: RecoverInput, set: ReplicaSet, trouble: ReplicaFailure): readonly Write[] {
  const { pods } = adoptPods({ ...input, self: set });
  const status = statusOf(set, pods, trouble, input.now);
  return isRelevant(set.status, status) ? [writeStatus(set, status)] : [];
}
