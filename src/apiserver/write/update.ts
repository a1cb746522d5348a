/**
 * The stages of an update that a creation does not have. A write that changes nothing keeps the object and its resourceVersion; one that
 * removes the last finalizer of an object being deleted completes the deletion. Models: apiserver pkg/registry/generic/registry store.go
 * Update, pkg/registry/rest update.go BeforeUpdate.
 */
import { ALWAYS, assign, currentOf, partsOf, pathSegmentName, UNKNOWN, validateMeta, validateMetaUpdate } from '../machinery/index.ts';
import type { ApiObject, FieldError, Kind, ObjectMeta } from '../machinery/index.ts';
import { ignoringTimes } from '../patch/index.ts';
import { GoText } from '../../schema/values/index.ts';
import { conflict, fillForUpdate, internal, invalidAs, MODIFIED, type Resource, sameValue, stamped, storeKey } from '../request/index.ts';
import { beforeOf, hookStages, IDENTITY, kindErrors, type Stage, warnOfClusterName } from './stages.ts';
import type { Write } from './write.ts';

const NO_ERRORS: readonly FieldError[] = [];
const UNSET = new GoText('0x0');
const MAX_UINT64 = 18446744073709551615n;

/** Checks the resourceVersion: it must be the stored one, or unset where the kind allows that. */
export function checkVersion(resource: Resource, name: string, given: string | undefined, stored: ApiObject): void {
  if (given === stored.metadata.resourceVersion) return;
  if (given === undefined || given === '' || /^0+$/.test(given)) {
    if (resource.kind.allowUnconditionalUpdate) return;
    // Upstream names the resource here, where other errors name the kind.
    throw invalidAs(resource.group, resource.kind.plural, name, [
      { type: 'Invalid', field: 'metadata.resourceVersion', value: UNSET, detail: 'must be specified for an update' },
    ]);
  }
  if (!/^\d+$/.test(given)) throw internal(`strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`);
  if (BigInt(given) > MAX_UINT64) throw internal(`strconv.ParseUint: parsing ${JSON.stringify(given)}: value out of range`);
  if (BigInt(given) !== BigInt(stored.metadata.resourceVersion)) throw conflict(resource, name, MODIFIED);
}

/** The revision that the author has read. */
export const precondition: Stage = {
  name: 'resourceVersion',
  reads: IDENTITY,
  run: (write) => checkVersion(write.place.resource, write.place.name, write.given.resourceVersion, beforeOf(write)),
};

/** A status update takes only the status and metadata of what was sent, unless the kind has a hook of its own. */
export const isolation: Stage = {
  name: 'status isolation',
  reads: partsOf('spec', 'other') | UNKNOWN,
  run(write) {
    const stored = beforeOf(write);
    const { metadata, status } = write.view;
    const given = currentOf<unknown>(status);
    const next: ApiObject & Record<string, unknown> = { ...stored, metadata: currentOf<ObjectMeta>(metadata) };
    assign(next, 'status', sameValue(stored['status'], given) ? stored['status'] : given);
    write.replace(next);
  },
};

/** Keeps the identity and history of the stored object. */
export const identity: Stage = {
  name: 'server metadata',
  reads: IDENTITY,
  run(write) {
    const metadata = write.metadata();
    fillForUpdate(metadata, { ...currentOf<ObjectMeta>(metadata) }, beforeOf(write).metadata, write.managers);
  },
};

/** Restores what this writer may not change. */
export const restoring = (kind: Kind, subresource: string | undefined): readonly Stage[] => {
  const hooks = subresource === 'status' ? kind.prepareForStatusUpdate : kind.prepareForUpdate;
  return hookStages('prepare for update', hooks, (hook, draft, write, context) => hook(draft, beforeOf(write), context));
};

/** Members that equal the stored ones keep their reference. A write that knows what it changes shares them already. */
export const sharing: Stage = {
  name: 'shared members',
  reads: UNKNOWN,
  run(write) {
    const stored = beforeOf(write);
    const { view } = write;
    for (const member of Object.keys(write.place.resource.kind.schema.fields)) {
      if (member === 'metadata' || !(member in view)) continue;
      if (sameValue(currentOf<unknown>(view[member]), stored[member])) write.set(member, stored[member]);
    }
  },
};

/** Whether a member that the schema does not have differs from the stored one. */
const hasOtherMembers = (object: ApiObject, stored: ApiObject, members: readonly string[]): boolean =>
  Object.keys(object).some((member) => !members.includes(member) && !OWN.has(member) && !sameValue(object[member], stored[member]));

const OWN: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Counts a change in `metadata.generation`. */
export function counting({ generation, schema }: Kind): readonly Stage[] {
  if (generation === 'none') return [];
  const counts = (member: string): boolean => member !== 'metadata' && (member !== 'status' || generation === 'specAndStatus');
  const members = Object.keys(schema.fields).filter(counts);
  const status = generation === 'specAndStatus' ? partsOf('status') : 0;
  const annotations = generation === 'specAndAnnotations' ? partsOf('annotations') : 0;
  return [
    {
      name: 'generation',
      reads: partsOf('spec', 'other') | status | annotations | UNKNOWN,
      run(write) {
        const stored = beforeOf(write);
        const { view } = write;
        const differs =
          members.some((member) => member in view && currentOf<unknown>(view[member]) !== stored[member]) ||
          Object.keys(stored).some((member) => counts(member) && !(member in view)) ||
          (schema.open === true && hasOtherMembers(currentOf<ApiObject>(view), stored, members)) ||
          (annotations !== 0 && !sameValue(currentOf<unknown>(view.metadata.annotations) ?? {}, stored.metadata.annotations ?? {}));
        if (!differs || view.metadata.generation !== stored.metadata.generation) return;
        write.metadata().generation = (stored.metadata.generation ?? 0) + 1;
      },
    },
  ];
}

const JUDGED = [
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'uid',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

function differs(is: ObjectMeta, was: ObjectMeta): boolean {
  for (const name of JUDGED) if (is[name] !== was[name]) return true;
  return false;
}

/** Returns the errors in the metadata of an update. Parts taken from the stored object are valid. Models: validateCommonFields. */
function commonErrors({ place: { resource }, object, scope }: Write, stored: ApiObject): readonly FieldError[] {
  if (!differs(object.metadata, stored.metadata)) return NO_ERRORS;
  const context = scope.context();
  const errors = validateMeta(object, resource.kind.namespaced, pathSegmentName, context, false);
  const ofChange = validateMetaUpdate(object, stored, context);
  if (ofChange.length === 0) return errors;
  // The check for standard finalizers belongs to the kinds.
  return [...errors, ...ofChange.filter(({ field }) => !field.startsWith('metadata.finalizers['))];
}

/** The rules of the kind, after those of all metadata. */
export const validatingChange: Stage = {
  name: 'validation',
  reads: ALWAYS,
  run(write) {
    warnOfClusterName(write);
    const { place, object, scope } = write;
    const { kind } = place.resource;
    const stored = beforeOf(write);
    const own =
      place.subresource === 'status' && kind.validateStatusUpdate !== undefined
        ? kind.validateStatusUpdate(object, stored, scope.context())
        : kindErrors(write);
    const common = commonErrors(write, stored);
    write.errors = common.length > 0 ? [...common, ...own] : own;
  },
};

/** Whether an update removed the last finalizer of an object that is being deleted. */
function completesDeletion(object: ApiObject, stored: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = stored.metadata;
  if (deletionTimestamp === undefined) return false;
  // A namespace has finalizers in its spec, too.
  const { finalizers: held = [] } = (object['spec'] ?? {}) as { readonly finalizers?: readonly string[] };
  if (held.length > 0) return false;
  return (object.metadata.finalizers ?? []).length === 0 && (deletionGracePeriodSeconds ?? 0) === 0;
}

/** Whether a write changes nothing; the timestamps of managed fields are ignored. */
function changesNothing({ changed, object }: Write, stored: ApiObject): boolean {
  if ((changed & (UNKNOWN | IDENTITY)) === 0) return changed === ALWAYS;
  const fields = object.metadata.managedFields;
  const former = stored.metadata.managedFields;
  if (fields === former || fields === undefined || former === undefined) return sameValue(object, stored);
  if (ignoringTimes(former, fields) !== former) return false;
  return sameValue({ ...object, metadata: { ...object.metadata, managedFields: former } }, stored);
}

/** Stores the changed object, or completes its deletion, unless the request is a dry run. */
export const committing: Stage = {
  name: 'commit',
  reads: ALWAYS,
  run(write) {
    const { scope, object } = write;
    const { resource, namespace, dryRun } = write.place;
    const stored = beforeOf(write);
    const key = storeKey(namespace, stored.metadata.name);
    const revision = object.metadata.resourceVersion;
    if (completesDeletion(object, stored)) {
      if (!dryRun) scope.commit(resource, 'DELETED', key, stored);
      write.result = stamped(object, revision);
    } else if (changesNothing(write, stored)) write.result = stored;
    else write.result = dryRun ? stamped(object, revision) : scope.commit(resource, 'MODIFIED', key, object, stored, write.isFresh);
  },
};
