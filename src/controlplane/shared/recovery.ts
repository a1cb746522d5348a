/**
 * Writes that controllers share: patches, and what is done after a refused write: the single retry of a status update, and the batches of
 * creates that upstream sends at once.
 */
import type { ApiObject, Status } from '../../apiserver/machinery/index.ts';
import { addressOf, readLive, record, writeStatus, type Answer, type Failure, type Outcome, type Write } from '../runtime/index.ts';

/** The end of a reason: a key was dropped after its retries, as upstream's controllers with a `maxRetries` do. */
export const GIVES_UP = 'it gives up until something changes';

/** A merge patch of an object. */
export const mergePatch = (
  object: Parameters<typeof addressOf>[0],
  patch: object,
  more: Partial<Write & { readonly op: 'patch' }> = {},
): Write => ({
  op: 'patch',
  ...addressOf(object),
  patchType: 'merge',
  patch,
  ...more,
});

/** Whether a create was refused because its namespace is being deleted. */
export const namespaceTerminates = ({ details }: Status): boolean =>
  details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;

/** The index, from 0, of the last create in the batch of an attempt: batches of 1, 2, 4, 8 … Models: v1.24 slowStartBatch. */
export const endOfBatch = (attempt: number): number => (1 << (32 - Math.clz32(attempt + 1))) - 2;

export interface RefusedPod {
  readonly why: string;
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly event: Write;
  /** The creates that upstream would have sent in the same batch. */
  readonly batchMates: readonly Write[];
  /** How many pods are created when these are. */
  readonly creates: number;
}

/** After a refused create or delete of one of the owner's pods. `planned`: how many creates the outcome had. */
export function refusedPod(owner: ApiObject, { write, status, dropped }: Failure, planned: number | undefined): RefusedPod {
  const creating = write.op === 'create';
  const left = dropped.filter(({ op }) => op === 'create');
  const attempt = (planned ?? left.length + 1) - left.length - 1;
  const batchMates = creating ? left.slice(0, endOfBatch(attempt) - attempt) : [];
  const reason = creating ? 'FailedCreate' : 'FailedDelete';
  const error = status.reason ?? 'error';
  return {
    why: creating ? `a pod could not be created (${error}), so no larger batch is tried` : `a pod could not be deleted (${error})`,
    reason,
    event: record(owner, 'Warning', reason, `Error ${creating ? 'creating' : 'deleting'}: ${status.message ?? ''}`),
    batchMates,
    creates: attempt + 1 + batchMates.length,
  };
}

/** The controller's memory between the two attempts. */
export interface StatusRetry {
  /** The status to write again. */
  readonly retried?: unknown;
}

/**
 * The single retry of a refused status update: a live read gets the object, whatever the cache holds, and the same status is written to it.
 * Undefined: another write failed, or the retry did, and the key backs off. Models: v1.24 pkg/controller/replicaset updateReplicaSetStatus,
 * pkg/controller/daemon storeDaemonSetStatus (both with StatusUpdateRetries 1).
 */
export function readForStatus<M extends StatusRetry>(memory: M, { write, dropped }: Failure): Outcome<M> | undefined {
  if (write.op !== 'update' || write.subresource !== 'status') return undefined;
  if (memory.retried === write.object.status) return undefined;
  return {
    why: 'its status update was refused: read it from the API server',
    writes: [...dropped, readLive(write.object)],
    memory: { ...memory, retried: write.object.status },
  };
}

/** The second write, after the live read; undefined: the response belongs to another write. */
export function writeAgain<M extends StatusRetry>(memory: M, { write, object }: Answer): Outcome<M> | undefined {
  if (memory.retried === undefined || write.op !== 'get' || object === undefined || object.kind !== write.kind) return undefined;
  return {
    why: 'its status update is retried on the latest version',
    writes: [writeStatus(object, memory.retried as ApiObject['status'])],
  };
}
