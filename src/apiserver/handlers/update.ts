/** Update requests: reads the body, checks identity, and updates by the plan of the kind. Models: pkg/endpoints/handlers/update.go. */
import { type ApiObject, produce } from '../machinery/index.ts';
import { checkName, decodeBody, fieldNotes, namespaceFor, undecodable, warned } from './body.ts';
import { type ApiRequest, type ApiResponse, conflict, notFound, type Resource, storeKey } from '../request/index.ts';
import { carryOut, type Change, changeOf, type Place, type Scope, unknownChange } from '../write/index.ts';
import { checkWriteOptions } from './options.ts';
import { readIn, resourceFor } from './versions.ts';

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
