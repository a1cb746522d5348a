/**
 * Finds what an update changes, where the new object shares most members with the stored one by reference: shared members were decoded,
 * admitted and validated when they were written, so only the others are decoded. Where it cannot tell, the whole body is decoded, which also
 * words the errors.
 */
import { perObject } from '../../engine/index.ts';
import { copyWith, isMapping } from '../../schema/values/index.ts';
import type { Scope } from '../admission/index.ts';
import { applyMergePatch } from '../patch/index.ts';
import { ALWAYS, type ApiObject, type ObjectMeta, type Part, partOf, type Parts, partsOf, sameValue } from '../machinery/index.ts';
import { decodeLasting, DecodeError, deepFreeze, type Fieldset, isNothing, type Schema } from '../../schema/shape/index.ts';
import type { Resource } from '../request/index.ts';
import type { Change } from './write.ts';

type Members = Readonly<Record<string, unknown>>;

interface PatchSent {
  readonly patchType: string;
  readonly body: unknown;
}

/** Returns what an update by `object` changes; undefined where the whole body must be decoded. */
export function changeOf(resource: Resource, object: ApiObject, stored: ApiObject, status: boolean): Change | undefined {
  const changed = changedMembers(resource, object, stored, status);
  return changed === undefined ? undefined : composed(resource, changed, stored, status);
}

/**
 * Returns what a patch of a process of the cluster changes; undefined where the patched document is needed. The patch is compared with the
 * stored object member by member. Its size is not limited, since only clients send objects that grow without bound.
 */
export function changeOfPatch(scope: Scope, resource: Resource, patch: PatchSent, stored: ApiObject, status: boolean): Change | undefined {
  // Rules of the specification may need the document.
  if (scope.envelope.by.controller === undefined || resource.kind.specification !== undefined) return undefined;
  const changed = patchedMembers(resource.kind.schema, patch, stored, status);
  return changed === undefined ? undefined : composed(resource, changed, stored, status);
}

const PARTS_OF_METADATA = ['labels', 'annotations', 'ownerReferences', 'finalizers'] as const satisfies readonly Part[];

function composed(resource: Resource, members: Members, stored: ApiObject, status: boolean): Change | undefined {
  let changed: Parts = ALWAYS;
  for (const name in members)
    if (name !== 'metadata') changed |= partOf(name);
    else changed |= partsThatDiffer(stored.metadata, members[name] as ObjectMeta);
  // A status update keeps the order of the stored members; any other write has the published order.
  const object =
    status && resource.kind.prepareForStatusUpdate === undefined ? copyWith(stored, members) : inPublishedOrder(resource, stored, members);
  return resource.kind.unreadable?.(object) === undefined ? { object, changed, isFresh: true } : undefined;
}

function partsThatDiffer(was: ObjectMeta, is: ObjectMeta): Parts {
  let changed: Parts = 0;
  for (const part of PARTS_OF_METADATA) if (was[part] !== is[part]) changed |= partsOf(part);
  return changed;
}

/** Returns the members that differ from the stored ones, decoded; undefined where this write may not change one of them. */
function changedMembers(resource: Resource, object: ApiObject, stored: ApiObject, status: boolean): Members | undefined {
  const { schema } = resource.kind;
  if (schema.complete !== undefined || schema.open === true || typeof object !== 'object' || object === null) return undefined;
  const changed: Record<string, unknown> = {};
  for (const name in stored) if (object[name] === undefined) return undefined;
  for (const name in object) {
    const value = object[name];
    if (value === stored[name]) continue;
    const field = schema.fields[name];
    if (field?.type !== 'object' && field?.type !== 'list') return undefined;
    if (typeof value !== 'object' || value === null || (name === 'status') !== status) return undefined;
    const decoded = deepFreeze(decodedOrNothing(field, value, field.type === 'list' ? stored[name] : undefined));
    // An empty list leaves the object.
    if (decoded === undefined || (field.type === 'list' && isNothing(field, decoded))) return undefined;
    const kept =
      name === 'metadata'
        ? metadataLike(stored.metadata, decoded as ObjectMeta)
        : sameValue(decoded, stored[name])
          ? stored[name]
          : decoded;
    if (kept === undefined) return undefined;
    if (kept !== stored[name]) changed[name] = kept;
  }
  return changed;
}

/** Returns a value in its stored form; undefined where it does not fit the schema. `stored`: the former list, whose items are decoded. */
export function decodedOrNothing(field: Schema, value: unknown, stored?: unknown): unknown {
  try {
    return decodeLasting(field, value, stored);
  } catch (thrown) {
    if (thrown instanceof DecodeError) return undefined;
    throw thrown;
  }
}

/** Returns metadata where only client-owned parts changed; equal parts are those stored. Undefined where other parts changed. */
function metadataLike(old: ObjectMeta, given: ObjectMeta): ObjectMeta | undefined {
  for (const name of Object.keys(given) as (keyof ObjectMeta)[]) if (!isPart(name) && !sameValue(given[name], old[name])) return undefined;
  for (const name in old) if (!isPart(name) && !(name in given)) return undefined;
  const parts: Record<string, unknown> = {};
  let same = true;
  for (const part of PARTS_OF_METADATA) {
    const isSame = sameValue(old[part], given[part]);
    parts[part] = isSame ? old[part] : given[part];
    same &&= isSame;
  }
  return same ? old : Object.assign({ ...old }, parts);
}

const isPart = (name: string): boolean => (PARTS_OF_METADATA as readonly string[]).includes(name);

/** Whether objects of a kind have exactly metadata, spec and status. */
const hasUsualParts = perObject((schema: Resource['kind']['schema']) =>
  Object.keys(schema.fields)
    .filter((name) => name !== 'kind' && name !== 'apiVersion')
    .every((name, at) => name === ['metadata', 'spec', 'status'][at]),
);

function inPublishedOrder({ kind }: Resource, stored: ApiObject, changed: Members): ApiObject {
  const { apiVersion, kind: named, metadata } = stored;
  const spec = changed['spec'] ?? stored['spec'];
  const status = changed['status'] ?? stored['status'];
  // A literal reserves slots for the members it names; members added later need extra memory.
  if (spec !== undefined && status !== undefined && hasUsualParts(kind.schema))
    return { kind: named, apiVersion, metadata: (changed['metadata'] ?? metadata) as ObjectMeta, spec, status };
  return { kind: named, apiVersion, metadata, ...laidOver(kind.schema.fields, changed, stored) };
}

// The patches that processes of the cluster mostly send: merge patches of a status or a spec, and removals of finalizers. The patched document is not
// built. All other patches, and invalid ones, use the full path, which gives the same bytes and words the errors.

/** Returns the members that a patch changes, decoded; undefined where the full path is needed. */
function patchedMembers(schema: Schema, { patchType, body }: PatchSent, stored: ApiObject, status: boolean): Members | undefined {
  if (schema.type !== 'object' || schema.complete !== undefined || schema.open === true || !isMapping(body)) return undefined;
  if (patchType !== 'merge' && patchType !== 'strategic') return undefined;
  const changed: Record<string, unknown> = {};
  for (const name in body) {
    const value = body[name];
    const was = stored[name];
    if (!isMapping(value) || !isMapping(was)) return undefined;
    let is: object | undefined;
    if (name === 'metadata') is = metadataAfter(value, stored.metadata, patchType === 'strategic');
    else if (name === (status ? 'status' : 'spec') && patchType === 'merge') is = partAfter(schema.fields[name], value, was);
    if (is === undefined) return undefined;
    if (is === was) continue;
    // A status update changes nothing else.
    if (status && name !== 'status') return undefined;
    changed[name] = is;
  }
  return changed;
}

const DELETED_FINALIZERS = '$deleteFromPrimitiveList/finalizers';

type Loose = { -readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined };

/** Returns metadata without the removed finalizers; a uid and a revision in the patch must match. */
function metadataAfter(patch: Members, old: ObjectMeta, strategic: boolean): Loose | undefined {
  let made: Loose | undefined;
  for (const name in patch) {
    const value = patch[name];
    if ((name === 'uid' || name === 'resourceVersion') && value === old[name]) continue;
    if (!strategic || name !== DELETED_FINALIZERS || !Array.isArray(value)) return undefined;
    const { finalizers } = old;
    const left = without(finalizers, value);
    if (left === undefined || left.length === finalizers?.length) continue;
    made = { ...old };
    made.finalizers = left.length === 0 ? undefined : left;
  }
  return made ?? old;
}

const NOTHING_LEFT: readonly string[] = [];

function without(finalizers: readonly string[] | undefined, removed: readonly unknown[]): readonly string[] | undefined {
  // Most objects have one.
  if (finalizers?.length === 1) return removed.includes(finalizers[0]) ? NOTHING_LEFT : finalizers;
  return finalizers?.filter((finalizer) => !removed.includes(finalizer));
}

/** Returns a struct with a merge patch applied; unchanged members keep their reference. */
function partAfter(schema: Schema | undefined, patch: Members, old: Members): Members | undefined {
  if (schema?.type !== 'object' || schema.complete !== undefined) return undefined;
  const { fields } = schema;
  let made: Record<string, unknown> | undefined;
  let gone: string[] | undefined;
  let differs = false;
  for (const name in patch) {
    const value = patch[name];
    const was = old[name];
    if (value === was && value !== null && value !== undefined) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined || value === null || value === undefined) return undefined;
    const is = sameValue(was, value) ? was : canonical(field, isMapping(value) ? applyMergePatch(was, value, field) : value);
    if (is === undefined) {
      // An empty list leaves the object; what else is empty, or does not fit, needs the document.
      if (!Array.isArray(value) || value.length > 0 || !leaves(field)) return undefined;
      (gone ??= []).push(name);
    }
    if (is !== was) differs = true;
    if (is !== value) (made ??= { ...patch })[name] = is;
  }
  if (!differs) return old;
  const whole = laidOver(fields, made ?? patch, old, gone);
  return sameValue(whole, old) ? old : whole;
}

/** Whether a list leaves its object when it is empty; others are stored as null, or filled in. */
const leaves = (field: Schema): boolean =>
  field.type === 'list' && field.always !== true && field.required !== true && field.pointer !== true && field.default === undefined;

/** Returns a value in its stored form; undefined where it is empty or does not fit. */
function canonical(field: Schema, value: unknown): unknown {
  if (typeof value === 'string' && field.type === 'string') return value === '' ? undefined : value;
  const read = decodedOrNothing(field, value);
  return isNothing(field, read) ? undefined : read;
}

/** Made member by member: see `copyWith`. */
function laidOver(fields: Fieldset, says: Members, old: Members, gone?: readonly string[]): Members {
  const result: Record<string, unknown> = {};
  for (const name in fields) {
    const value = says[name] ?? (gone?.includes(name) === true ? undefined : old[name]);
    if (value !== undefined) result[name] = value;
  }
  return result;
}
