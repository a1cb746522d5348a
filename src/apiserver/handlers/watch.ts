/**
 * Watching: what a client gets first, and what each later change is to it. Nothing is delivered here: whoever asked feeds the store's
 * changes in, one by one and in order, and sends on what comes out.
 * Models: apiserver pkg/storage/cacher cacher.go, cache_watcher.go; pkg/endpoints/handlers watch.go.
 */
import type { ApiObject, FieldError, Status } from '../machinery/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import type { Change } from '../store/index.ts';
import { expired, internal, invalidAs, type Resource, stamped, type WatchRequest } from '../request/index.ts';
import type { Scope } from './request-scope.ts';
import { listOf, unreadableVersion } from './read.ts';
import { sharedSelectionOf } from './selection.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: ApiObject | Status;
}

export interface Watch {
  /** What to send at once: objects that are there, changes since the revision asked for, or an error, after which it is over. */
  readonly initial: readonly WatchEvent[];
  readonly over: boolean;
  /** What a change of the kind is to this watch; undefined: nothing. */
  next(change: Change): WatchEvent | undefined;
  /** A progress mark at the store's revision. */
  bookmark(): WatchEvent;
}

export function openWatch(scope: Scope, request: WatchRequest): Watch {
  const resource = scope.resource(request.kind);
  checkOptions(request);
  const selection = sharedSelectionOf(resource, request.labelSelector, request.fieldSelector);
  const namespace = resource.kind.namespaced && request.namespace !== '' ? request.namespace : undefined;
  const version = request.resourceVersion ?? '';
  if (version !== '' && !/^\d+$/.test(version)) throw internal(unreadableVersion(version));
  const from = Number(version);
  const inside = (object: ApiObject): boolean =>
    (namespace === undefined || object.metadata.namespace === namespace) && selection.matches(object);

  const next = (change: Change): WatchEvent | undefined => {
    if (change.kind !== resource.kind.kind || change.revision <= from) return undefined;
    const is = change.type !== 'DELETED' && inside(change.object);
    const was = change.previous !== undefined && inside(change.previous);
    if (is) return { type: was ? 'MODIFIED' : 'ADDED', object: change.object };
    // Whoever leaves a selection is shown as it last was in it, at the revision of its leaving.
    return was ? { type: 'DELETED', object: departed(change, change.previous) } : undefined;
  };
  const bookmark = (): WatchEvent => ({ type: 'BOOKMARK', object: emptyObject(resource, String(scope.store.revision)) });

  if (from === 0) {
    const { labelSelector, fieldSelector } = request;
    const list = listOf(scope, resource, {
      verb: 'list',
      kind: request.kind,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    });
    return { initial: list.items.map((object) => ({ type: 'ADDED', object })), over: false, next, bookmark };
  }
  const missed = from < scope.store.compactedAt ? undefined : scope.store.changesAfter(resource.kind.kind, from);
  if (missed === undefined) {
    const { status } = expired(`too old resource version: ${from} (${scope.store.compactedAt})`);
    return { initial: [{ type: 'ERROR', object: status }], over: true, next: () => undefined, bookmark };
  }
  return { initial: missed.map(next).filter((event) => event !== undefined), over: false, next, bookmark };
}

/** The same for all watchers, so that it is made and written once. */
const departures = new WeakMap<Change, ApiObject>();

function departed(change: Change, previous: ApiObject): ApiObject {
  let object = departures.get(change);
  if (object === undefined) departures.set(change, (object = stamped(previous, String(change.revision))));
  return object;
}

/** A watch takes no resourceVersionMatch. */
function checkOptions(request: WatchRequest): void {
  const match = request.resourceVersionMatch ?? '';
  if (match === '') return;
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [{ type: 'Forbidden', field, detail: 'resourceVersionMatch is forbidden for watch' }];
  if ((request.resourceVersion ?? '') === '')
    errors.push({ type: 'Forbidden', field, detail: 'resourceVersionMatch is forbidden unless resourceVersion is provided' });
  throw invalidAs('meta.k8s.io', 'ListOptions', '', errors);
}

/** An object of the kind with nothing in it but a revision. */
function emptyObject(resource: Resource, resourceVersion: string): ApiObject {
  const empty = zeroOf(resource.kind.schema) as Record<string, unknown>;
  return {
    ...empty,
    kind: resource.kind.kind,
    apiVersion: resource.apiVersion,
    metadata: { ...(empty['metadata'] as object | undefined), resourceVersion },
  } as unknown as ApiObject;
}

/** What is encoded of a value nobody set: members that are never left out. */
function zeroOf(schema: Schema): unknown {
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.fields)
          .filter(([, field]) => field.always === true)
          .map(([name, field]) => [name, zeroOf(field)]),
      );
    case 'string':
    case 'duration':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    default:
      return null;
  }
}
