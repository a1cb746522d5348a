/**
 * Patch requests: the patch turns the stored object into a body, and the rest is an update. Models: apiserver
 * pkg/endpoints/handlers/patch.go.
 */
import type { ApiObject } from '../machinery/index.ts';
import { compareText } from '../../schema/values/index.ts';
import { apply, undecodablePatch } from '../patch/index.ts';
import { checkName, decodeBody, namespaceFor, typeErrors } from './body.ts';
import { createDecoded } from './create.ts';
import {
  type ApiRequest,
  type ApiResponse,
  badRequest,
  failure,
  invalidAs,
  notFound,
  Refusal,
  type Resource,
  storeKey,
  unknownResource,
} from '../request/index.ts';
import type { Scope } from './request-scope.ts';
import { fieldNotes, warned } from './field-validation.ts';
import { fastUpdate, fastPatch, type ReplaceOptions } from './fast-update.ts';
import { managerOf, resetBy } from './field-tracking.ts';
import { checkWriteOptions, isDryRun } from './options.ts';
import { checkValues, patched } from './patches.ts';
import { subresourceOf } from './subresources/index.ts';
import { replace } from './update.ts';

export type PatchRequest = Extract<ApiRequest, { verb: 'patch' }>;

export function patch(scope: Scope, request: PatchRequest): ApiResponse {
  const resource = scope.resource(request.kind);
  checkWriteOptions(request);
  const namespace = resource.kind.namespaced ? request.namespace : undefined;
  const key = storeKey(namespace, request.name);
  const stored = scope.store.get(resource.kind.kind, key);
  if (request.subresource !== undefined && request.subresource !== 'status')
    return patchView(scope, resource, stored, request, optionsOf(request, namespace, key, undefined));
  if (request.patchType === 'apply') return applied(scope, resource, stored, request, optionsOf(request, namespace, key, undefined));
  if (stored === undefined) throw notFound(resource, request.name);
  const written = fastPatch(scope, resource, request, stored, optionsOf(request, namespace, key, request.body));
  if (written !== undefined) return written;
  const document = patched(resource.kind.schema, stored, request.patchType, request.body);
  const options = optionsOf(request, namespace, key, document);
  const answered = fastUpdate(scope, resource, document as ApiObject, stored, options);
  if (answered !== undefined) return answered;
  const notes = fieldNotes(scope, resource, request, document);
  // Errors print the parts touched by a merge patch with sorted keys, as upstream does.
  const shown = (): unknown => (request.patchType === 'merge' ? sortedWhereTouched(document, request.body) : document);
  if (notes.refusal !== undefined)
    throw request.patchType === 'strategic' ? failure(undecodablePatch(request.body, notes.refusal)) : badPatch(shown(), notes.refusal);
  const typed = typedDocument(resource, request, document, stored);
  const body = decodePatched(scope, resource, typed, stored, shown);
  checkName(request.name, body);
  namespaceFor(resource, namespace, body);
  return warned(replace(scope, resource, body, stored, options), notes.warnings);
}

/** `sent`: the document of the client. */
const optionsOf = (request: PatchRequest, namespace: string | undefined, key: string, sent: unknown): ReplaceOptions => ({
  key,
  name: request.name,
  namespace,
  subresource: request.subresource,
  dryRun: isDryRun(request.dryRun),
  request,
  sent,
});

const keepingKind = (document: ApiObject, { apiVersion, kind }: ApiObject): ApiObject =>
  document.apiVersion === apiVersion && document.kind === kind ? document : { ...document, apiVersion, kind };

/**
 * The document with the kind that it is read as. A strategic merge patch works on the object itself, whose kind nothing changes; a custom
 * resource that says another one is invalid, unless only its status is taken.
 */
function typedDocument(resource: Resource, { patchType, subresource }: PatchRequest, document: unknown, stored: ApiObject): unknown {
  const object = document as ApiObject;
  if (patchType === 'strategic') return keepingKind(object, stored);
  if (resource.kind.unstructured !== true || !isObject(document) || typeof document['kind'] !== 'string' || object.kind === '')
    return document;
  const errors = typeErrors(resource, object);
  if (errors.length === 0) return document;
  if (subresource === 'status') return keepingKind(object, stored);
  const group = /^(.*)\//.exec(String(document['apiVersion'] ?? ''))?.[1] ?? '';
  throw invalidAs(group, object.kind, stored.metadata.name, errors);
}

/** A configuration laid over what is there, or created. */
function applied(
  scope: Scope,
  resource: Resource,
  stored: ApiObject | undefined,
  request: PatchRequest,
  options: ReplaceOptions,
): ApiResponse {
  if (stored === undefined && request.subresource !== undefined) throw notFound(resource, request.name);
  const result = apply({
    schema: resource.kind.schema,
    live: stored,
    config: request.body,
    manager: managerOf(request),
    apiVersion: resource.apiVersion,
    now: scope.now(),
    force: request.force === true,
    kind: resource.kind.kind,
    ...(request.subresource === undefined ? {} : { subresource: request.subresource }),
    ...resetBy(resource),
  });
  if (result.error !== undefined) throw failure(result.error);
  checkValues(result);
  const { managedFields } = result;
  checkNamed(request.body, options);
  if (stored !== undefined)
    return replace(scope, resource, decodePatched(scope, resource, result.object, stored), stored, {
      ...options,
      managedFields,
      sent: result.object,
    });
  const body = decodePatched(scope, resource, withIdentity(result.object, options), undefined);
  return createDecoded(scope, resource, body, {
    namespace: options.namespace,
    dryRun: options.dryRun,
    request,
    managedFields,
    sent: request.body,
  });
}

/** If a configuration names an object, the name must be that of the path. */
function checkNamed(config: unknown, { name, namespace }: ReplaceOptions): void {
  const given = (config as Partial<ApiObject> | undefined)?.metadata;
  if (given?.name !== undefined && given.name !== '' && given.name !== name)
    throw badRequest(`the name of the object (${given.name}) does not match the name on the URL (${name})`);
  if (given?.namespace !== undefined && given.namespace !== '' && given.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** A configuration may omit the name and namespace of the path. */
function withIdentity(object: unknown, { name, namespace }: ReplaceOptions): unknown {
  const { metadata, ...rest } = object as ApiObject;
  return { ...rest, metadata: { ...metadata, name: metadata.name ?? name, ...(namespace === undefined ? {} : { namespace }) } };
}

/** A patch of a sub-resource with its own form is applied to that form. */
function patchView(
  scope: Scope,
  resource: Resource,
  stored: ApiObject | undefined,
  request: PatchRequest,
  { name, namespace, dryRun }: ReplaceOptions,
): ApiResponse {
  const view = subresourceOf(resource.kind.kind, request.subresource);
  if (view?.get === undefined || view.update === undefined || view.schema === undefined) throw unknownResource();
  if (stored === undefined) throw notFound(resource, name);
  if (request.patchType === 'apply')
    throw failure({ code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} });
  const body = patched(view.schema, view.get(scope, stored), request.patchType, request.body);
  const update = view.update;
  const shown = () => (request.patchType === 'merge' ? sortedWhereTouched(body, request.body) : body);
  return blamed(() => update(scope, { resource, stored, namespace, name, body, dryRun, request }), shown);
}

/** If a patched document does not decode, the error is about the patch. */
function decodePatched(
  scope: Scope,
  resource: Resource,
  document: unknown,
  stored: ApiObject | undefined,
  shown: () => unknown = () => document,
): ApiObject {
  return blamed(() => decodeBody(scope, resource, document, stored), shown, true);
}

const UNDECODED = /^.*? cannot be handled as a \w+: (?=json: )/;

/** Runs an action and reports decoding errors as errors of the patch. `all`: every refusal is such an error. */
function blamed<T>(act: () => T, shown: () => unknown, all = false): T {
  try {
    return act();
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || !(all || UNDECODED.test(thrown.message))) throw thrown;
    throw badPatch(
      shown(),
      thrown.message
        .replace(/^.*? cannot be handled as a \w+: /, '')
        .replace(/^the object provided is unrecognized \(must be of type \w+\): (.*) \(.*\)$/s, '$1'),
    );
  }
}

/** Returns the document with sorted keys in all objects that the patch touches. */
function sortedWhereTouched(document: unknown, patch: unknown): unknown {
  if (!isObject(document) || !isObject(patch)) return document;
  return Object.fromEntries(
    Object.keys(document)
      .sort(compareText)
      .map((key) => [key, Object.hasOwn(patch, key) ? sortedWhereTouched(document[key], patch[key]) : document[key]]),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function badPatch(document: unknown, why: string): Refusal {
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(document))}: ${why}`;
  return failure({
    code: 422,
    reason: 'Invalid',
    message: ` "" is invalid: patch: ${message}`,
    details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
  });
}
