/** Create requests: reads the body, and creates the object by the plan of its kind. Models: apiserver pkg/endpoints/handlers/create.go. */
import type { ApiObject } from '../machinery/index.ts';
import { decodeBody, namespaceFor, undecodable } from './body.ts';
import type { ApiRequest, ApiResponse, Resource } from '../request/index.ts';
import { carryOut, instanceOf, type Place, rememberTemplate, type Scope, templateKeyOf, unknownChange } from '../write/index.ts';
import { fieldNotes, warned } from './field-validation.ts';
import { checkWriteOptions, isDryRun } from './options.ts';

type CreateRequest = Extract<ApiRequest, { verb: 'create' }>;

/**
 * Handles a create request.
 * @throws {Refusal} where the request is refused.
 */
export function create(scope: Scope, request: CreateRequest): ApiResponse {
  const resource = scope.resource(request.kind);
  checkWriteOptions(request);
  const cache = scope.templateCache(resource);
  if (cache === undefined) return createOne(scope, resource, request);
  const instance = instanceOf(scope, resource, cache, request);
  if (instance !== undefined) return carryOut(scope, placeOf(resource, request, instance.namespace, false), instance);
  // Only frozen bodies are cached, since they may be sent again. A body that the server itself froze came from a parser and will not be.
  const templateKey = templateKeyOf(scope, resource, cache, request);
  const response = createOne(scope, resource, request);
  if (templateKey !== undefined) rememberTemplate(scope, resource, cache, request, response);
  return response;
}

function createOne(scope: Scope, resource: Resource, request: CreateRequest): ApiResponse {
  // A typed body is in the form of a decoded object already.
  const object =
    scope.envelope.typed === true ? (request.body as ApiObject) : decodeBody(scope, resource, request.body, undefined, request.rawBody);
  const notes = fieldNotes(scope, resource, request, request.body);
  if (notes.refusal !== undefined) throw undecodable(resource, notes.refusal);
  const namespace = namespaceFor(resource, request.namespace, object);
  const dryRun = isDryRun(request.dryRun);
  return warned(carryOut(scope, placeOf(resource, request, namespace, dryRun), unknownChange(object)), notes.warnings);
}

/** The name is known once it has been drawn. */
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
