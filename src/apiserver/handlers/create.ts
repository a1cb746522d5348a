/**
 * Creates an object: decode, default, admit, fill in, validate, commit. Models: apiserver pkg/registry/generic/registry store.go Create,
 * pkg/registry/rest create.go.
 */
import {
  type ApiObject,
  beginDraft,
  castDraft,
  type Draft,
  type TemplateRules,
  completeDraft,
  type ManagedFieldsEntry,
  type ObjectMeta,
  currentOf,
} from '../machinery/index.ts';
import { kindErrors } from './common-rules.ts';
import { decodeBody, namespaceFor, undecodable } from './body.ts';
import {
  alreadyExists,
  type ApiRequest,
  type ApiResponse,
  failure,
  fillForCreate,
  invalid,
  type Resource,
  stamped,
  storeKey,
} from '../request/index.ts';
import { append, repeats, formatTime } from '../../schema/values/index.ts';
import type { Scope } from './request-scope.ts';
import { templateKeyOf, type TemplateInstance, instanceOf, rememberTemplate } from './template-cache.ts';
import { fieldNotes, warned } from './field-validation.ts';
import { fieldsAfter, tracks } from './field-tracking.ts';
import { generateName, newUid } from './identity.ts';
import { checkWriteOptions, isDryRun } from './options.ts';
import { validated } from './specification.ts';

type CreateRequest = Extract<ApiRequest, { verb: 'create' }>;

/**
 * Handles a create request.
 * @throws {Refusal} where the request is refused.
 */
export function create(scope: Scope, request: CreateRequest): ApiResponse {
  const resource = scope.resource(request.kind);
  checkWriteOptions(request);
  const cache = scope.templateCache(resource);
  if (cache === undefined) return createTyped(scope, resource, request) ?? createAlone(scope, resource, request);
  const instance = instanceOf(scope, resource, cache, request);
  if (instance !== undefined) return createInstance(scope, resource, cache.rules, instance, request);
  // Only frozen bodies are cached, since they may be sent again. A body that the server itself froze came from a parser and will not be.
  const templateKey = templateKeyOf(scope, resource, cache, request);
  const response = createAlone(scope, resource, request);
  if (templateKey !== undefined) rememberTemplate(scope, resource, cache, request, response);
  return response;
}

function createAlone(scope: Scope, resource: Resource, request: CreateRequest): ApiResponse {
  const body = decodeBody(scope, resource, request.body, undefined, request.rawBody);
  const notes = fieldNotes(scope, resource, request, request.body);
  if (notes.refusal !== undefined) throw undecodable(resource, notes.refusal);
  const namespace = namespaceFor(resource, request.namespace, body);
  return warned(
    createDecoded(scope, resource, body, { namespace, dryRun: isDryRun(request.dryRun), request, sent: request.body }),
    notes.warnings,
  );
}

export interface CreateOptions {
  readonly namespace: string | undefined;
  readonly dryRun: boolean;
  readonly request: ApiRequest;
  /** The managed fields, if they have been computed already, as for an apply. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
  /** The document that the object was decoded from. */
  readonly sent: unknown;
}

/** Creates a decoded object. Updates that create, and applies, use it, too. */
export function createDecoded(
  scope: Scope,
  resource: Resource,
  body: ApiObject,
  { namespace, dryRun, request, managedFields, sent }: CreateOptions,
): ApiResponse {
  const { kind } = resource;
  const context = scope.context();
  const given = body.metadata;
  const literal =
    kind.applyDefaults === undefined &&
    kind.prepareForCreate === undefined &&
    scope.admission.leavesUnchanged({ verb: 'create', resource }, true);
  const draft = beginDraft(body, literal);
  kind.applyDefaults?.(draft, context);
  const fields = managedFields ?? fieldsAfter(scope, resource, request, () => currentOf<ApiObject>(draft), undefined, undefined);
  const name = given.name === undefined || given.name === '' ? drawName(scope, resource, namespace, given.generateName) : given.name;
  const attributes = { verb: 'create', resource, namespace, name, request, dryRun } as const;
  scope.admission.mutate(scope, attributes, draft, undefined);

  const warnings = 'clusterName' in given ? [...clusterNameWarning(given)] : [];
  if ((given.ownerReferences?.length ?? 0) > 1) dedupeOwners(draft.metadata, warnings);
  fillForCreate(draft.metadata, {
    name,
    namespace,
    uid: newUid(scope.random),
    resourceVersion: given.resourceVersion,
    creationTimestamp: formatTime(context.now),
    generation: kind.generation !== 'none' ? 1 : given.generation,
    managedFields: fields,
  });
  kind.prepareForCreate?.(draft, context);
  const object = completeDraft(draft);

  const noted = validated(scope, resource, {
    object,
    old: undefined,
    sent,
    kindErrors: kindErrors(resource, request, object, undefined, context),
  });
  scope.admission.validate(scope, attributes, object, undefined);

  if (given.resourceVersion !== undefined && given.resourceVersion !== '') checkVersionUnset(given.resourceVersion, dryRun);
  const key = storeKey(namespace, object.metadata.name);
  // A generated name is known to be free.
  const there = name === given.name ? scope.store.get(kind.kind, key) : undefined;
  if (there !== undefined) throw alreadyExists(resource, object.metadata.name, there.metadata.deletionTimestamp !== undefined);
  if (kind.warnings !== undefined) append(warnings, kind.warnings(object, undefined, context));
  append(warnings, noted);
  const made = dryRun ? stamped(object, given.resourceVersion) : scope.commit(resource, 'ADDED', key, object);
  return warnings.length === 0 ? { ok: true, code: 201, object: made } : { ok: true, code: 201, object: made, warnings };
}

/** A typed object of a kind without mutation is only validated, named and stored. Returns undefined where the full path is needed. */
function createTyped(scope: Scope, resource: Resource, request: CreateRequest): ApiResponse | undefined {
  const { kind } = resource;
  if (scope.envelope.typed !== true || !isPlainCreate(scope, resource, request)) return undefined;
  const body = request.body as ApiObject;
  const { name, namespace } = body.metadata;
  if (name === '' || namespace === undefined || namespace !== request.namespace) return undefined;
  const context = scope.context();
  const attributes = { verb: 'create', resource, namespace, name, request, dryRun: false } as const;
  // The plug-ins change nothing here, so the body can be passed as a draft.
  scope.admission.mutate(scope, attributes, castDraft(body), undefined);
  const metadata = { name, namespace, uid: newUid(scope.random), creationTimestamp: formatTime(context.now) } as ObjectMeta;
  const object: ApiObject = { ...body, metadata };
  const errors = kind.validate(object, context);
  if (errors.length > 0) throw invalid(resource, name, errors);
  scope.admission.validate(scope, attributes, object, undefined);
  const key = storeKey(namespace, name);
  const there = scope.store.get(kind.kind, key);
  if (there !== undefined) throw alreadyExists(resource, name, there.metadata.deletionTimestamp !== undefined);
  return { ok: true, code: 201, object: scope.commit(resource, 'ADDED', key, object, undefined, true) };
}

/**
 * Whether an object can be stored as it is: no defaults, no hooks, no rules of the specification, no managed fields, no request options.
 */
function isPlainCreate(scope: Scope, resource: Resource, request: CreateRequest): boolean {
  const { kind } = resource;
  const { dryRun, fieldManager, fieldValidation, version } = request;
  if (kind.applyDefaults !== undefined || kind.prepareForCreate !== undefined || kind.warnings !== undefined) return false;
  if (kind.specification !== undefined || kind.unreadable !== undefined || kind.generation !== 'none') return false;
  if (dryRun !== undefined || fieldManager !== undefined || fieldValidation !== undefined || version !== undefined) return false;
  return !tracks(scope, request, undefined) && scope.admission.leavesUnchanged({ verb: 'create', resource }, true);
}

/** Creates an object of a cached template, whose shared part has been defaulted, admitted and validated already. */
function createInstance(
  scope: Scope,
  resource: Resource,
  rules: TemplateRules,
  instance: TemplateInstance,
  request: CreateRequest,
): ApiResponse {
  const { made, namespace, metadata: given, spec } = instance;
  const context = scope.context();
  const name = given.name === undefined ? drawName(scope, resource, namespace, given.generateName) : given.name;
  const metadata: { -readonly [K in keyof ObjectMeta]: ObjectMeta[K] } = {
    ...given,
    name,
    uid: newUid(scope.random),
    creationTimestamp: formatTime(context.now),
  };
  if (namespace !== undefined) metadata.namespace = namespace;
  if (resource.kind.generation !== 'none') metadata.generation = 1;
  const object: ApiObject = { ...made, metadata, spec };
  const errors = rules.validate(object, context);
  if (errors.length > 0) throw invalid(resource, name, errors);
  scope.admission.validateInstance(scope, { verb: 'create', resource, namespace, name, request, dryRun: false }, object);
  const key = storeKey(namespace, name);
  const there = name === given.name ? scope.store.get(resource.kind.kind, key) : undefined;
  if (there !== undefined) throw alreadyExists(resource, name, there.metadata.deletionTimestamp !== undefined);
  return { ok: true, code: 201, object: scope.commit(resource, 'ADDED', key, object, undefined, true) };
}

/** The clusterName in metadata is not stored, and the client gets a warning. */
export const clusterNameWarning = (given: ObjectMeta): readonly string[] =>
  'clusterName' in given && given.clusterName !== ''
    ? ['metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25']
    : [];

const MAX_DRAWS = 8;

/**
 * Generates a free name with the given base. v1.24 fails at the first collision; later versions retry, as here, because a large Job would
 * collide often.
 */
function drawName(scope: Scope, resource: Resource, namespace: string | undefined, base: string | undefined): string {
  if (base === undefined || base === '') return '';
  for (let draws = 1; ; draws++) {
    const name = generateName(base, scope.random);
    if (scope.store.get(resource.kind.kind, storeKey(namespace, name)) === undefined) return name;
    if (draws === MAX_DRAWS) throw alreadyExists(resource, name, false);
  }
}

/** The store refuses objects with a revision; texts that are not numbers are ignored. */
function checkVersionUnset(version: string, dryRun: boolean): void {
  if (!dryRun && /^\d+$/.test(version) && Number(version) !== 0)
    throw failure({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
}

/** Removes duplicate owner references and adds a warning. Models: apiserver pkg/endpoints/handlers/finisher dedupOwnerReferences. */
function dedupeOwners(metadata: Draft<ObjectMeta>, warnings: string[]): void {
  const owners = currentOf<ObjectMeta['ownerReferences']>(metadata.ownerReferences);
  if (owners === undefined || owners.length < 2) return;
  // The references are decoded, so equal ones have equal JSON texts.
  const seenBefore = repeats<string>();
  const isRepeat = owners.map((owner) => seenBefore(JSON.stringify(owner)));
  const repeated = owners[isRepeat.indexOf(true)];
  if (repeated === undefined) return;
  metadata.ownerReferences = metadata.ownerReferences?.filter((_, at) => isRepeat[at] !== true) ?? [];
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.uid}`,
  );
}
