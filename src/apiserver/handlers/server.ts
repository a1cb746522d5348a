/** The server: handles every request of every client and returns the response as a value. */
import { createAdmission, plugins, withWebhooks, type AdmissionPlugin } from '../admission/index.ts';
import type { ApiObject } from '../machinery/index.ts';
import { create, isDryRun, update } from './writes.ts';
import { remove, removeCollection } from './delete.ts';
import { about, failure, methodNotAllowed, notFound, Refusal, unknownResource } from '../request/index.ts';
import type { ApiRequest, ApiResponse, Envelope, Resource, WatchRequest } from '../request/index.ts';
import { createScope, readIn, resourceFor, shownIn } from '../write/index.ts';
import type { Capacity, Place, Scope, ServedResource, ServerOptions } from '../write/index.ts';
import { patch } from './patch-verb.ts';
import { get, listOf } from './read.ts';
import { subresourceOf, writeForm } from './subresources/index.ts';
import { openWatch, type Watch } from './watch.ts';

export interface Server {
  readonly capacity: Capacity;
  /** Returns the response to a request. Never throws for an error of the client. */
  handle(envelope: Envelope): ApiResponse;
  /** Starts a watch, or returns the same refusal as `handle`. The caller passes the changes of the store to the watch. */
  watch(request: WatchRequest): { readonly ok: true; readonly watch: Watch } | Extract<ApiResponse, { ok: false }>;
}

/** Returns a server over a store. `admission`: the plug-ins that replace the default ones. */
export function createServer(
  options: ServerOptions,
  admission: readonly AdmissionPlugin[] = options.webhooks === undefined ? plugins : withWebhooks,
): Server {
  const scope = createScope(options, createAdmission(admission));
  return {
    capacity: scope.capacity,
    handle(envelope) {
      // Requests may be made while another one commits, or asks a webhook.
      const { envelope: outer, annotations: noted } = scope;
      scope.envelope = envelope;
      scope.annotations = undefined;
      try {
        const response = responseTo(scope, envelope.request, options);
        const { annotations } = scope;
        return annotations === undefined ? response : { ...response, annotations };
      } finally {
        scope.envelope = outer;
        scope.annotations = noted;
      }
    },
    watch(request) {
      try {
        authorize(scope, request, options);
        return { ok: true, watch: openWatch(scope, request) };
      } catch (thrown) {
        return refused(thrown);
      }
    },
  };
}

function responseTo(scope: Scope, request: ApiRequest, options: ServerOptions): ApiResponse {
  try {
    authorize(scope, request, options);
    const resource = resourceFor(scope, request);
    const response = route(scope, resource, request);
    return resource.kind.stored === undefined ? response : answerIn(scope, resource, response);
  } catch (thrown) {
    return refused(thrown);
  }
}

function authorize(scope: Scope, request: ApiRequest | WatchRequest, options: ServerOptions): void {
  const message = options.authorize?.(request);
  if (message === undefined) return;
  const { group, kind } = resourceFor(scope, request);
  const name = 'name' in request ? request.name : undefined;
  throw failure({ code: 403, reason: 'Forbidden', message, details: about(name, group, kind.plural) });
}

function refused(thrown: unknown): Extract<ApiResponse, { ok: false }> {
  if (!(thrown instanceof Refusal)) throw thrown;
  const { status, warnings } = thrown;
  return { ok: false, code: status.code ?? 500, status, ...(warnings === undefined ? {} : { warnings }) };
}

/**
 * Returns an answer in the version of the request. `resource`: as it was before the request, which may have removed the last object of a
 * definition that is being deleted, and the definition with it.
 */
function answerIn(scope: Scope, resource: Resource, response: ApiResponse): ApiResponse {
  if (!response.ok || 'success' in response) return response;
  const shown = (object: ApiObject): ApiObject => shownIn(scope, resource, object);
  if ('list' in response) return { ...response, list: { ...response.list, items: response.list.items.map(shown) } };
  const { object } = response;
  return object.kind === resource.kind.kind ? { ...response, object: shown(object) } : response;
}

function route(scope: Scope, resource: ServedResource, request: ApiRequest): ApiResponse {
  // A sub-resource that the kind does not have is an unknown path.
  if ('subresource' in request && request.subresource !== undefined && !resource.kind.subresources.includes(request.subresource))
    throw unknownResource();
  switch (request.verb) {
    case 'get':
      return get(scope, resource, request);
    case 'list':
      return { ok: true, code: 200, list: listOf(scope, resource, request) };
    case 'create':
      return request.subresource === undefined
        ? create(scope, resource, request)
        : writeSubresource(scope, resource, request, request.name ?? request.body?.metadata?.name ?? '', request.subresource);
    case 'update':
      return request.subresource === undefined || request.subresource === 'status'
        ? update(scope, resource, request)
        : writeSubresource(scope, resource, request, request.name, request.subresource);
    case 'patch':
      return patch(scope, resource, request);
    case 'delete':
      return remove(scope, resource, request);
    case 'deletecollection':
      return removeCollection(scope, resource, request);
  }
}

function writeSubresource(
  scope: Scope,
  resource: Resource,
  request: Extract<ApiRequest, { verb: 'create' | 'update' }>,
  name: string,
  subresource: string,
): ApiResponse {
  const handler = subresourceOf(resource.kind.kind, subresource);
  if (handler === undefined) throw unknownResource();
  const { verb } = request;
  const write = handler[verb];
  if (write === undefined) throw methodNotAllowed();
  const namespace = resource.kind.namespaced ? (request.namespace ?? request.body?.metadata?.namespace) : undefined;
  const stored = readIn(scope, resource, namespace, name);
  if (stored === undefined) throw notFound(resource, name);
  const dryRun = isDryRun(request.dryRun);
  const { body: sent } = request;
  const place: Place = { verb: 'update', resource, request, namespace, name, subresource: undefined, dryRun, before: stored, sent };
  return writeForm(scope, place, stored, { of: handler, write, subresource, verb });
}
