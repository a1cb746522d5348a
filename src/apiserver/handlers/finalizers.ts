/**
 * Deletion and finalizers: the finalizers that a deletion adds, and the removal from the store.
 * Models: apiserver pkg/registry/generic/registry store.go.
 */
import { type ApiObject, FOREGROUND, ORPHAN } from '../machinery/index.ts';
import type { Resource } from '../request/index.ts';
import type { Scope } from '../write/index.ts';

export interface Propagation {
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
}

/** Returns the finalizers of an object once a deletion with these options is accepted; the same array when they do not change. */
export function finalizersForDeletion(resource: Resource, object: ApiObject, options: Propagation): readonly string[] | undefined {
  const had = object.metadata.finalizers ?? [];
  const orphan = wantsOrphan(resource, had, options);
  const foreground = wantsForeground(had, options);
  if (had.includes(ORPHAN) === orphan && had.includes(FOREGROUND) === foreground) return object.metadata.finalizers;
  const kept = had.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (orphan) kept.push(ORPHAN);
  if (foreground) kept.push(FOREGROUND);
  return kept.length === 0 ? undefined : kept;
}

/** The request takes precedence over the object, and the object over the kind. */
function wantsOrphan(resource: Resource, finalizers: readonly string[], options: Propagation): boolean {
  if (options.orphanDependents !== undefined) return options.orphanDependents;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === 'Orphan';
  for (const finalizer of finalizers) {
    if (finalizer === ORPHAN) return true;
    if (finalizer === FOREGROUND) return false;
  }
  return resource.kind.defaultPropagation === 'Orphan';
}

function wantsForeground(finalizers: readonly string[], options: Propagation): boolean {
  if (options.orphanDependents !== undefined) return false;
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === 'Foreground';
  for (const finalizer of finalizers) {
    if (finalizer === FOREGROUND) return true;
    if (finalizer === ORPHAN) return false;
  }
  return false;
}

/** Removes an object from the store and returns its last state; watchers see this state with the revision of the deletion. */
export const removeStored = (scope: Scope, resource: Resource, key: string, stored: ApiObject): ApiObject =>
  scope.commit(resource, 'DELETED', key, stored);
