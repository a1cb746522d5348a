/**
 * Deletes an object: at once, after its grace period, or when its finalizers are gone.
 * Models: apiserver pkg/registry/generic/registry store.go Delete, pkg/registry/rest delete.go BeforeDelete.
 */
import type { ApiObject } from '../api/object.ts';
import type { FieldError } from '../api/status.ts';
import type { Door } from './door.ts';
import { conflictOnKind, invalidAs, notFound, Refusal } from './errors.ts';
import { finalizersForDeletion, removeStored } from './finalizers.ts';
import { GRACE_PERIODS } from './graceful.ts';
import { timeText } from './identity.ts';
import { withMetadata } from './metadata.ts';
import { dryRunErrors, isDryRun, type DryRun } from './options.ts';
import type { ApiRequest, ApiResponse, Preconditions } from './request.ts';
import { storeKey, type Resource } from './resource.ts';
import { SPECIAL_DELETIONS } from './special-deletions.ts';

type DeleteRequest = Extract<ApiRequest, { verb: 'delete' }>;

export interface Deletion {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly preconditions?: Preconditions | undefined;
  readonly dryRun?: DryRun | undefined;
}

/** What a deletion left: the object as it stands (or last stood), and whether it is gone. */
export interface Deleted { readonly object: ApiObject; readonly gone: boolean }

export function remove(door: Door, request: DeleteRequest): ApiResponse {
  const resource = door.resource(request.kind);
  const namespace = resource.kind.namespaced ? request.namespace : undefined;
  checkDeleteOptions(request);
  const warnings = DELETE_WARNINGS.get(resource.kind.kind)?.(request);
  const { object, gone } = warnedRefusal(warnings, () => removeOne(door, resource, namespace, request.name, request));
  const told = warnings === undefined ? {} : { warnings };
  if (!gone || resource.kind.deleteReturns === 'object') return { ok: true, code: 200, object, ...told };
  const { group, kind } = resource;
  return {
    ok: true, code: 200, ...told,
    success: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { name: request.name, ...(group === '' ? {} : { group }), kind: kind.plural, uid: object.metadata.uid } },
  };
}

/** A refusal carries the warnings of its request. */
function warnedRefusal<T>(warnings: readonly string[] | undefined, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof Refusal) thrown.warnings = warnings;
    throw thrown;
  }
}

/** What a client is told who may not expect it. Models: pkg/registry/batch/job strategy.go WarningsOnDelete. */
const DELETE_WARNINGS: ReadonlyMap<string, (options: Deletion) => readonly string[] | undefined> = new Map([
  ['Job', ({ propagationPolicy, orphanDependents }) => (propagationPolicy === undefined && orphanDependents === undefined
    ? ['child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning']
    : undefined)],
]);

/** Deletes one object by name, admission and the kind's own way included. */
export function removeOne(door: Door, resource: Resource, namespace: string | undefined, name: string, request: Extract<ApiRequest, { verb: 'delete' | 'deletecollection' }>): Deleted {
  const stored = door.store.get(resource.kind.kind, storeKey(namespace, name));
  if (stored === undefined) throw notFound(resource, name);
  door.admission.validate(door, { verb: 'delete', resource, namespace, name, request, dryRun: isDryRun(request.dryRun) }, stored, stored);
  checkPreconditions(resource, stored, request.preconditions);
  const special = SPECIAL_DELETIONS.get(resource.kind.kind);
  return special === undefined ? deleteStored(door, resource, stored, request) : special(door, resource, stored, request);
}

const POLICIES: ReadonlySet<string> = new Set(['Foreground', 'Background', 'Orphan']);

/** Options that contradict each other, or are unknown. */
export function checkDeleteOptions(options: Deletion): void {
  const { propagationPolicy, orphanDependents, dryRun } = options;
  if (propagationPolicy === undefined && dryRun === undefined) return;
  const errors: FieldError[] = [];
  const field = 'propagationPolicy';
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push({ type: 'Invalid', field, value: propagationPolicy, detail: 'orphanDependents and deletionPropagation cannot be both set' });
  } else if (propagationPolicy !== undefined && !POLICIES.has(propagationPolicy)) {
    errors.push({ type: 'NotSupported', field, value: propagationPolicy, detail: 'supported values: "Foreground", "Background", "Orphan", "nil"' });
  }
  errors.push(...dryRunErrors(dryRun));
  if (errors.length > 0) throw invalidAs('meta.k8s.io', 'DeleteOptions', '', errors);
}

/** Deletes what is stored under the object's key. */
export function deleteStored(door: Door, resource: Resource, stored: ApiObject, options: Deletion): Deleted {
  checkPreconditions(resource, stored, options.preconditions);
  const asked = options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0 ? 1 : options.gracePeriodSeconds;
  const plan = planOf(door, resource, stored, asked, options);
  const key = storeKey(stored.metadata.namespace, stored.metadata.name);
  if (plan === undefined) return { object: stored, gone: false };
  const dryRun = isDryRun(options.dryRun);
  let object = plan.object;
  if (object !== stored && !dryRun) {
    object = withMetadata(object, { resourceVersion: door.nextVersion() });
    door.commit(resource, 'MODIFIED', key, object);
  }
  if (plan.stays) return { object, gone: false };
  // The answer is the object as its last update left it; only watchers see the revision of the deletion.
  if (!dryRun) removeStored(door, resource, key, object);
  return { object, gone: true };
}

interface Plan {
  /** The object with its marks of deletion; the stored one when it needs none. */
  readonly object: ApiObject;
  readonly stays: boolean;
}

/** What a deletion makes of an object; undefined when one is under way already and this one adds nothing. */
function planOf(door: Door, resource: Resource, stored: ApiObject, asked: number | undefined, options: Deletion): Plan | undefined {
  const finalizers = finalizersForDeletion(resource, stored, options);
  const graceOf = GRACE_PERIODS.get(resource.kind.kind);
  if (graceOf === undefined) {
    if (finalizers === undefined || finalizers.length === 0) return { object: finalizers === stored.metadata.finalizers ? stored : withMetadata(stored, { finalizers }), stays: false };
    return { object: marked(door, stored, finalizers), stays: true };
  }
  const { metadata } = stored;
  let object: ApiObject;
  let period: number;
  if (metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds !== undefined) {
    const granted = metadata.deletionGracePeriodSeconds;
    if (asked === undefined || asked >= granted) return undefined;
    // The clock of a deletion starts once: a shorter grace counts from the first request.
    period = asked;
    const startedAt = Date.parse(metadata.deletionTimestamp) - granted * 1000;
    object = withMetadata(stored, { deletionTimestamp: timeText(startedAt + period * 1000), deletionGracePeriodSeconds: period, finalizers });
  } else {
    period = graceOf(stored, asked);
    object = withMetadata(stored, {
      deletionTimestamp: timeText(door.now() + period * 1000), deletionGracePeriodSeconds: period, finalizers,
      generation: bumped(metadata.generation),
    });
  }
  return { object, stays: period > 0 || (finalizers !== undefined && finalizers.length > 0) };
}

/** An object that waits for its finalizers: marked once, the finalizers as this deletion wants them. */
function marked(door: Door, stored: ApiObject, finalizers: readonly string[]): ApiObject {
  const { metadata } = stored;
  const first = metadata.deletionTimestamp === undefined;
  if (!first && metadata.deletionGracePeriodSeconds === 0 && finalizers === metadata.finalizers) return stored;
  return withMetadata(stored, {
    deletionTimestamp: metadata.deletionTimestamp ?? timeText(door.now()),
    deletionGracePeriodSeconds: 0,
    finalizers,
    ...(first ? { generation: bumped(metadata.generation) } : {}),
  });
}

/** Deleting counts as a change of what is desired, for kinds that count. */
const bumped = (generation: number | undefined): number | undefined => (generation === undefined || generation === 0 ? generation : generation + 1);

function checkPreconditions(resource: Resource, stored: ApiObject, preconditions: Preconditions | undefined): void {
  if (preconditions === undefined) return;
  const { name, uid, resourceVersion } = stored.metadata;
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    throw conflictOnKind(resource, name, `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`);
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    throw conflictOnKind(resource, name, `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`);
  }
}
