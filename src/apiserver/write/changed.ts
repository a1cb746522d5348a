/**
 * Finds what an update changes, where the new object shares most members with the stored one by reference: shared members were decoded,
 * admitted and validated when they were written, so only the others are decoded. Where it cannot tell, the whole body is decoded, which also
 * words the errors.
 */
import type { Scope } from '../admission/index.ts';
import { ALWAYS, type ApiObject, type ObjectMeta, type Part, partOf, type Parts, partsOf, sameValue } from '../machinery/index.ts';
import { decodeLasting, DecodeError, deepFreeze, isNothing, type Schema } from '../../schema/shape/index.ts';
import type { Resource } from '../request/index.ts';
import type { Change } from './write.ts';
import { type Members, type PatchSent, patchedMembers } from './patched-members.ts';

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
    else for (const part of PARTS_OF_METADATA) if (stored.metadata[part] !== (members[name] as ObjectMeta)[part]) changed |= partsOf(part);
  // A status update keeps the order of the stored members; any other write has the published order.
  const object =
    status && resource.kind.prepareForStatusUpdate === undefined ? { ...stored, ...members } : inPublishedOrder(resource, stored, members);
  return resource.kind.unreadable?.(object) === undefined ? { object, changed, isFresh: true } : undefined;
}

/** Returns the members that differ from the stored ones, decoded; undefined where this write may not change one of them. */
function changedMembers(resource: Resource, object: ApiObject, stored: ApiObject, status: boolean): Members | undefined {
  const { schema } = resource.kind;
  if (schema.complete !== undefined || typeof object !== 'object' || object === null) return undefined;
  const changed: Record<string, unknown> = {};
  for (const name in stored) if (object[name] === undefined) return undefined;
  for (const name in object) {
    const value = object[name];
    if (value === stored[name]) continue;
    const field = schema.fields[name];
    if (field?.type !== 'object' && field?.type !== 'list') return undefined;
    if (typeof value !== 'object' || value === null || (name === 'status') !== status) return undefined;
    const decoded = decodedOrNothing(field, value, stored[name]);
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

function decodedOrNothing(field: Schema, value: unknown, stored: unknown): object | undefined {
  try {
    return deepFreeze(decodeLasting(field, value, field.type === 'list' ? stored : undefined)) as object;
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

const usual = new WeakMap<object, boolean>();

/** Whether objects of a kind have exactly metadata, spec and status. */
function hasUsualParts(schema: Resource['kind']['schema']): boolean {
  let known = usual.get(schema);
  if (known === undefined)
    usual.set(
      schema,
      (known = Object.keys(schema.fields)
        .filter((name) => name !== 'kind' && name !== 'apiVersion')
        .every((name, at) => name === ['metadata', 'spec', 'status'][at])),
    );
  return known;
}

function inPublishedOrder({ kind }: Resource, stored: ApiObject, changed: Members): ApiObject {
  const { apiVersion, kind: named, metadata } = stored;
  const spec = changed['spec'] ?? stored['spec'];
  const status = changed['status'] ?? stored['status'];
  // A literal reserves slots for the members it names; members added later need extra memory.
  if (spec !== undefined && status !== undefined && hasUsualParts(kind.schema))
    return { kind: named, apiVersion, metadata: (changed['metadata'] ?? metadata) as ObjectMeta, spec, status };
  const result: Record<string, unknown> & { apiVersion: string; kind: string; metadata: ObjectMeta } = {
    kind: named,
    apiVersion,
    metadata,
  };
  for (const name in kind.schema.fields) {
    const value = changed[name] ?? stored[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}
