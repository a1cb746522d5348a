/**
 * The effect of a deletion on a stored object: removal at once, removal after the grace period, or waiting for finalizers. Models:
 * apiserver pkg/registry/generic/registry store.go Delete, pkg/registry/rest delete.go BeforeDelete.
 */
import type { ApiObject, FieldError, ObjectMeta } from '../machinery/index.ts';
import { conflictOnKind, invalidAs, type Preconditions, type Resource, stamped, storeKey } from '../request/index.ts';
import type { Scope } from '../write/index.ts';
import { finalizersForDeletion, removeStored } from './finalizers.ts';
import { GRACE_PERIODS } from './graceful.ts';
import { append, formatTime } from '../../schema/values/index.ts';
import { dryRunErrors, isDryRun, type DryRun } from './options.ts';

export interface Deletion {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?: Preconditions | undefined;
  readonly dryRun?: DryRun | undefined;
}

/** The result of a deletion: the object in its current (or last) state, and whether it is removed. */
export interface Deleted {
  readonly object: ApiObject;
  readonly gone: boolean;
}

const POLICIES: ReadonlySet<string> = new Set(['Foreground', 'Background', 'Orphan']);

/** Refuses options that contradict each other or are unknown. */
export function checkDeleteOptions(options: Deletion): void {
  const { propagationPolicy, orphanDependents, dryRun } = options;
  if (propagationPolicy === undefined && dryRun === undefined) return;
  const errors: FieldError[] = [];
  const field = 'propagationPolicy';
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push({
      type: 'Invalid',
      field,
      value: propagationPolicy,
      detail: 'orphanDependents and deletionPropagation cannot be both set',
    });
  } else if (propagationPolicy !== undefined && !POLICIES.has(propagationPolicy)) {
    errors.push({
      type: 'NotSupported',
      field,
      value: propagationPolicy,
      detail: 'supported values: "Foreground", "Background", "Orphan", "nil"',
    });
  }
  append(errors, dryRunErrors(dryRun));
  if (errors.length > 0) throw invalidAs('meta.k8s.io', 'DeleteOptions', '', errors);
}

/** Deletes the object that is stored under this object's key. */
export function deleteStored(scope: Scope, resource: Resource, stored: ApiObject, options: Deletion): Deleted {
  checkPreconditions(resource, stored, options.preconditions);
  const asked = options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0 ? 1 : options.gracePeriodSeconds;
  const plan = planOf(scope, resource, stored, asked, options);
  const key = storeKey(stored.metadata.namespace, stored.metadata.name);
  if (plan === undefined) return { object: stored, gone: false };
  const dryRun = isDryRun(options.dryRun);
  let object = plan.object;
  if (object !== stored)
    object = dryRun ? stamped(object, object.metadata.resourceVersion) : scope.commit(resource, 'MODIFIED', key, object);
  if (plan.stays) return { object, gone: false };
  // The response has the object as its last update left it; only watchers see the revision of the deletion.
  if (!dryRun) removeStored(scope, resource, key, object);
  return { object, gone: true };
}

interface Plan {
  /** The object with deletion metadata; the stored one when it needs none. */
  readonly object: ApiObject;
  readonly stays: boolean;
}

/** Returns the effect of a deletion; undefined when the object is being deleted and this request changes nothing. */
function planOf(scope: Scope, resource: Resource, stored: ApiObject, asked: number | undefined, options: Deletion): Plan | undefined {
  const finalizers = finalizersForDeletion(resource, stored, options);
  const graceOf = GRACE_PERIODS.get(resource.kind.kind);
  if (graceOf === undefined) {
    if (finalizers === undefined || finalizers.length === 0) return { object: marked(stored, { finalizers }), stays: false };
    return { object: waiting(scope, stored, finalizers), stays: true };
  }
  const { metadata } = stored;
  let object: ApiObject;
  let period: number;
  if (metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds !== undefined) {
    const granted = metadata.deletionGracePeriodSeconds;
    if (asked === undefined || asked >= granted) return undefined;
    // A shorter grace period counts from the first request.
    period = asked;
    const startedAt = Date.parse(metadata.deletionTimestamp) - granted * 1000;
    object = marked(stored, { at: formatTime(startedAt + period * 1000), grace: period, finalizers });
  } else {
    period = graceOf(stored, asked);
    object = marked(stored, { at: formatTime(scope.now() + period * 1000), grace: period, finalizers, first: true });
  }
  return { object, stays: period > 0 || (finalizers !== undefined && finalizers.length > 0) };
}

/** Returns an object that waits for its finalizers: its deletion timestamp is set once, its finalizers are those of this deletion. */
function waiting(scope: Scope, stored: ApiObject, finalizers: readonly string[]): ApiObject {
  const { deletionTimestamp } = stored.metadata;
  return marked(stored, { at: deletionTimestamp ?? formatTime(scope.now()), grace: 0, finalizers, first: deletionTimestamp === undefined });
}

interface Marks {
  /** The deletion timestamp, and the grace period in seconds. */
  readonly at?: string;
  readonly grace?: number;
  readonly finalizers: readonly string[] | undefined;
  /** A deletion increments the generation once, for kinds that have one. */
  readonly first?: boolean;
}

/**
 * Returns the object with deletion metadata; the object itself if it has them already. It is a literal, because this write replaces the
 * stored object directly.
 */
function marked(stored: ApiObject, { at, grace, finalizers, first }: Marks): ApiObject {
  const { metadata } = stored;
  const next: { -readonly [K in keyof ObjectMeta]: ObjectMeta[K] } = { ...metadata };
  if (at !== undefined) next.deletionTimestamp = at;
  if (grace !== undefined) next.deletionGracePeriodSeconds = grace;
  if (finalizers !== undefined) next.finalizers = finalizers;
  else delete next.finalizers;
  if (first === true && next.generation !== undefined && next.generation !== 0) next.generation += 1;
  const same =
    next.deletionTimestamp === metadata.deletionTimestamp &&
    next.deletionGracePeriodSeconds === metadata.deletionGracePeriodSeconds &&
    next.finalizers === metadata.finalizers &&
    next.generation === metadata.generation;
  return same ? stored : { ...stored, metadata: next };
}

/** Checks that uid and revision are those that the client expects. */
export function checkPreconditions(resource: Resource, stored: ApiObject, preconditions: Preconditions | undefined): void {
  if (preconditions === undefined) return;
  const { name, uid, resourceVersion } = stored.metadata;
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    throw conflictOnKind(
      resource,
      name,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    throw conflictOnKind(
      resource,
      name,
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}
