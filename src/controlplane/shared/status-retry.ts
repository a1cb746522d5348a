/**
 * The single retry of a refused status update: a live read gets the object, whatever the cache holds, and the same status is written to it.
 * After a second refusal the key backs off. Models: v1.24 pkg/controller/replicaset updateReplicaSetStatus, pkg/controller/daemon
 * storeDaemonSetStatus (both with StatusUpdateRetries 1).
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { type Answer, type Failure, type Outcome, type Write, writeStatus } from '../runtime/index.ts';

/** The controller's memory between the two attempts. */
export interface StatusRetry {
  /** The status to write again. */
  readonly retried?: unknown;
}

/** The live read after a refused status update; undefined: another write failed, or the retry did, and the key backs off. */
export function readForStatus<M extends StatusRetry>(memory: M, { write, dropped }: Failure): Outcome<M> | undefined {
  if (write.op !== 'update' || write.subresource !== 'status') return undefined;
  const { kind, metadata, status } = write.object;
  if (memory.retried === status) return undefined;
  const read: Write = {
    op: 'get',
    kind,
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    name: metadata.name,
    resume: true,
  };
  return {
    why: 'its status update was refused: read it from the API server',
    writes: [...dropped, read],
    memory: { ...memory, retried: status },
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
