/**
 * Recovery when a write of a sync was refused. Models: v1.24 pkg/controller/daemon syncNodes, snapshot, storeDaemonSetStatus;
 * pkg/controller RealPodControl.
 */
import type { ControllerRevision, DaemonSet } from '../../../apiserver/kinds/index.ts';
import { readLive, writeStatus, type Failure, type Outcome, type RecoverInput, type Write } from '../../runtime/index.ts';
import { namespaceTerminates, readForStatus, readRevision, refusedPod, templatePatch, textOf } from '../../shared/index.ts';
import type { DaemonMemory, Views } from './input.ts';

type Input = RecoverInput<'DaemonSet', DaemonMemory, Views>;

/** The outcome after a refused write; undefined: the key backs off. */
export function recoverSet(input: Input, failure: Failure): Outcome<DaemonMemory> | undefined {
  const { self: set, memory = {} } = input;
  const { write, status } = failure;
  if (set === undefined) return undefined;
  const again = readForStatus(memory, failure);
  if (again !== undefined) return again;
  if (write.op === 'create' && write.object.kind === 'ControllerRevision' && status.reason === 'AlreadyExists')
    return readRevision(set, write.object.metadata.name ?? '');
  return isPodWrite(write) ? afterRefusedPod(input, set, failure) : undefined;
}

const isPodWrite = (write: Write): boolean =>
  (write.op === 'create' && write.object.kind === 'Pod') || (write.op === 'delete' && write.kind === 'Pod');

/** The rest of the batch is still written, as upstream's parallel requests would be, and so are deletions; the status is not written. */
function afterRefusedPod({ memory = {} }: Input, set: DaemonSet, failure: Failure): Outcome<DaemonMemory> {
  const { write, status, dropped } = failure;
  if (write.op === 'create' && namespaceTerminates(status))
    return { why: 'its namespace is being deleted, so no pod can be created', writes: dropped.filter(({ op }) => op !== 'create') };
  const { why, event, batchMates, creates } = refusedPod(set, failure, memory.creates);
  const deletes = dropped.filter((each) => each.op === 'delete' && each.kind === 'Pod');
  return { why, writes: [event, ...batchMates, ...deletes], memory: { ...memory, creates }, backoff: 'retry' };
}

/**
 * A revision of another template has the name of the present one: the collision count of the set is raised, unless the cached count is
 * outdated.
 */
export function afterCollision(set: DaemonSet, found: ControllerRevision): Outcome<DaemonMemory> | undefined {
  if (textOf(found.data) === templatePatch(set.spec.template).text) return undefined;
  return {
    why: `${found.metadata.name} holds another template: read status.collisionCount from the API server`,
    writes: [readLive(set)],
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
