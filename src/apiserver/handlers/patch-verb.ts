/** Patch requests: the patch turns the stored object into a body, the rest is an update. Models: pkg/endpoints/handlers/patch.go. */
import type { ApiObject } from '../machinery/index.ts';
import { compareText, isMapping } from '../../schema/values/index.ts';
import { apply, applyJsonPatch, applyMergePatch, applyStrategicPatch, tooLarge, undecodableAs, undecodablePatch } from '../patch/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { checkName, decodeBody, fieldWarnings, namespaceFor, typeErrors, warned } from './body.ts';
import { badRequest, failure, invalidAs, notFound, Refusal, unknownResource } from '../request/index.ts';
import type { ApiRequest, ApiResponse, Resource } from '../request/index.ts';
import { carryOut, changeOf, changeOfPatch, managedWrite, type Place, readIn, type Scope, unknownChange } from '../write/index.ts';
import { checkWriteOptions } from './writes.ts';
import { subresourceOf, writeForm } from './subresources/index.ts';

type PatchRequest = Extract<ApiRequest, { verb: 'patch' }>;

export function patch(scope: Scope, resource: Resource, request: PatchRequest): ApiResponse {
  const dryRun = checkWriteOptions(request);
  const { name, subresource, body, patchType } = request;
  const namespace = resource.kind.namespaced ? request.namespace : undefined;
  const before = readIn(scope, resource, namespace, name);
  const place: Place = { verb: 'update', resource, request, namespace, name, subresource, dryRun, before, sent: body };
  if (subresource !== undefined && subresource !== 'status') return patchView(scope, request, place);
  if (patchType === 'apply') return applied(scope, request, place);
  if (before === undefined) throw notFound(resource, name);
  const status = subresource === 'status';
  const known = changeOfPatch(scope, resource, request, before, status);
  if (known !== undefined) return carryOut(scope, place, known);
  return patchDocument(scope, request, patchType, place, before);
}

/** Patches the document of an object, and updates it by the result. */
function patchDocument(
  scope: Scope,
  request: PatchRequest,
  patchType: Exclude<PatchRequest['patchType'], 'apply'>,
  place: Place,
  before: ApiObject,
): ApiResponse {
  const { resource, namespace, name, subresource } = place;
  const { body } = request;
  const document = patched(resource.kind.schema, before, patchType, body);
  // Errors print the parts touched by a merge patch with sorted keys, as upstream does.
  const shown = (): unknown => (patchType === 'merge' ? sortedWhereTouched(document, body) : document);
  const refused = (why: string): Refusal => (patchType === 'strategic' ? undecodablePatch(body, why) : badPatch(shown(), why));
  const warnings = fieldWarnings(scope, resource, request, document, refused);
  const change =
    changeOf(resource, document as ApiObject, before, subresource === 'status') ??
    unknownChange(decodePatched(scope, resource, typedDocument(resource, request, document, before), before, shown));
  checkName(name, change.object);
  namespaceFor(resource, namespace, change.object);
  return warned(carryOut(scope, { ...place, sent: document }, change), warnings);
}

const keepingKind = (document: ApiObject, { apiVersion, kind }: ApiObject): ApiObject => ({ ...document, apiVersion, kind });

/** The document with the kind that it is read as. A custom resource may say another one only where just its status is taken. */
function typedDocument(resource: Resource, { patchType, subresource }: PatchRequest, document: unknown, stored: ApiObject): unknown {
  const object = document as ApiObject;
  if (patchType === 'strategic') return keepingKind(object, stored);
  if (resource.kind.unstructured !== true || !isMapping(document) || typeof document['kind'] !== 'string' || object.kind === '')
    return document;
  const errors = typeErrors(resource, object);
  if (errors.length === 0) return document;
  if (subresource === 'status') return keepingKind(object, stored);
  const group = /^(.*)\//.exec(String(document['apiVersion'] ?? ''))?.[1] ?? '';
  throw invalidAs(group, object.kind, stored.metadata.name, errors);
}

/** A configuration laid over what is there, or created. */
function applied(scope: Scope, request: PatchRequest, place: Place): ApiResponse {
  const { resource, subresource, name, before } = place;
  if (before === undefined && subresource !== undefined) throw notFound(resource, name);
  const options = { config: request.body, force: request.force === true, kind: resource.kind.kind };
  const result = apply({ ...managedWrite(scope, place), ...options });
  checkValues(result);
  const { managedFields: managers } = result;
  checkNamed(request.body, place);
  if (before !== undefined) {
    const object = decodePatched(scope, resource, result.object, before);
    return carryOut(scope, { ...place, sent: result.object }, unknownChange(object), managers);
  }
  const object = decodePatched(scope, resource, withIdentity(result.object, place), undefined);
  return carryOut(scope, { ...place, verb: 'create', sent: request.body }, unknownChange(object), managers);
}

/** If a configuration names an object, the name must be that of the path. */
function checkNamed(config: unknown, { name, namespace }: Place): void {
  const given = (config as Partial<ApiObject> | undefined)?.metadata;
  if (given?.name !== undefined && given.name !== '' && given.name !== name)
    throw badRequest(`the name of the object (${given.name}) does not match the name on the URL (${name})`);
  if (given?.namespace !== undefined && given.namespace !== '' && given.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** A configuration may omit the name and namespace of the path. */
function withIdentity(object: unknown, { name, namespace }: Place): unknown {
  const { metadata, ...rest } = object as ApiObject;
  return { ...rest, metadata: { ...metadata, name: metadata.name ?? name, ...(namespace === undefined ? {} : { namespace }) } };
}

/** A patch of a sub-resource with its own form is applied to that form. */
function patchView(scope: Scope, request: PatchRequest, place: Place): ApiResponse {
  const { resource, subresource, name, before: stored } = place;
  const view = subresourceOf(resource.kind.kind, subresource);
  const write = view?.update;
  if (subresource === undefined || view?.get === undefined || write === undefined || view.schema === undefined) throw unknownResource();
  if (stored === undefined) throw notFound(resource, name);
  if (request.patchType === 'apply')
    throw failure({ code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} });
  const body = patched(view.schema, view.get(scope, stored, resource), request.patchType, request.body);
  const shown = () => sortedWhereTouched(body, request.body);
  const how = { of: view, write, subresource, verb: 'update' } as const;
  return blamed(() => writeForm(scope, { ...place, subresource: undefined, sent: body }, stored, how), shown);
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
  if (!isMapping(document) || !isMapping(patch)) return document;
  return Object.fromEntries(
    Object.keys(document)
      .sort(compareText)
      .map((key) => [key, Object.hasOwn(patch, key) ? sortedWhereTouched(document[key], patch[key]) : document[key]]),
  );
}

const badPatch = (document: unknown, why: string): Refusal => undecodableAs(JSON.stringify(JSON.stringify(document)), why);

/** Returns the document with a patch applied, not decoded. Apply is not included, because it needs managed fields. */
function patched(schema: Schema, document: ApiObject, type: 'json' | 'merge' | 'strategic', body: unknown): unknown {
  const result =
    type === 'json'
      ? applyJsonPatch(document, body)
      : type === 'merge'
        ? applyMergePatch(document, body, schema)
        : applyStrategicPatch(schema, document, body);
  if (result !== document) checkValues(result);
  return result;
}

/** The most values, and characters, of an object that a patch may add to: a sequence of patches could make it grow without bound. */
const MOST_VALUES = 40_000;
const MOST_CHARACTERS = 6 * 1024 * 1024;

export function checkValues(document: unknown): void {
  const left = { values: MOST_VALUES, characters: MOST_CHARACTERS };
  count(document, left);
  if (left.values >= 0 && left.characters >= 0) return;
  const limit = left.values < 0 ? `${MOST_VALUES} values` : `${MOST_CHARACTERS} characters`;
  throw tooLarge(`limit is ${limit} in the object that a patch makes; take something away, or use several objects`);
}

/** Subtracts the size of a value from the remaining budget; stops when it is used up. */
function count(value: unknown, left: { values: number; characters: number }): void {
  left.values--;
  if (typeof value === 'string') left.characters -= value.length;
  if (left.values < 0 || left.characters < 0 || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach((item) => count(item, left));
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) {
    left.characters -= key.length;
    count(members[key], left);
  }
}
