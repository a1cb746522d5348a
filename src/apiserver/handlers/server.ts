/** The server: handles every request of every client and returns the response as a value. */
import { createAdmission, plugins, withWebhooks, type AdmissionPlugin } from '../admission/index.ts';
import { create, update } from './writes.ts';
import { remove, removeCollection } from './delete.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Envelope,
  envelopeOf,
  failure,
  methodNotAllowed,
  notFound,
  Refusal,
  unknownResource,
  type WatchRequest,
} from '../request/index.ts';
import { type Capacity, createCapacity, type Place, type Scope, scopesOf, type ServerOptions } from '../write/index.ts';
import { patch } from './patch-verb.ts';
import { checkSubresource, get, list } from './read.ts';
import { isDryRun } from './options.ts';
import { subresourceOf, writeForm } from './subresources/index.ts';
import { answerIn, readIn, resourceFor } from './versions.ts';
import { openWatch, type Watch } from './watch.ts';

export interface Server {
  readonly capacity: Capacity;
  /** Returns the response to a request. Never throws for an error of the client. */
  handle(envelope: Envelope): ApiResponse;
  /** Starts a watch, or returns the same refusal as `handle`. The caller passes the changes of the store to the watch. */
  watch(request: WatchRequest): { readonly ok: true; readonly watch: Watch } | Extract<ApiResponse, { ok: false }>;
}

/** The envelope of watches, which write nothing. */
const WATCHER = envelopeOf('watch', { verb: 'list', kind: '' });

/** Returns a server over a store. `admission`: the plug-ins that replace the default ones. */
export function createServer(
  options: ServerOptions,
  admission: readonly AdmissionPlugin[] = options.webhooks === undefined ? plugins : withWebhooks,
): Server {
  const capacity = createCapacity(options.store, options.maxObjects);
  const open = scopesOf(options, createAdmission(admission), capacity);
  const allow = (scope: Scope, request: ApiRequest | WatchRequest): void => {
    const refusal = options.authorize?.(request);
    if (refusal === undefined) return;
    const { group, kind } = resourceFor(scope, request);
    throw failure({
      code: 403,
      reason: 'Forbidden',
      message: refusal,
      details: {
        ...('name' in request && request.name !== undefined ? { name: request.name } : {}),
        ...(group === '' ? {} : { group }),
        kind: kind.plural,
      },
    });
  };
  return {
    capacity,
    handle(envelope) {
      const scope = open(envelope);
      let response: ApiResponse;
      try {
        if (options.authorize !== undefined) allow(scope, envelope.request);
        response = answerIn(scope, resourceFor(scope, envelope.request), route(scope, envelope.request));
      } catch (thrown) {
        response = answered(thrown);
      }
      const annotations = options.webhooks === undefined ? undefined : scope.takeAnnotations();
      return annotations === undefined ? response : { ...response, annotations };
    },
    watch(request) {
      try {
        const scope = open(WATCHER);
        if (options.authorize !== undefined) allow(scope, request);
        return { ok: true, watch: openWatch(scope, request) };
      } catch (thrown) {
        return answered(thrown);
      }
    },
  };
}

function answered(thrown: unknown): Extract<ApiResponse, { ok: false }> {
  if (!(thrown instanceof Refusal)) throw thrown;
  const { status, warnings } = thrown;
  return { ok: false, code: status.code ?? 500, status, ...(warnings === undefined ? {} : { warnings }) };
}

function route(scope: Scope, request: ApiRequest): ApiResponse {
  if ('subresource' in request && request.subresource !== undefined) checkSubresource(resourceFor(scope, request), request.subresource);
  switch (request.verb) {
    case 'get':
      return get(scope, request);
    case 'list':
      return list(scope, request);
    case 'create':
      return request.subresource === undefined
        ? create(scope, request)
        : writeSubresource(scope, request, request.name ?? request.body?.metadata?.name ?? '', request.subresource);
    case 'update':
      return request.subresource === undefined || request.subresource === 'status'
        ? update(scope, request)
        : writeSubresource(scope, request, request.name, request.subresource);
    case 'patch':
      return patch(scope, request);
    case 'delete':
      return remove(scope, request);
    case 'deletecollection':
      return removeCollection(scope, request);
  }
}

function writeSubresource(
  scope: Scope,
  request: Extract<ApiRequest, { verb: 'create' | 'update' }>,
  name: string,
  subresource: string,
): ApiResponse {
  const resource = resourceFor(scope, request);
  const handler = subresourceOf(resource.kind.kind, subresource);
  if (handler === undefined) throw unknownResource();
  const { verb } = request;
  if (handler[verb] === undefined) throw methodNotAllowed();
  const namespace = resource.kind.namespaced ? (request.namespace ?? request.body?.metadata?.namespace) : undefined;
  const stored = readIn(scope, resource, namespace, name);
  if (stored === undefined) throw notFound(resource, name);
  const dryRun = isDryRun(request.dryRun);
  const place: Place = {
    verb: 'update',
    resource,
    request,
    namespace,
    name,
    subresource: undefined,
    dryRun,
    before: stored,
    sent: request.body,
  };
  const written = writeForm(scope, place, stored, { of: handler, subresource, verb });
  if (written === undefined) throw methodNotAllowed();
  return written;
}
