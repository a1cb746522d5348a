/**
 * Create and update requests: the options are checked, the body is read, its identity checked, and the object written by the plan of its
 * kind. A body that every world creates becomes a copy of what it became before. Models: apiserver pkg/endpoints/handlers/create.go,
 * update.go.
 */
import { memo } from '../../engine/index.ts';
import { produce } from '../machinery/index.ts';
import type { ApiObject, FeatureGates, FieldError, Kind, ManagedFieldsEntry, ObjectInput, RulesMode } from '../machinery/index.ts';
import { checkName, decodeBody, fieldWarnings, namespaceFor, warned } from './body.ts';
import { alreadyExists, conflict, invalidAs, notFound, storeKey } from '../request/index.ts';
import type { ApiRequest, ApiResponse, Resource } from '../request/index.ts';
import { deepFreeze } from '../../schema/shape/index.ts';
import { append, byteLength, formatTime, goStrings, GoText } from '../../schema/values/index.ts';
import {
  carryOut,
  changeOf,
  instanceOf,
  managerOf,
  newUid,
  readIn,
  rememberTemplate,
  templateOf,
  tracks,
  unknownChange,
} from '../write/index.ts';
import type { Change, Place, Scope, ServedResource } from '../write/index.ts';

type CreateRequest = Extract<ApiRequest, { verb: 'create' }>;

export function create(scope: Scope, resource: ServedResource, request: CreateRequest): ApiResponse {
  const dryRun = checkWriteOptions(request);
  // Asked before the body is read: only frozen bodies are cached, since they may be sent again, and reading one freezes it.
  const template = templateOf(scope, resource, request);
  if (template === undefined) {
    const again = createAgain(scope, resource, request);
    if (again !== undefined) return again;
    const made = createOne(scope, resource, request, dryRun);
    rememberMade(scope, resource, request, made);
    return made;
  }
  const instance = instanceOf(resource, template);
  if (instance !== undefined) return carryOut(scope, placeOf(resource, request, instance.namespace, false), instance);
  const response = createOne(scope, resource, request, dryRun);
  rememberTemplate(resource, template, response);
  return response;
}

function createOne(scope: Scope, resource: Resource, request: CreateRequest, dryRun: boolean): ApiResponse {
  // A typed body is in the form of a decoded object already.
  const object =
    scope.envelope.typed === true ? (request.body as ApiObject) : decodeBody(scope, resource, request.body, undefined, request.rawBody);
  const warnings = fieldWarnings(scope, resource, request, request.body);
  const namespace = namespaceFor(resource, request.namespace, object);
  const place = placeOf(resource, request, namespace, dryRun);
  return warned(carryOut(scope, place, unknownChange(object)), warnings);
}

function placeOf(resource: Resource, request: CreateRequest, namespace: string | undefined, dryRun: boolean): Place {
  const { body: sent } = request;
  return { verb: 'create', resource, request, namespace, name: '', subresource: undefined, dryRun, before: undefined, sent };
}

// Objects that every new world creates from the same bodies: the built-in roles, and the services of a server. What a body becomes depends
// on the kind, the gates, the rules and the field manager alone, so the next world of a process gets a copy with a uid and times of its own.

interface Made {
  readonly kind: Kind;
  readonly gates: FeatureGates;
  readonly rules: RulesMode | undefined;
  /** Absent: managed fields are not tracked. */
  readonly manager: string | undefined;
  readonly object: ApiObject;
}

/** The last object of each body. */
const bodies = memo(new WeakMap<object, { last: Made | undefined }>());

/** Says of a body that worlds create it again and again, with a name, by a user whom nothing is refused. It is frozen. */
export function recurring<B extends ObjectInput>(body: B): B {
  bodies.set(body, { last: undefined });
  return deepFreeze(body);
}

const managerFor = (scope: Scope, request: CreateRequest): string | undefined =>
  tracks(scope, request, undefined) ? managerOf(request) : undefined;

/** Creates the object as in the world before; undefined: the full path is needed. */
function createAgain(scope: Scope, resource: Resource, request: CreateRequest): ApiResponse | undefined {
  const made = bodies.get(request.body)?.last;
  if (made === undefined || made.kind !== resource.kind) return undefined;
  const { gates, rules } = scope.context();
  if (made.gates !== gates || made.rules !== rules) return undefined;
  if (scope.webhooks !== undefined || request.dryRun !== undefined || made.manager !== managerFor(scope, request)) return undefined;
  const { object } = made;
  const { namespace, name, managedFields } = object.metadata;
  const key = storeKey(namespace, name);
  const there = scope.store.get(resource.kind.kind, key);
  if (there !== undefined) throw alreadyExists(resource, name, there.metadata.deletionTimestamp !== undefined);
  const time = formatTime(scope.now());
  const metadata = { ...object.metadata, uid: newUid(scope), creationTimestamp: time };
  if (managedFields !== undefined) metadata.managedFields = managedFields.map((entry): ManagedFieldsEntry => ({ ...entry, time }));
  return { ok: true, code: 201, object: scope.commit(resource, 'ADDED', key, { ...object, metadata }, undefined, true) };
}

/** Keeps what a body became, if it recurs. */
function rememberMade(scope: Scope, resource: Resource, request: CreateRequest, response: ApiResponse): void {
  const memory = bodies.get(request.body);
  if (memory === undefined || scope.webhooks !== undefined || request.dryRun !== undefined) return;
  if (!response.ok || !('object' in response) || response.warnings !== undefined) return;
  const { gates, rules } = scope.context();
  memory.last = { kind: resource.kind, gates, rules, manager: managerFor(scope, request), object: response.object };
}

type UpdateRequest = Extract<ApiRequest, { verb: 'update' }>;

export function update(scope: Scope, resource: Resource, request: UpdateRequest): ApiResponse {
  const dryRun = checkWriteOptions(request);
  const { kind } = resource;
  const { name, subresource, body } = request;
  const asked = request.namespace ?? (kind.namespaced ? body?.metadata?.namespace : undefined);
  const before = readIn(scope, resource, asked, name);
  const change = knownChange(scope, resource, request, before) ?? unknownChange(decodeBody(scope, resource, body, before, request.rawBody));
  const { object } = change;
  const warnings = fieldWarnings(scope, resource, request, body);
  const namespace = namespaceFor(resource, request.namespace, object);
  checkName(name, object);
  const { uid } = object.metadata;
  if (uid !== undefined && uid !== '' && uid !== before?.metadata.uid)
    throw wrongUid(resource, namespace, name, uid, before?.metadata.uid ?? '');
  if (before !== undefined) {
    const place: Place = { verb: 'update', resource, request, namespace, name, subresource, dryRun, before, sent: body };
    return warned(carryOut(scope, place, change), warnings);
  }
  if (!kind.allowCreateOnUpdate || subresource !== undefined) throw notFound(resource, name);
  const fresh = produce(object, ({ metadata }) => {
    Reflect.deleteProperty(metadata, 'resourceVersion');
  });
  const place: Place = { verb: 'create', resource, request, namespace, name: '', subresource, dryRun, before, sent: body };
  return warned(carryOut(scope, place, unknownChange(fresh)), warnings);
}

/** What the update changes, if its author has read the stored object and shares with it what it leaves. */
function knownChange(
  scope: Scope,
  resource: Resource,
  { body, subresource }: UpdateRequest,
  before: ApiObject | undefined,
): Change | undefined {
  const isKnown = before !== undefined && scope.envelope.base === before && typeof body === 'object' && body !== null;
  return isKnown ? changeOf(resource, body as ApiObject, before, subresource === 'status') : undefined;
}

/** Returns the 409 refusal for a uid that is not that of the stored object. */
export const wrongUid = (resource: Resource, namespace: string | undefined, name: string, asked: string, found: string) =>
  conflict(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${resource.storagePrefix}${storeKey(namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found}`,
  );

// The options of writes, validated before anything else. Models: apimachinery meta/v1/validation.

/** A `dryRun` option: a flag, or the values of a query parameter. */
export type DryRun = boolean | readonly string[];

export const isDryRun = (option: DryRun | undefined): boolean => option === true || (typeof option === 'object' && option.length > 0);

const META = 'meta.k8s.io';
const MAX_MANAGER = 128;

export function dryRunErrors(option: DryRun | undefined): FieldError[] {
  if (typeof option !== 'object' || option.every((text) => text === 'All')) return [];
  return [{ type: 'NotSupported', field: 'dryRun', value: new GoText(goStrings(option)), detail: 'supported values: "All"' }];
}

type Write = Extract<ApiRequest, { verb: 'create' | 'update' | 'patch' }>;
const OPTIONS: Readonly<Record<Write['verb'], string>> = { create: 'CreateOptions', update: 'UpdateOptions', patch: 'PatchOptions' };
const VALIDATIONS: ReadonlySet<string> = new Set(['', 'Ignore', 'Strict', 'Warn']);

/** Refuses invalid options of a write; returns whether it is a dry run. */
export function checkWriteOptions(request: Write): boolean {
  if (
    request.dryRun === undefined &&
    request.fieldManager === undefined &&
    request.fieldValidation === undefined &&
    (request.verb !== 'patch' || (request.patchType !== 'apply' && request.force === undefined))
  )
    return false;
  const errors: FieldError[] = [];
  if (request.verb === 'patch') {
    const apply = request.patchType === 'apply';
    if (!apply && request.force !== undefined)
      errors.push({ type: 'Forbidden', field: 'force', detail: 'may not be specified for non-apply patch' });
    if (apply && (request.fieldManager ?? '') === '')
      errors.push({ type: 'Required', field: 'fieldManager', detail: 'is required for apply patch' });
  }
  append(errors, managerErrors(request.fieldManager), dryRunErrors(request.dryRun));
  const { fieldValidation } = request;
  if (fieldValidation !== undefined && !VALIDATIONS.has(fieldValidation))
    errors.push({
      type: 'NotSupported',
      field: 'fieldValidation',
      value: fieldValidation,
      detail: 'supported values: "", "Ignore", "Strict", "Warn"',
    });
  if (errors.length > 0) throw invalidAs(META, OPTIONS[request.verb], '', errors);
  return isDryRun(request.dryRun);
}

function managerErrors(manager: string | undefined): FieldError[] {
  if (manager === undefined) return [];
  if (byteLength(manager) > MAX_MANAGER)
    return [{ type: 'TooLong', field: 'fieldManager', value: manager, detail: `must have at most ${MAX_MANAGER} bytes` }];
  let at = 0;
  for (const char of manager) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      return [{ type: 'Invalid', field: 'fieldManager', value: manager, detail: `invalid character U+${code} (at position ${at})` }];
    }
    at += byteLength(char);
  }
  return [];
}
