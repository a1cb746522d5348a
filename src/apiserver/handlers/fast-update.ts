/**
 * The short way of a write: an object that is the stored one but for some members, known by reference. What has not changed was decoded,
 * admitted and judged when it was written; what has is decoded and judged, and a literal is committed. Where anybody might have more to say
 * (defaults, hooks and plug-ins that change what is written, owners of fields, a dry run, an update that ends a deletion), the write goes
 * the long way, with the same bytes.
 */
import { type ApiObject, type FieldError, isKeeper, type ManagedFieldsEntry, type ObjectMeta, sameValue } from '../machinery/index.ts';
import { decodeLasting, DecodeError, deepFreeze } from '../../schema/shape/index.ts';
import { type ApiRequest, type ApiResponse, differsOutside, type Resource } from '../request/index.ts';
import { commonErrors, ownErrors } from './common-rules.ts';
import type { Scope } from './request-scope.ts';
import { tracks } from './field-tracking.ts';
import { removedByUpdate } from './finalizers.ts';
import { type Members, type PatchSent, patchedMembers } from './patched-members.ts';
import { judged } from './specification.ts';

export interface ReplaceOptions {
  /** Where the object is stored. */
  readonly key: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly subresource: string | undefined;
  readonly dryRun: boolean;
  readonly request: ApiRequest;
  /** Ownership worked out already, as an apply does. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
  /** The document that the writer means; absent: there is none, as for a view of the object. */
  readonly sent?: unknown;
}

/** The answer to a write of the finished `object` over what is stored; undefined where it has to go the long way. */
export function finished(
  scope: Scope,
  resource: Resource,
  object: ApiObject,
  stored: ApiObject,
  options: ReplaceOptions,
): ApiResponse | undefined {
  const status = options.subresource === 'status';
  if (!isPlain(scope, stored, options) || mayAlter(resource, status, object)) return undefined;
  const changed = changedMembers(resource, object, stored, status);
  return changed === undefined ? undefined : written(scope, resource, changed, nextOf(resource, changed, stored, status), stored, options);
}

/**
 * The same for a patch of a process of the cluster, whose document is not made: what it says is read beside what is stored, member by
 * member. Its size is not counted either: what grows without end comes from clients.
 */
export function finishedPatch(
  scope: Scope,
  resource: Resource,
  patch: PatchSent,
  stored: ApiObject,
  options: ReplaceOptions,
): ApiResponse | undefined {
  const { kind } = resource;
  // Rules of the specification may ask for the document.
  if (scope.envelope.by.controller === undefined || kind.specification !== undefined || !isPlain(scope, stored, options)) return undefined;
  const status = options.subresource === 'status';
  const changed = patchedMembers(kind.schema, patch, stored, status);
  if (changed === undefined || !isOrdinary(resource, changed, stored, status)) return undefined;
  const next = nextOf(resource, changed, stored, status);
  return mayAlter(resource, status, next) ? undefined : written(scope, resource, changed, next, stored, options);
}

/** Whether nothing is asked of a write but that it is made, and nobody keeps who owns the fields. */
const isPlain = (scope: Scope, stored: ApiObject, { dryRun, request }: ReplaceOptions): boolean =>
  !dryRun && !('fieldValidation' in request && request.fieldValidation !== undefined) && !tracks(scope, request, stored);

/** A write of the status leaves the members where they are stored, any other those of the body, which come as they are published. */
const nextOf = (resource: Resource, changed: Members, stored: ApiObject, status: boolean): ApiObject =>
  status && resource.kind.prepareForStatusUpdate === undefined ? { ...stored, ...changed } : inPublishedOrder(resource, stored, changed);

/** Judges and commits what has changed. */
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
  if (!scope.admission.leaves(attributes, 'spec' in changed)) return undefined;
  if (removedByUpdate(next, stored)) return undefined;
  const context = scope.context();
  const own: readonly FieldError[] =
    status && kind.validateStatusUpdate !== undefined
      ? kind.validateStatusUpdate(next, stored, context)
      : ownErrors(resource, request, next, stored, context);
  const common = commonErrors(resource, next, stored, context);
  const all = common.length > 0 ? [...common, ...own] : own;
  const noted = judged(scope, resource, { object: next, old: stored, sent, subresource, own: all });
  scope.admission.validate(scope, attributes, next, stored);
  const reported = kind.warnings?.(next, stored, context) ?? NO_WARNINGS;
  const warnings = noted.length > 0 ? [...reported, ...noted] : reported;
  let isNew = false;
  for (const _ in changed) isNew = true;
  const result = isNew ? scope.commit(resource, 'MODIFIED', key, next, stored, true) : stored;
  return warnings.length === 0 ? { ok: true, code: 200, object: result } : { ok: true, code: 200, object: result, warnings };
}

const NO_WARNINGS: readonly string[] = [];

/** Whether defaults or a hook might make something else of what is written. */
function mayAlter({ kind }: Resource, status: boolean, object: ApiObject): boolean {
  const hook = status ? kind.prepareForStatusUpdate : kind.prepareForUpdate;
  if ((hook === undefined || isKeeper(hook)) && (status || kind.applyDefaults === undefined)) return false;
  return kind.leaves === undefined || !hasParts(object) || !kind.leaves(object);
}

/** What a writer sent is looked at before it is decoded. */
const hasParts = (object: ApiObject): boolean => isObject(object['spec']) && isObject(object['status']);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The members that are not those stored, decoded; undefined where one of them is nothing that such a write may change. */
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

/** Whether a write leaves the generation as it is. */
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

/** Metadata in which a writer changed what writers may; parts that are equal are those stored. Undefined where there is more to it. */
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

/** Whether objects of a kind have metadata, spec and status, and nothing else. */
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
  // A literal has room for what it names; what is added to one takes a place of its own.
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
