/** Reads a request body into a canonical object. Models: apiserver pkg/endpoints/handlers create.go, update.go, rest.go. */
import { memo } from '../../engine/index.ts';
import type { ApiObject, FieldError, ObjectInput } from '../machinery/index.ts';
import { decodeLasting, DecodeError, deepFreeze, jsonWord, type Schema, unknownFields } from '../../schema/shape/index.ts';
import { type ApiRequest, type ApiResponse, badRequest, inOrder, invalidAs, type Refusal, type Resource } from '../request/index.ts';
import type { Scope } from '../write/index.ts';
import { packageOf } from './known-kinds.ts';

const SCHEME = 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30';
/** The scheme of the aggregator, which is a server of its own upstream. */
const AGGREGATOR_SCHEME = 'k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:32';

/** A cache of decoded bodies that are sent repeatedly. Only frozen bodies are cached, because they cannot change. */
const decoded = memo(new WeakMap<object, { readonly schema: Schema; readonly object: ApiObject }>());

/**
 * An object of this kind, canonical, with static defaults, frozen (what it shares with the body as well). Missing kind and apiVersion are
 * filled in, but of custom resources. Parts that it shares with `stored` are known to be canonical. `text`: the body as it was sent, which
 * errors quote.
 */
export function decodeBody(scope: Scope, resource: Resource, body: unknown, stored?: ApiObject, text?: string): ApiObject {
  const { kind } = resource;
  const seen = stored === undefined && typeof body === 'object' && body !== null ? decoded.get(body) : undefined;
  if (seen?.schema === kind.schema) return seen.object;
  const problem = metaProblem(body);
  if (problem !== undefined) throw noKind(kind.kind, problem, text ?? (body === undefined ? '' : JSON.stringify(body)));
  const given = (body ?? {}) as ObjectInput;
  checkKind(scope, resource, given, text);
  try {
    const object = deepFreeze(label(resource, decodedBeside(kind.schema, given, stored)));
    const why = kind.unreadable?.(object);
    if (why !== undefined) throw undecodable(resource, why);
    if (stored === undefined && Object.isFrozen(given) && Object.isFrozen(given.metadata))
      decoded.set(given, { schema: kind.schema, object });
    return object;
  } catch (error) {
    if (error instanceof DecodeError) throw undecodable(resource, whereRead(resource, error.message));
    throw error;
  }
}

/** Decodes only members that are not taken from the stored object by reference. */
function decodedBeside(schema: Resource['kind']['schema'], given: ObjectInput, stored: ApiObject | undefined): unknown {
  if (stored === undefined || schema.complete !== undefined || schema.open === true) return decodeLasting(schema, given);
  const shared = Object.entries(stored).filter(([name, value]) => typeof value === 'object' && given[name] === value);
  if (shared.length === 0) return decodeLasting(schema, given);
  const { kind, apiVersion } = stored;
  const rest = decodeLasting(schema, { ...given, kind, apiVersion, ...Object.fromEntries(shared.map(([name]) => [name, undefined])) });
  return inOrder(schema, { ...(rest as ApiObject), ...Object.fromEntries(shared) });
}

/** Of custom resources metadata is read by itself, so that errors say no path above it. Models: apiextensions schema objectmeta GetObjectMeta. */
const whereRead = ({ kind }: Resource, why: string): string =>
  kind.unstructured === true
    ? why
        .replace(/(?<= into Go struct field \w+\.)metadata\./, '')
        .replace(/(?<= into Go )struct field \w+\.metadata of type /, 'value of type ')
    : why;

/** Returns the 400 refusal for a body of the right kind that does not decode. */
function undecodable({ kind: { kind, shownAs = kind, version } }: Resource, why: string) {
  return badRequest(`${shownAs} in version "${version}" cannot be handled as a ${shownAs}: ${why}`);
}

function checkKind(scope: Scope, resource: Resource, given: ObjectInput, text: string | undefined): void {
  if (resource.kind.unstructured === true) return checkCustom(resource, given, text);
  const apiVersion = given.apiVersion ?? '';
  const kind = given.kind ?? '';
  if ((kind === resource.kind.kind || kind === '') && (apiVersion === resource.apiVersion || apiVersion === '')) return;
  const parts = apiVersion.split('/');
  if (parts.length > 2)
    throw unrecognized(resource.kind.kind, `unexpected GroupVersion string: ${apiVersion}`, text ?? JSON.stringify(given));
  const givenKind = kind === '' ? resource.kind.kind : kind;
  const givenVersion = apiVersion === '' ? resource.apiVersion : apiVersion;
  const version = givenVersion.slice(givenVersion.lastIndexOf('/') + 1);
  const aggregated = resource.kind.groupPrefix === 'apiregistration';
  const from = packageOf(scope.names, aggregated, givenKind, givenVersion);
  const why =
    from === undefined
      ? `no kind "${givenKind}" is registered for version "${givenVersion}" in scheme "${aggregated ? AGGREGATOR_SCHEME : SCHEME}"`
      : `converting (${from}.${givenKind}) to (${internalPackage(resource)}.${resource.kind.kind}): unknown conversion`;
  throw badRequest(`${givenKind} in version "${version}" cannot be handled as a ${resource.kind.kind}: ${why}`);
}

/**
 * A custom resource says itself what it is. One of another version is no match for its path; one of another kind is read, and found to be
 * invalid. Models: apimachinery unstructuredJSONScheme Decode; apiserver pkg/endpoints/handlers create.go.
 */
function checkCustom(resource: Resource, given: ObjectInput, text: string | undefined): void {
  const { apiVersion = '', kind = '', metadata } = given;
  if (kind === '') throw undecodable(resource, `Object 'Kind' is missing in '${text ?? JSON.stringify(given)}'`);
  if (apiVersion.split('/').length > 2) throw undecodable(resource, `unexpected GroupVersion string: ${apiVersion}`);
  if (apiVersion !== resource.apiVersion)
    throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${resource.apiVersion})`);
  const errors = typeErrors(resource, { apiVersion, kind });
  if (errors.length > 0) throw invalidAs(resource.group, kind, metadata?.name ?? '', errors);
}

/** Why an object is not of the kind that it is stored as. Models: apiextensions customresource validator.go ValidateTypeMeta. */
export function typeErrors(resource: Resource, { apiVersion = '', kind = '' }: Partial<ObjectInput>): readonly FieldError[] {
  const differs = (field: string, value: string, expected: string): readonly FieldError[] =>
    value === expected ? [] : [{ type: 'Invalid', field, value, detail: `must be ${expected}` }];
  const { kind: own, shownAs = own } = resource.kind;
  return [...(kind === own ? [] : differs('kind', kind, shownAs)), ...differs('apiVersion', apiVersion, resource.apiVersion)];
}

/** The Go package of the internal type: `core`, `coordination`, `apps`. */
const internalPackage = ({ kind: { groupPrefix } }: Resource): string => groupPrefix.split('.')[0] || 'core';

function label(resource: Resource, decoded: unknown): ApiObject {
  const object = decoded as ApiObject;
  if (object.kind === resource.kind.kind && object.apiVersion === resource.apiVersion && object.metadata !== undefined) return object;
  const { apiVersion: _, kind: __, metadata, ...rest } = object;
  return { apiVersion: resource.apiVersion, kind: resource.kind.kind, metadata: metadata ?? ({} as ApiObject['metadata']), ...rest };
}

/** Returns the namespace of a request; a body must not name another. */
export function namespaceFor(resource: Resource, requested: string | undefined, body: ApiObject): string | undefined {
  // The namespace in a body of a cluster-scoped kind is dropped silently.
  if (!resource.kind.namespaced) return undefined;
  const { namespace } = body.metadata;
  if ((namespace ?? '') !== '' && (requested ?? '') !== '' && namespace !== requested)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  return requested ?? namespace;
}

/** Checks that the body of an update has the name of its URL. */
export function checkName(name: string, body: ApiObject): void {
  const given = body.metadata.name;
  if (given === undefined || given === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name) throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

// Bodies without a recognisable kind. Models: apimachinery pkg/runtime/serializer/json meta.go, apiserver pkg/endpoints/handlers/create.go
// transformDecodeError.
const SHOWN = 30;

/** The struct into which Go decodes kind and version, as its errors print it. */
const TYPE_META = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Returns the 400 refusal for a body that is not an object; its message ends with the beginning of the body. */
export const unrecognized = (kind: string, why: string, text: string | Uint8Array): Refusal =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${beginning(text)})`);

/** Returns the refusal for JSON that is malformed, or cannot contain kind and version. */
export const noKind = (kind: string, why: string, text: string): Refusal =>
  unrecognized(kind, `couldn't get version/kind; json parse error: ${why}`, text);

/** Returns the beginning of the body: an object as text, anything else in hexadecimal. */
function beginning(text: string | Uint8Array): string {
  if (text.length === 0) return '<empty>';
  if (typeof text === 'string' && /^[ \t\r\n]*\{/.test(text)) return text.length > SHOWN ? `${text.slice(0, SHOWN)} ...` : text;
  const bytes = Array.from(
    typeof text === 'string' ? new TextEncoder().encode(text.slice(0, SHOWN + 1)) : text.subarray(0, SHOWN + 1),
    (byte) => byte.toString(16).padStart(2, '0'),
  );
  return bytes.length > SHOWN ? `${bytes.slice(0, SHOWN).join('')} ...` : bytes.join('');
}

/** Returns why a JSON value cannot contain kind and version; undefined when it can. */
export function metaProblem(body: unknown): string | undefined {
  if (body === undefined) return 'unexpected end of JSON input';
  if (body === null) return undefined;
  const word = jsonWord(body, false);
  if (word !== 'object') return `json: cannot unmarshal ${word} into Go value of type ${TYPE_META}`;
  const { apiVersion, kind } = body as Readonly<Record<string, unknown>>;
  return memberProblem('apiVersion', apiVersion) ?? memberProblem('kind', kind);
}

const memberProblem = (member: string, value: unknown): string | undefined =>
  value === undefined || value === null || typeof value === 'string'
    ? undefined
    : `json: cannot unmarshal ${jsonWord(value, false)} into Go struct field .${member} of type string`;

// Unknown and duplicate fields: reported as warnings, refused or ignored, as the client requests, behind the gate
// ServerSideFieldValidation. Models: apiserver pkg/endpoints/handlers fieldvalidation.
type WriteRequest = Extract<ApiRequest, { verb: 'create' | 'update' | 'patch' }>;

/**
 * Validates the fields of a document, if the request has a `fieldValidation` option: in-process writers have types. Returns the warnings.
 *
 * @throws {Refusal} where the client wants no other fields; `refused`: in other words.
 */
export function fieldWarnings(
  scope: Scope,
  resource: Resource,
  request: WriteRequest,
  document: unknown,
  refused = (why: string): Refusal => undecodable(resource, why),
): readonly string[] {
  if (request.fieldValidation === undefined || request.fieldValidation === 'Ignore' || scope.gates['ServerSideFieldValidation'] !== true)
    return NOTHING;
  const texts = [
    ...(request.duplicateFields ?? []).map((path) => `duplicate field ${JSON.stringify(path)}`),
    ...unknownFields(resource.kind.schema, document).map((path) => `unknown field ${JSON.stringify(path)}`),
  ];
  if (texts.length > 0 && request.fieldValidation === 'Strict') throw refused(`strict decoding error: ${texts.join(', ')}`);
  return texts;
}

const NOTHING: readonly string[] = [];

export const warned = (response: ApiResponse, warnings: readonly string[]): ApiResponse =>
  warnings.length === 0 ? response : { ...response, warnings: [...warnings, ...(response.warnings ?? [])] };
