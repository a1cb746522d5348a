/**
 * Recovery when a write of a sync was refused: an event, the remaining writes that upstream's parallel batches would have sent, a condition
 * in the status, and back-off. Models: v1.24 pkg/controller/replicaset manageReplicas, slowStartBatch; pkg/controller RealPodControl.
 */
import type { ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { type Failure, type Outcome, type RecoverInput, type Write, writeStatus } from '../../runtime/index.ts';
import { namespaceTerminates, readForStatus, refusedPod } from '../../shared/index.ts';
import type { SetMemory } from './input.ts';
import { adoptPods } from './adoption.ts';
import { isRelevant, statusOf, type ReplicaFailure } from './status.ts';

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
