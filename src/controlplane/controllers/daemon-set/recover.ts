/**
 * What to do when one of a sync's writes was refused. Models: v1.24 pkg/controller/daemon syncNodes, snapshot, storeDaemonSetStatus;
 * pkg/controller RealPodControl.
 */
import type { ControllerRevision, DaemonSet } from '../../../apiserver/kinds/index.ts';
import { record, type Controller, type Failure, type Outcome, type Write } from '../../runtime/index.ts';
import { askForStatus, endOfBatch, templatePatch, textOf } from '../../shared/index.ts';
import type { DaemonMemory, Views } from './input.ts';

type RecoverInput = Parameters<NonNullable<Controller<'DaemonSet', DaemonMemory, Views>['recover']>>[0];

export function recoverSet(input: RecoverInput, failure: Failure): Outcome<DaemonMemory> | undefined {
  const { self: set, memory = {} } = input;
  const { write, status } = failure;
  if (set === undefined) return undefined;
  const again = askForStatus(memory, failure);
  if (again !== undefined) return again;
  if (write.op === 'create' && write.object.kind === 'ControllerRevision' && status.reason === 'AlreadyExists') {
    const { namespace } = set.metadata;
    const { name = '' } = write.object.metadata;
    return {
      why: `there is a revision ${name} already; the server is asked whether it is the same`,
      writes: [{ op: 'get', kind: 'ControllerRevision', name, ...(namespace === undefined ? {} : { namespace }), resume: true }],
    };
  }
  return isPodWrite(write) ? afterRefusedPod(input, set, failure) : undefined;
}

const isPodWrite = (write: Write): boolean =>
  (write.op === 'create' && write.object.kind === 'Pod') || (write.op === 'delete' && write.kind === 'Pod');

/**
 * The rest of the batch is tried all the same, as upstream's parallel ones would have been, and what is to go goes; the status is not told
 * of.
 */
function afterRefusedPod({ memory = {} }: RecoverInput, set: DaemonSet, { write, status, dropped }: Failure): Outcome<DaemonMemory> {
  const creating = write.op === 'create';
  const creates = dropped.filter(({ op }) => op === 'create');
  if (creating && status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true)
    return { why: 'its namespace is going away, so no pod can be created', writes: dropped.filter((each) => !creates.includes(each)) };
  const attempt = (memory.creates ?? creates.length + 1) - creates.length - 1;
  const rest = creating ? creates.slice(0, endOfBatch(attempt) - attempt) : [];
  const deletes = dropped.filter((each) => each.op === 'delete' && each.kind === 'Pod');
  return {
    why: creating
      ? `a pod could not be created (${status.reason ?? 'error'}), so no larger batch is tried`
      : `a pod could not be deleted (${status.reason ?? 'error'})`,
    writes: [
      record(
        set,
        'Warning',
        creating ? 'FailedCreate' : 'FailedDelete',
        `Error ${creating ? 'creating' : 'deleting'}: ${status.message ?? ''}`,
      ),
      ...rest,
      ...deletes,
    ],
    memory: { ...memory, creates: attempt + 1 + rest.length },
    backoff: 'retry',
  };
}

/** The name of the present revision is taken by that of another template: it gets another one. */
export function afterCollision(set: DaemonSet, found: ControllerRevision): Outcome<DaemonMemory> | undefined {
  if (textOf(found.data) === templatePatch(set.spec.template).text) return undefined;
  const status = { ...set.status, collisionCount: (set.status.collisionCount ?? 0) + 1 };
  return {
    why: `${found.metadata.name} is of another template: another name is tried`,
    writes: [{ op: 'update', subresource: 'status', object: { ...set, status }, tolerate: ['Conflict'] }],
    backoff: 'retry',
  };
}
