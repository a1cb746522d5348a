/**
 * Watches: the initial events of a watch, and the event for each later change. Nothing is delivered here: the caller passes the changes of
 * the store one by one, in order, and delivers the resulting events. Models: apiserver pkg/storage/cacher cacher.go, cache_watcher.go;
 * pkg/endpoints/handlers watch.go.
 */
import { perObject } from '../../engine/index.ts';
import type { ApiObject, Status } from '../machinery/index.ts';
import { zeroValue } from '../patch/index.ts';
import type { Change } from '../store/index.ts';
import { expired, internal, Refusal, type Resource, stamped, type WatchRequest } from '../request/index.ts';
import { resourceFor, type Scope, shownIn } from '../write/index.ts';
import { checkMatch, pageNow, unreadableVersion } from './read.ts';
import { sharedSelectionOf } from './selection.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: ApiObject | Status;
}

export interface Watch {
  /** The events to send at once: existing objects, changes since the requested revision, or an error, which ends the watch. */
  readonly initial: readonly WatchEvent[];
  readonly over: boolean;
  /** Returns the event of a change for this watch; undefined: none. */
  next(change: Change): WatchEvent | undefined;
  /** Returns a bookmark event at the store's revision. */
  bookmark(): WatchEvent;
}

export function openWatch(scope: Scope, request: WatchRequest): Watch {
  const resource = resourceFor(scope, request);
  checkMatch(request);
  const selection = sharedSelectionOf(resource, request.labelSelector, request.fieldSelector);
  const namespace = resource.kind.namespaced && request.namespace !== '' ? request.namespace : undefined;
  const version = request.resourceVersion ?? '';
  if (version !== '' && !/^\d+$/.test(version)) throw internal(unreadableVersion(version));
  const from = Number(version);
  const inside = (object: ApiObject): boolean =>
    (namespace === undefined || object.metadata.namespace === namespace) && selection.matches(object);

  /** Where the webhook of a definition does not convert, a watch gets its error. */
  const shown = (type: WatchEvent['type'], object: ApiObject): WatchEvent => {
    try {
      return { type, object: shownIn(scope, resource, object) };
    } catch (thrown) {
      if (thrown instanceof Refusal) return { type: 'ERROR', object: thrown.status };
      throw thrown;
    }
  };
  const next = (change: Change): WatchEvent | undefined => {
    if (change.kind !== resource.kind.kind || change.revision <= from) return undefined;
    const is = change.type !== 'DELETED' && inside(change.object);
    const was = change.previous !== undefined && inside(change.previous);
    if (is) return shown(was ? 'MODIFIED' : 'ADDED', change.object);
    // An object that no longer matches the selection is sent as DELETED, in its last matching state, with the revision of the change.
    return was ? shown('DELETED', departed(change, change.previous)) : undefined;
  };
  const bookmark = (): WatchEvent => ({ type: 'BOOKMARK', object: emptyObject(resource, String(scope.store.revision)) });

  if (from === 0) {
    const { items } = pageNow({ scope, resource, namespace, selection, start: '', limit: undefined });
    return { initial: items.map((object) => shown('ADDED', object)), over: false, next, bookmark };
  }
  const missed = from < scope.store.compactedAt ? undefined : scope.store.changesAfter(resource.kind.kind, from);
  if (missed === undefined) {
    const { status } = expired(`too old resource version: ${from} (${scope.store.compactedAt})`);
    return { initial: [{ type: 'ERROR', object: status }], over: true, next: () => undefined, bookmark };
  }
  return { initial: missed.map(next).filter((event) => event !== undefined), over: false, next, bookmark };
}

/** Shared by all watches, so that the object is built and encoded once. */
const departed = perObject((change: Change, previous: ApiObject) => stamped(previous, String(change.revision)));

/**
 * Returns the object of a bookmark, without defaults. What can be scaled has `replicas: 0`: it is a pointer only in published versions.
 * Models: v1.24 pkg/apis/apps (types.go). Simplified: upstream also sends `selector: null`.
 */
function emptyObject(resource: Resource, resourceVersion: string): ApiObject {
  const empty = zeroValue(resource.kind.schema) as Record<string, unknown>;
  const { spec } = empty;
  return {
    ...empty,
    ...(spec !== undefined && resource.kind.subresources.includes('scale') ? { spec: { replicas: 0, ...spec } } : {}),
    kind: resource.kind.kind,
    apiVersion: resource.apiVersion,
    metadata: { ...(empty['metadata'] as object | undefined), resourceVersion },
  } as unknown as ApiObject;
}
