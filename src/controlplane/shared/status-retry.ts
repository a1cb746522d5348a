/**
 * The second try of a status that was refused: the server itself is asked for the object, whatever the cache shows, and the same status is
 * written over what it answers. Refused again, the key backs off. Models: v1.24 pkg/controller/replicaset updateReplicaSetStatus,
 * pkg/controller/daemon storeDaemonSetStatus (both with StatusUpdateRetries 1).
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { type Answer, type Failure, type Outcome, type Write, writeStatus } from '../runtime/index.ts';

/** What a controller remembers between the two tries. */
export interface StatusRetry {
  /** The status that is tried a second time. */
  readonly retried?: unknown;
}

/** What to do about a refused write of a status; undefined: it was none, or the second one, and the key backs off. */
export function askForStatus<M extends StatusRetry>(memory: M, { write, dropped }: Failure): Outcome<M> | undefined {
  if (write.op !== 'update' || write.subresource !== 'status') return undefined;
  const { kind, metadata, status } = write.object;
  if (memory.retried === status) return undefined;
  const ask: Write = {
    op: 'get',
    kind,
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    name: metadata.name,
    resume: true,
  };
  return {
    why: 'its status update was refused: read it from the API server',
    writes: [...dropped, ask],
    memory: { ...memory, retried: status },
  };
}

/** The second try, when the server has answered; undefined: the answer is to another question. */
export function writeAgain<M extends StatusRetry>(memory: M, { write, object }: Answer): Outcome<M> | undefined {
  if (memory.retried === undefined || write.op !== 'get' || object === undefined || object.kind !== write.kind) return undefined;
  return {
    why: 'its status update is retried on the latest version',
    writes: [writeStatus(object, memory.retried as ApiObject['status'])],
  };
}
