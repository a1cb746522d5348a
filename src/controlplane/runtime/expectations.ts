/** Whether a process's caches show what a key has written. Models: pkg/controller expectations, with revisions instead of counts. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { keyOf } from '../../apiserver/machinery/index.ts';
import type { Store } from '../../apiserver/store/index.ts';
import type { Write } from './writes.ts';
import type { KeyState } from './key-state.ts';
import type { Process, Running } from './process.ts';

/** The kind whose cache must show this write before expectations are satisfied; undefined: none. */
function awaitedKind(write: Write): string | undefined {
  switch (write.op) {
    case 'create':
      return write.object.kind;
    case 'delete':
      return write.kind;
    case 'patch':
      return write.awaited === true ? write.kind : undefined;
    case 'update':
      return write.awaited === true ? write.object.kind : undefined;
    default:
      return undefined;
  }
}

/** Records the revision of a write as an expectation. */
export function remember(store: Store, process: Process, state: KeyState, write: Write, object: ApiObject | undefined): void {
  const kind = awaitedKind(write);
  const stream = kind === undefined ? undefined : process.streams.get(kind);
  if (kind === undefined || stream === undefined) return;
  // A deletion (also the removal of the last finalizer) returns a Status, or the object as it was before: its revision is the store's.
  const left =
    object === undefined ||
    write.op === 'delete' ||
    (write.op !== 'create' && store.get(kind, keyOf(object))?.metadata.uid !== object.metadata.uid);
  const revision = left ? store.revision : Number(object.metadata.resourceVersion);
  const known = state.expectations?.find((own) => own.stream === stream);
  if (known !== undefined) known.revision = Math.max(revision, known.revision);
  else (state.expectations ??= []).push({ stream, revision });
}

/** Whether the caches show everything that the key created or deleted. */
export function expectationsSatisfied(state: KeyState): boolean {
  if (state.expectations === undefined) return true;
  for (const { stream, revision } of state.expectations) if (stream.seenRevision < revision) return false;
  state.expectations = undefined;
  return true;
}

/**
 * Releases keys whose expectations are satisfied. Most of them belong to deleted objects, which nothing reconciles again, so their state
 * would be held indefinitely.
 */
export function release({ queue, awaiting: line }: Running, state: KeyState): void {
  if (state.expectations !== undefined) line.keys.push(state);
  for (let first = line.keys[line.head]; first !== undefined && expectationsSatisfied(first); first = line.keys[++line.head])
    queue.rest(first);
  if (line.head > 64 && line.head * 2 > line.keys.length) {
    line.keys = line.keys.slice(line.head);
    line.head = 0;
  }
}
