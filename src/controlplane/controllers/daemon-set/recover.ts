/**
 * Recovery when a write of a sync was refused. Models: v1.24 pkg/controller/daemon syncNodes, snapshot, storeDaemonSetStatus;
 * pkg/controller RealPodControl.
 */
import type { ControllerRevision, DaemonSet } from '../../../apiserver/kinds/index.ts';
import { record, writeStatus, type Controller, type Failure, type Outcome, type Write } from '../../runtime/index.ts';
import { readForStatus, endOfBatch, templatePatch, textOf } from '../../shared/index.ts';
import type { DaemonMemory, Views } from './input.ts';

type RecoverInput = Parameters<NonNullable<Controller<'DaemonSet', DaemonMemory, Views>['recover']>>[0];

/** The outcome after a refused write; undefined: the key backs off. */
export function recoverSet(input: RecoverInput, failure: Failure): Outcome<DaemonMemory> | undefined {
  const { self: set, memory = {} } = input;
  const { write, status } = failure;
  if (set === undefined) return undefined;
  const again = readForStatus(memory, failure);
  if (again !== undefined) return again;
  if (write.op === 'create' && write.object.kind === 'ControllerRevision' && status.reason === 'AlreadyExists') {
    const { namespace } = set.metadata;
    const { name = '' } = write.object.metadata;
    return {
      why: `revision ${name} exists already: read it from the API server to compare`,
      writes: [{ op: 'get', kind: 'ControllerRevision', name, ...(namespace === undefined ? {} : { namespace }), resume: true }],
    };
  }
  return isPodWrite(write) ? afterRefusedPod(input, set, failure) : undefined;
}

const isPodWrite = (write: Write): boolean =>
  (write.op === 'create' && write.object.kind === 'Pod') || (write.op === 'delete' && write.kind === 'Pod');

/** The rest of the batch is still written, as upstream's parallel requests would be, and so are deletions; the status is not written. */
function afterRefusedPod({ memory = {} }: RecoverInput, set: DaemonSet, { write, status, dropped }: Failure): Outcome<DaemonMemory> {
  const creating = write.op === 'create';
  const creates = dropped.filter(({ op }) => op === 'create');
  if (creating && status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true)
    return { why: 'its namespace is being deleted, so no pod can be created', writes: dropped.filter((each) => !creates.includes(each)) };
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

/**
 * A revision of another template has the name of the present one: the collision count of the set is raised, unless the cached count is
 * outdated.
 */
export function afterCollision({ spec, metadata }: DaemonSet, found: ControllerRevision): Outcome<DaemonMemory> | undefined {
  if (textOf(found.data) === templatePatch(spec.template).text) return undefined;
  const { name, namespace = '' } = metadata;
  return {
    why: `${found.metadata.name} holds another template: read status.collisionCount from the API server`,
    writes: [{ op: 'get', kind: 'DaemonSet', namespace, name, resume: true }],
  };
}

/** Raises the collision count on the set as the server has it. */
export function countCollision(set: DaemonSet, latest: DaemonSet): Outcome<DaemonMemory> {
  const { collisionCount } = latest.status;
  if (collisionCount !== set.status.collisionCount)
    return { why: 'the cached status.collisionCount is stale: retry', writes: [], backoff: 'retry' };
  return {
    why: 'increase status.collisionCount, which changes the name, and retry',
    writes: [writeStatus(latest, { ...latest.status, collisionCount: (collisionCount ?? 0) + 1 })],
    backoff: 'retry',
  };
}
