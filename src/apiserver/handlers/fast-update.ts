/**
 * The fast path of updates: the new object shares most members with the stored one by reference. Shared members were decoded, admitted and
 * validated when they were written, so only changed members are decoded and validated, and the result is committed without a draft. The
 * full path is used where other steps could change the result: defaults, hooks, mutating plug-ins, managed fields, a dry run, or an update
 * that completes a deletion. Both paths give the same bytes.
 */
import {
  type ApiObject,
  type FieldError,
  isRestoringHook,
  type ManagedFieldsEntry,
  type ObjectMeta,
  sameValue,
} from '../machinery/index.ts';
import { decodeLasting, DecodeError, deepFreeze } from '../../schema/shape/index.ts';
import { type ApiRequest, type ApiResponse, differsOutside, type Resource } from '../request/index.ts';
import { commonErrors, kindErrors } from './common-rules.ts';
import type { Scope } from './request-scope.ts';
import { tracks } from './field-tracking.ts';
import { removedByUpdate } from './finalizers.ts';
import { type Members, type PatchSent, patchedMembers } from './patched-members.ts';
import { validated } from './specification.ts';

export interface ReplaceOptions {
  /** The key of the stored object. */
  readonly key: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly subresource: string | undefined;
  readonly dryRun: boolean;
  readonly request: ApiRequest;
  /** The managed fields, if they have been computed already, as for an apply. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
  /** The document of the client; absent: there is none, as for a view of the object. */
  readonly sent?: unknown;
}

/** Returns the response to an update by `object`; undefined where the full path is needed. */
export function fastUpdate(
  scope: Scope,
  resource: Resource,
  object: ApiObject,
  stored: ApiObject,
  options: ReplaceOptions,
): ApiResponse | undefined {
  const status = options.subresource === 'status';
  if (!isPlainUpdate(scope, stored, options) || mayAlter(resource, status, object)) return undefined;
  const changed = changedMembers(resource, object, stored, status);
  return changed === undefined ? undefined : written(scope, resource, changed, nextOf(resource, changed, stored, status), stored, options);
}

/**
 * The fast path of a patch sent by a process of the cluster. The patched document is not built: the patch is compared with the stored
 * object member by member. Its size is not limited either, since only clients send objects that grow without bound.
 */
export function fastPatch(
  scope: Scope,
  resource: Resource,
  patch: PatchSent,
  stored: ApiObject,
  options: ReplaceOptions,
): ApiResponse | undefined {
  const { kind } = resource;
  // Rules of the specification may need the document.
  if (scope.envelope.by.controller === undefined || kind.specification !== undefined || !isPlainUpdate(scope, stored, options))
    return undefined;
  const status = options.subresource === 'status';
  const changed = patchedMembers(kind.schema, patch, stored, status);
  if (changed === undefined || !isOrdinary(resource, changed, stored, status)) return undefined;
  const next = nextOf(resource, changed, stored, status);
  return mayAlter(resource, status, next) ? undefined : written(scope, resource, changed, next, stored, options);
}

/** Whether a write has no options, and managed fields are not tracked. */
const isPlainUpdate = (scope: Scope, stored: ApiObject, { dryRun, request }: ReplaceOptions): boolean =>
  !dryRun && !('fieldValidation' in request && request.fieldValidation !== undefined) && !tracks(scope, request, stored);

/** A status update keeps the order of the stored members; any other write has the published order. */
const nextOf = (resource: Resource, changed: Members, stored: ApiObject, status: boolean): ApiObject =>
  status && resource.kind.prepareForStatusUpdate === undefined ? { ...stored, ...changed } : inPublishedOrder(resource, stored, changed);

/** Validates and commits the changed members. */
function written(
  scope: Scope,
  resource: Resource,
  changed: Members,
  next: ApiObject,
  stored: ApiObject,
  { key, name, namespace, subresource, dryRun, request, sent }: ReplaceOptions,
): ApiResponse | undefined {
  const { kind } = resource;
  const status = subresource === 'status';
  const attributes = { verb: 'update', resource, namespace, name, request, dryRun, subresource } as const;
  if (!scope.admission.leavesUnchanged(attributes, 'spec' in changed)) return undefined;
  if (removedByUpdate(next, stored)) return undefined;
  const context = scope.context();
  const own: readonly FieldError[] =
    status && kind.validateStatusUpdate !== undefined
      ? kind.validateStatusUpdate(next, stored, context)
      : kindErrors(resource, request, next, stored, context);
  const common = commonErrors(resource, next, stored, context);
  const all = common.length > 0 ? [...common, ...own] : own;
  const noted = validated(scope, resource, { object: next, old: stored, sent, subresource, kindErrors: all });
  scope.admission.validate(scope, attributes, next, stored);
  const reported = kind.warnings?.(next, stored, context) ?? NO_WARNINGS;
  const warnings = noted.length > 0 ? [...reported, ...noted] : reported;
  let isNew = false;
  for (const _ in changed) isNew = true;
  const result = isNew ? scope.commit(resource, 'MODIFIED', key, next, stored, true) : stored;
  return warnings.length === 0 ? { ok: true, code: 200, object: result } : { ok: true, code: 200, object: result, warnings };
}

const NO_WARNINGS: readonly string[] = [];

/** Whether defaults or a hook might change the object. */
function mayAlter({ kind }: Resource, status: boolean, object: ApiObject): boolean {
  const hook = status ? kind.prepareForStatusUpdate : kind.prepareForUpdate;
  if ((hook === undefined || isRestoringHook(hook)) && (status || kind.applyDefaults === undefined)) return false;
  return kind.leavesUnchanged === undefined || !hasParts(object) || !kind.leavesUnchanged(object);
}

/** The check runs before the body is decoded. */
const hasParts = (object: ApiObject): boolean => isObject(object['spec']) && isObject(object['status']);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Returns the members that differ from the stored ones, decoded; undefined where this write may not change one of them. */
function changedMembers(resource: Resource, object: ApiObject, stored: ApiObject, status: boolean): Members | undefined {
  const { schema } = resource.kind;
  if (schema.complete !== undefined) return undefined;
  const changed: Record<string, unknown> = {};
  for (const name in stored) if (object[name] === undefined) return undefined;
  for (const name in object) {
    const value = object[name];
    if (value === stored[name]) continue;
    const field = schema.fields[name];
    if (field?.type !== 'object' || typeof value !== 'object' || value === null || (name === 'status') !== status) return undefined;
    const decoded = decodedOrNothing(field, value);
    if (decoded === undefined) return undefined;
    const kept =
      name === 'metadata'
        ? metadataLike(stored.metadata, decoded as ObjectMeta)
        : sameValue(decoded, stored[name])
          ? stored[name]
          : decoded;
    if (kept === undefined) return undefined;
    if (kept !== stored[name]) changed[name] = kept;
  }
  return isOrdinary(resource, changed, stored, status) ? changed : undefined;
}

/** Whether a write leaves the generation unchanged. */
function isOrdinary({ kind }: Resource, changed: Members, stored: ApiObject, status: boolean): boolean {
  if (status || kind.generation === 'none') return true;
  if (kind.generation === 'specAndAnnotations' && changed['metadata'] !== undefined) return false;
  return !differsOutside({ ...stored, ...changed }, stored, 'status');
}

function decodedOrNothing(field: Resource['kind']['schema'], value: unknown): object | undefined {
  try {
    return deepFreeze(decodeLasting(field, value)) as object;
  } catch (thrown) {
    if (thrown instanceof DecodeError) return undefined;
    throw thrown;
  }
}

/** Returns metadata where only client-owned parts changed; equal parts are those stored. Undefined where other parts changed. */
function metadataLike(old: ObjectMeta, given: ObjectMeta): ObjectMeta | undefined {
  for (const name of Object.keys(given) as (keyof ObjectMeta)[]) if (!isPart(name) && !sameValue(given[name], old[name])) return undefined;
  for (const name in old) if (!isPart(name) && !(name in given)) return undefined;
  const { labels, annotations, ownerReferences, finalizers } = old;
  const parts = {
    labels: sameValue(labels, given.labels) ? labels : given.labels,
    annotations: sameValue(annotations, given.annotations) ? annotations : given.annotations,
    ownerReferences: sameValue(ownerReferences, given.ownerReferences) ? ownerReferences : given.ownerReferences,
    finalizers: sameValue(finalizers, given.finalizers) ? finalizers : given.finalizers,
  };
  const same =
    parts.labels === labels &&
    parts.annotations === annotations &&
    parts.ownerReferences === ownerReferences &&
    parts.finalizers === finalizers;
  return same ? old : (Object.assign({ ...old }, parts) as ObjectMeta);
}

const isPart = (name: string): boolean =>
  name === 'labels' || name === 'annotations' || name === 'ownerReferences' || name === 'finalizers';

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
