/** Create requests: reads the body, and creates the object by the plan of its kind. Models: apiserver pkg/endpoints/handlers/create.go. */
import type { ApiObject } from '../machinery/index.ts';
import { decodeBody, fieldNotes, namespaceFor, undecodable, warned } from './body.ts';
import type { ApiRequest, ApiResponse, Resource } from '../request/index.ts';
import { carryOut, instanceOf, type Place, rememberTemplate, type Scope, templateOf, unknownChange } from '../write/index.ts';
import { checkWriteOptions } from './options.ts';
import { createAgain, rememberMade } from './remembered.ts';
import { resourceFor } from './versions.ts';

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
