/**
 * Update requests: finds the object, decodes the body, checks identity and revision, prepares, validates and commits. A write that changes
 * nothing keeps the object and its resourceVersion; one that removes the last finalizer of an object being deleted completes the deletion.
 * Models: apiserver pkg/registry/generic/registry store.go Update, pkg/registry/rest update.go BeforeUpdate.
 */
import {
  type ApiObject,
  assign,
  beginDraft,
  type Draft,
  completeDraft,
  type ManagedFieldsEntry,
  type ObjectMeta,
  produce,
  currentOf,
} from '../machinery/index.ts';
import { ignoringTimes } from '../patch/index.ts';
import { GoText } from '../../schema/values/index.ts';
import { checkName, decodeBody, namespaceFor, undecodable } from './body.ts';
import { commonErrors, kindErrors } from './common-rules.ts';
import { clusterNameWarning, createDecoded } from './create.ts';
import {
  type ApiRequest,
  type ApiResponse,
  conflict,
  fillForUpdate,
  internal,
  invalidAs,
  MODIFIED,
  notFound,
  type Resource,
  sameValue,
  stamped,
  storeKey,
} from '../request/index.ts';
import type { Scope } from './request-scope.ts';
import { fieldNotes, warned } from './field-validation.ts';
import { fieldsAfter } from './field-tracking.ts';
import { fastUpdate, type ReplaceOptions } from './fast-update.ts';
import { removedByUpdate, removeStored } from './finalizers.ts';
import { checkWriteOptions, isDryRun } from './options.ts';
import { validated } from './specification.ts';

type UpdateRequest = Extract<ApiRequest, { verb: 'update' }>;

/**
 * Handles an update request.
 * @throws {Refusal} where the request is refused.
 */
export function update(scope: Scope, request: UpdateRequest): ApiResponse {
  const resource = scope.resource(request.kind);
  checkWriteOptions(request);
  const { kind } = resource;
  const asked = request.namespace ?? (kind.namespaced ? request.body?.metadata?.namespace : undefined);
  const key = storeKey(asked, request.name);
  const stored = scope.store.get(kind.kind, key);
  if (stored !== undefined && scope.envelope.base === stored && typeof request.body === 'object' && request.body !== null) {
    const answered = fastUpdate(scope, resource, request.body as ApiObject, stored, {
      key,
      name: request.name,
      namespace: kind.namespaced ? asked : undefined,
      subresource: request.subresource,
      dryRun: isDryRun(request.dryRun),
      request,
      sent: request.body,
    });
    if (answered !== undefined) return answered;
  }
  const body = decodeBody(scope, resource, request.body, stored, request.rawBody);
  const notes = fieldNotes(scope, resource, request, request.body);
  if (notes.refusal !== undefined) throw undecodable(resource, notes.refusal);
  const namespace = namespaceFor(resource, request.namespace, body);
  checkName(request.name, body);
  const { uid } = body.metadata;
  if (uid !== undefined && uid !== '' && uid !== stored?.metadata.uid)
    throw wrongUid(resource, namespace, request.name, uid, stored?.metadata.uid ?? '');
  if (stored === undefined) {
    if (!kind.allowCreateOnUpdate || request.subresource !== undefined) throw notFound(resource, request.name);
    const fresh = produce(body, ({ metadata }) => {
      Reflect.deleteProperty(metadata, 'resourceVersion');
    });
    return warned(
      createDecoded(scope, resource, fresh, { namespace, dryRun: isDryRun(request.dryRun), request, sent: request.body }),
      notes.warnings,
    );
  }
  return warned(
    replace(scope, resource, body, stored, {
      key,
      name: request.name,
      namespace,
      subresource: request.subresource,
      dryRun: isDryRun(request.dryRun),
      request,
      sent: request.body,
    }),
    notes.warnings,
  );
}

/** Returns the 409 refusal for a uid that is not that of the stored object. */
export const wrongUid = (resource: Resource, namespace: string | undefined, name: string, asked: string, found: string) =>
  conflict(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${resource.storagePrefix}${storeKey(namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found}`,
  );

/** Updates an object by a decoded, canonical body. Patches and sub-resources use it, too. */
export function replace(scope: Scope, resource: Resource, body: ApiObject, stored: ApiObject, options: ReplaceOptions): ApiResponse {
  const { kind } = resource;
  const { key, name, namespace, subresource, dryRun, request } = options;
  const context = scope.context();
  const hook = subresource === 'status' ? kind.prepareForStatusUpdate : kind.prepareForUpdate;
  const literal =
    hook === undefined &&
    kind.applyDefaults === undefined &&
    scope.admission.leavesUnchanged({ verb: 'update', resource, subresource }, true);
  const draft = beginDraft(body, literal);
  kind.applyDefaults?.(draft, context);
  const fields = options.managedFields ?? fieldsAfter(scope, resource, request, () => currentOf<ApiObject>(draft), stored, subresource);
  const attributes = { verb: 'update', resource, namespace, name, request, dryRun, subresource } as const;
  scope.admission.mutate(scope, attributes, draft, stored);
  checkVersion(resource, name, body, stored);
  const status = subresource === 'status';
  const object = status ? statusOver(scope, resource, draft, stored, fields) : replaced(scope, resource, draft, stored, fields);

  const own =
    status && kind.validateStatusUpdate !== undefined
      ? kind.validateStatusUpdate(object, stored, context)
      : kindErrors(resource, request, object, stored, context);
  const common = commonErrors(resource, object, stored, context);
  const all = common.length > 0 ? [...common, ...own] : own;
  const noted = validated(scope, resource, { object, old: stored, sent: options.sent, subresource, kindErrors: all });
  scope.admission.validate(scope, attributes, object, stored);
  const reported = kind.warnings?.(object, stored, context) ?? [];
  const warnings =
    'clusterName' in body.metadata || noted.length > 0 ? [...clusterNameWarning(body.metadata), ...reported, ...noted] : reported;

  if (removedByUpdate(object, stored)) {
    if (!dryRun) removeStored(scope, resource, key, stored);
    return answer(stamped(object, object.metadata.resourceVersion), warnings);
  }
  if (unchanged(object, stored)) return answer(stored, warnings);
  return answer(dryRun ? stamped(object, object.metadata.resourceVersion) : scope.commit(resource, 'MODIFIED', key, object), warnings);
}

/** Whether nothing changed; the timestamps of managed fields are ignored. */
function unchanged(object: ApiObject, stored: ApiObject): boolean {
  const fields = object.metadata.managedFields;
  const former = stored.metadata.managedFields;
  if (fields === former || fields === undefined || former === undefined) return sameValue(object, stored);
  if (ignoringTimes(former, fields) !== former) return false;
  return sameValue({ ...object, metadata: { ...object.metadata, managedFields: former } }, stored);
}

const answer = (object: ApiObject, warnings: readonly string[]): ApiResponse =>
  warnings.length === 0 ? { ok: true, code: 200, object } : { ok: true, code: 200, object, warnings };

/** Checks the resourceVersion: it must be the stored one, or unset where the kind allows that. */
export function checkVersion(resource: Resource, name: string, object: ApiObject, stored: ApiObject): void {
  const given = object.metadata.resourceVersion;
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

const UNSET = new GoText('0x0');
const MAX_UINT64 = 18446744073709551615n;

type Fields = readonly ManagedFieldsEntry[] | undefined;

/** Returns the object after an update of the main resource. Members equal to the stored ones keep their reference. */
function replaced(scope: Scope, { kind }: Resource, draft: Draft, stored: ApiObject, fields: Fields): ApiObject {
  const { metadata } = draft;
  fillForUpdate(metadata, currentOf<ObjectMeta>(metadata), stored.metadata, fields);
  kind.prepareForUpdate?.(draft, stored, scope.context());
  const counts = (field: string): boolean => field !== 'status' || kind.generation === 'specAndStatus';
  let differs = Object.keys(stored).some((field) => counts(field) && !(field in draft));
  for (const field of Object.keys(kind.schema.fields)) {
    if (field === 'metadata' || !(field in draft)) continue;
    if (sameValue(currentOf<unknown>(draft[field]), stored[field])) draft[field] = stored[field];
    else differs ||= counts(field);
  }
  if (kind.generation === 'specAndAnnotations')
    differs ||= !sameValue(currentOf<unknown>(metadata.annotations) ?? {}, stored.metadata.annotations ?? {});
  if (kind.generation !== 'none' && metadata.generation === stored.metadata.generation && differs)
    metadata.generation = (stored.metadata.generation ?? 0) + 1;
  return completeDraft(draft);
}

/** Returns the object after a status update: by the hook of the kind, or with only the status changed. */
function statusOver(scope: Scope, { kind }: Resource, written: Draft, stored: ApiObject, fields: Fields): ApiObject {
  const metadata = currentOf<ObjectMeta>(written.metadata);
  const status = currentOf<unknown>(written['status']);
  const draft = kind.prepareForStatusUpdate === undefined ? beginDraft(stored, true) : written;
  fillForUpdate(draft.metadata, metadata, stored.metadata, fields);
  if (kind.prepareForStatusUpdate !== undefined) kind.prepareForStatusUpdate(draft, stored, scope.context());
  else assign(draft, 'status', sameValue(stored['status'], status) ? stored['status'] : status);
  return completeDraft(draft);
}
