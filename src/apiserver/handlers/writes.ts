/**
 * Create and update requests: the body is read, its identity checked, and the object written by the plan of its kind. Models: apiserver
 * pkg/endpoints/handlers/create.go, update.go.
 */
import { produce, type ApiObject } from '../machinery/index.ts';
import { checkName, decodeBody, fieldNotes, namespaceFor, undecodable, warned } from './body.ts';
import { conflict, notFound, storeKey, type ApiRequest, type ApiResponse, type Resource } from '../request/index.ts';
import {
  carryOut,
  changeOf,
  instanceOf,
  rememberTemplate,
  templateOf,
  unknownChange,
  type Change,
  type Place,
  type Scope,
} from '../write/index.ts';
import { checkWriteOptions } from './options.ts';
import { readIn, resourceFor } from './versions.ts';
import { createAgain, rememberMade } from './remembered.ts';

type CreateRequest = Extract<ApiRequest, { verb: 'create' }>;

export function create(scope: Scope, request: CreateRequest): ApiResponse {
  const resource = resourceFor(scope, request);
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
  const notes = fieldNotes(scope, resource, request, request.body);
  if (notes.refusal !== undefined) throw undecodable(resource, notes.refusal);
  const namespace = namespaceFor(resource, request.namespace, object);
  const place = placeOf(resource, request, namespace, dryRun);
  return warned(carryOut(scope, place, unknownChange(object)), notes.warnings);
}

const placeOf = (resource: Resource, request: CreateRequest, namespace: string | undefined, dryRun: boolean): Place => ({
  verb: 'create',
  resource,
  request,
  namespace,
  name: '',
  subresource: undefined,
  dryRun,
  before: undefined,
  sent: request.body,
});

type UpdateRequest = Extract<ApiRequest, { verb: 'update' }>;

export function update(scope: Scope, request: UpdateRequest): ApiResponse {
  const resource = resourceFor(scope, request);
  const dryRun = checkWriteOptions(request);
  const { kind } = resource;
  const { name, subresource, body } = request;
  const asked = request.namespace ?? (kind.namespaced ? body?.metadata?.namespace : undefined);
  const before = readIn(scope, resource, asked, name);
  const change = knownChange(scope, resource, request, before) ?? unknownChange(decodeBody(scope, resource, body, before, request.rawBody));
  const { object } = change;
  const notes = fieldNotes(scope, resource, request, body);
  if (notes.refusal !== undefined) throw undecodable(resource, notes.refusal);
  const namespace = namespaceFor(resource, request.namespace, object);
  checkName(name, object);
  const { uid } = object.metadata;
  if (uid !== undefined && uid !== '' && uid !== before?.metadata.uid)
    throw wrongUid(resource, namespace, name, uid, before?.metadata.uid ?? '');
  if (before !== undefined) {
    const place: Place = { verb: 'update', resource, request, namespace, name, subresource, dryRun, before, sent: body };
    return warned(carryOut(scope, place, change), notes.warnings);
  }
  if (!kind.allowCreateOnUpdate || subresource !== undefined) throw notFound(resource, name);
  const fresh = produce(object, ({ metadata }) => {
    Reflect.deleteProperty(metadata, 'resourceVersion');
  });
  const place: Place = { verb: 'create', resource, request, namespace, name: '', subresource, dryRun, before, sent: body };
  return warned(carryOut(scope, place, unknownChange(fresh)), notes.warnings);
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
