/** The options of a deletion, and its effect on a stored object. Models: pkg/registry store.go Delete, rest/delete.go BeforeDelete. */
import { type CustomResourceDefinition, isOf, type Pod } from '../kinds/index.ts';
import { type ApiObject, assign, castDraft, type FieldError, FOREGROUND, type ObjectMeta, ORPHAN, produce } from '../machinery/index.ts';
import { conflictOnKind, type DeleteOptions, internal, invalidAs, type Resource, stamped, storeKey } from '../request/index.ts';
import { asTerminating, finishDeletion, type Scope } from '../write/index.ts';
import { bool, decode, DecodeError, field, int64, list, obj, ptr, str } from '../../schema/shape/index.ts';
import { append, formatTime } from '../../schema/values/index.ts';
import { metaProblem } from './body.ts';
import { dryRunErrors, isDryRun } from './writes.ts';

export type Deletion = { readonly [K in keyof DeleteOptions]: DeleteOptions[K] | undefined };

/** The result of a deletion: the object in its current (or last) state, and whether it is removed. */
export interface Deleted {
  readonly object: ApiObject;
  readonly gone: boolean;
}

export const deleteOptions = obj('DeleteOptions', {
  kind: str(),
  apiVersion: str(),
  gracePeriodSeconds: field(1, ptr(int64)),
  preconditions: field(2, obj('Preconditions', { uid: field(1, ptr(str('types.UID'))), resourceVersion: field(2, ptr(str())) })),
  orphanDependents: field(3, ptr(bool)),
  propagationPolicy: field(4, ptr(str('DeletionPropagation'))),
  dryRun: field(5, list(str())),
});

type TypeMeta = Partial<Record<'kind' | 'apiVersion', string>>;

/** Returns the options in the body of a DELETE request; malformed ones give a bare 500, as recorded. */
export function deleteOptionsOf(body: unknown): DeleteOptions {
  const problem = body === undefined ? undefined : metaProblem(body);
  if (problem !== undefined) throw internal(`couldn't get version/kind; json parse error: ${problem}`);
  const { kind, apiVersion } = (body ?? {}) as { readonly kind?: unknown; readonly apiVersion?: unknown };
  if (typeof kind === 'string' && kind !== '' && kind !== 'DeleteOptions') {
    throw internal(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion ?? 'v1')} in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`,
    );
  }
  try {
    const { kind: _, apiVersion: __, ...options } = decode(deleteOptions, body ?? {}) as DeleteOptions & TypeMeta;
    return options;
  } catch (thrown) {
    if (thrown instanceof DecodeError) throw internal(thrown.message);
    throw thrown;
  }
}

const POLICIES: ReadonlySet<string> = new Set(['Foreground', 'Background', 'Orphan']);

/** Refuses options that contradict each other or are unknown. */
export function checkDeleteOptions(options: Deletion): void {
  const { propagationPolicy, orphanDependents, dryRun } = options;
  if (propagationPolicy === undefined && dryRun === undefined) return;
  const errors: FieldError[] = [];
  const field = 'propagationPolicy';
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push({ type: 'Invalid', field, value: propagationPolicy, detail });
  } else if (propagationPolicy !== undefined && !POLICIES.has(propagationPolicy)) {
    const detail = 'supported values: "Foreground", "Background", "Orphan", "nil"';
    errors.push({ type: 'NotSupported', field, value: propagationPolicy, detail });
  }
  append(errors, dryRunErrors(dryRun));
  if (errors.length > 0) throw invalidAs('meta.k8s.io', 'DeleteOptions', '', errors);
}

export function deleteStored(scope: Scope, resource: Resource, stored: ApiObject, options: Deletion): Deleted {
  checkPreconditions(resource, stored, options.preconditions);
  const plan = planOf(scope, resource, stored, options);
  const key = storeKey(stored.metadata.namespace, stored.metadata.name);
  if (plan === undefined) return { object: stored, gone: false };
  const dryRun = isDryRun(options.dryRun);
  let object = plan.object;
  if (object !== stored)
    object = dryRun ? stamped(object, object.metadata.resourceVersion) : scope.commit(resource, 'MODIFIED', key, object);
  if (plan.stays) return { object, gone: false };
  // The response has the object as its last update left it; only watchers see the revision of the deletion.
  if (!dryRun) scope.commit(resource, 'DELETED', key, object);
  return { object, gone: true };
}

/** Returns the object with deletion metadata; undefined when the object is being deleted and this request changes nothing. */
function planOf(scope: Scope, resource: Resource, stored: ApiObject, options: Deletion) {
  const finalizers = finalizersForDeletion(resource, stored, options);
  const waits = finalizers !== undefined && finalizers.length > 0;
  const { deletionTimestamp, deletionGracePeriodSeconds: granted } = stored.metadata;
  // Kinds other than Pod are deleted at once, or when their finalizers are removed.
  if (!isOf('Pod', stored)) {
    if (!waits) return { object: marked(stored, { finalizers }), stays: false };
    const at = deletionTimestamp ?? formatTime(scope.now());
    return { object: marked(stored, { at, grace: 0, finalizers, first: deletionTimestamp === undefined }), stays: true };
  }
  const asked = options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0 ? 1 : options.gracePeriodSeconds;
  if (deletionTimestamp !== undefined && granted !== undefined) {
    if (asked === undefined || asked >= granted) return undefined;
    // A shorter grace period counts from the first request.
    const at = formatTime(Date.parse(deletionTimestamp) - granted * 1000 + asked * 1000);
    return { object: marked(stored, { at, grace: asked, finalizers }), stays: asked > 0 || waits };
  }
  const grace = gracePeriod(stored, asked);
  const at = formatTime(scope.now() + grace * 1000);
  return { object: marked(stored, { at, grace, finalizers, first: true }), stays: grace > 0 || waits };
}

interface Marks {
  /** The deletion timestamp, and the grace period in seconds. */
  readonly at?: string;
  readonly grace?: number;
  readonly finalizers: readonly string[] | undefined;
  /** A deletion increments the generation once, for kinds that have one. */
  readonly first?: boolean;
}

/** Returns the object with deletion metadata; itself if it has them. A literal, because it replaces the stored object directly. */
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

/** The grace period in seconds: a pod that is not scheduled, or has terminated, needs none. Models: pod strategy.go CheckGracefulDelete. */
function gracePeriod({ spec, status }: Pod, asked: number | undefined): number {
  if ((spec.nodeName ?? '') === '' || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
  const period = asked ?? spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}

/** Returns the finalizers of an object once a deletion with these options is accepted; the same array when they do not change. */
function finalizersForDeletion(resource: Resource, object: ApiObject, options: Deletion): readonly string[] | undefined {
  const had = object.metadata.finalizers ?? [];
  const policy = propagationOf(resource, had, options);
  const [orphan, foreground] = [policy === 'Orphan', policy === 'Foreground'];
  if (had.includes(ORPHAN) === orphan && had.includes(FOREGROUND) === foreground) return object.metadata.finalizers;
  const kept = had.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (orphan) kept.push(ORPHAN);
  if (foreground) kept.push(FOREGROUND);
  return kept.length === 0 ? undefined : kept;
}

/** The request takes precedence over the object, and the object over the kind. */
function propagationOf({ kind }: Resource, finalizers: readonly string[], options: Deletion): string | undefined {
  const { propagationPolicy, orphanDependents } = options;
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';
  if (propagationPolicy !== undefined) return propagationPolicy;
  const first = finalizers.find((finalizer) => finalizer === ORPHAN || finalizer === FOREGROUND);
  return first === undefined ? kind.defaultPropagation : first === ORPHAN ? 'Orphan' : 'Foreground';
}

/** Checks that uid and revision are those that the client expects. */
function checkPreconditions(resource: Resource, stored: ApiObject, preconditions: Deletion['preconditions'] = {}): void {
  const { name, uid, resourceVersion } = stored.metadata;
  const check = (what: string, expected: string | undefined, found: string, fate: string): void => {
    if (expected === undefined || expected === found) return;
    const why = `the ${what} in the precondition (${expected}) does not match the ${what} in record (${found})`;
    throw conflictOnKind(resource, name, `${why}. The object might have been ${fate}`);
  };
  check('UID', preconditions.uid, uid, 'deleted and then recreated');
  check('ResourceVersion', preconditions.resourceVersion, resourceVersion, 'modified');
}

/** A deletion first sets the phase to Terminating; the namespace goes when it is empty. Models: namespace/storage storage.go Delete. */
export function deleteNamespace(scope: Scope, resource: Resource, stored: ApiObject, options: Deletion): Deleted {
  checkPreconditions(resource, stored, options.preconditions);
  if (stored.metadata.deletionTimestamp !== undefined) {
    const { finalizers = [] } = (stored['spec'] ?? {}) as { readonly finalizers?: readonly string[] };
    return finalizers.length > 0 ? { object: stored, gone: false } : deleteStored(scope, resource, stored, options);
  }
  const { name, resourceVersion } = stored.metadata;
  const object = produce(stored, (draft) => {
    draft.metadata.deletionTimestamp = formatTime(scope.now());
    assign(draft.metadata, 'finalizers', castDraft(finalizersForDeletion(resource, stored, options)));
    draft['status'] = { ...(stored['status'] as object | undefined), phase: 'Terminating' };
  });
  if (isDryRun(options.dryRun)) return { object: stamped(object, resourceVersion), gone: false };
  return { object: scope.commit(resource, 'MODIFIED', storeKey(undefined, name), object), gone: false };
}

/** A deletion of a definition deletes the objects of its kind first, by the same rules as a client would. */
export function deleteDefinition(scope: Scope, resource: Resource, stored: ApiObject, options: Deletion): Deleted {
  checkPreconditions(resource, stored, options.preconditions);
  const deleted = deleteStored(scope, resource, asTerminating(stored, scope.context()), { ...options, preconditions: undefined });
  if (isDryRun(options.dryRun) || deleted.gone) return deleted;
  const { spec, metadata } = stored as CustomResourceDefinition;
  const kind = scope.kinds.byPlural(spec.group ?? '', spec.names?.plural ?? '');
  if (kind?.definition !== undefined) {
    const objects = scope.resource(kind.kind);
    for (const object of scope.store.values(kind.kind)) deleteStored(scope, objects, object, {});
  }
  const left = scope.store.get(resource.kind.kind, metadata.name);
  if (left !== undefined && (kind === undefined || scope.store.size(kind.kind) === 0))
    finishDeletion(scope, left as CustomResourceDefinition);
  return deleted;
}
