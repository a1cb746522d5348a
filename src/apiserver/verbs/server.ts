/** The one door to the store: every request of every client, answered as a value. */
import { createAdmission, plugins, type AdmissionPlugin, type ServerOptions } from '../admission/index.ts';
import { createCapacity, type Capacity } from './capacity.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { removeCollection } from './delete-collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Envelope,
  envelopeOf,
  failure,
  methodNotAllowed,
  notFound,
  Refusal,
  storeKey,
  unknownResource,
  type WatchRequest,
} from '../request/index.ts';
import { type Door, doorsOf } from './door.ts';
import { patch } from './patch-verb.ts';
import { checkSubresource, get, list } from './read.ts';
import { isDryRun } from './options.ts';
import { subresourceOf } from './subresources/index.ts';
import type { Subresource } from './subresources/contract.ts';
import { update } from './update.ts';
import { openWatch, type Watch } from './watch.ts';

export interface Server {
  readonly capacity: Capacity;
  /** Answers a request; never throws for what a client did. */
  handle(envelope: Envelope): ApiResponse;
  /** Starts a watch, or refuses it as `handle` would. The caller feeds it the store's changes. */
  watch(request: WatchRequest): { readonly ok: true; readonly watch: Watch } | Extract<ApiResponse, { ok: false }>;
}

/** Who watches writes nothing. */
const WATCHER = envelopeOf('watch', { verb: 'list', kind: '' });

/** A server over a store. `admission`: the plug-ins in place of the usual ones. */
export function createServer(options: ServerOptions, admission: readonly AdmissionPlugin[] = plugins): Server {
  const capacity = createCapacity(options.store, options.maxObjects);
  const open = doorsOf(options, createAdmission(admission), capacity);
  const allow = (door: Door, request: ApiRequest | WatchRequest): void => {
    const refusal = options.authorize?.(request);
    if (refusal === undefined) return;
    const { group, kind } = door.resource(request.kind);
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
      try {
        const door = open(envelope);
        if (options.authorize !== undefined) allow(door, envelope.request);
        return route(door, envelope.request);
      } catch (thrown) {
        return answered(thrown);
      }
    },
    watch(request) {
      try {
        const door = open(WATCHER);
        if (options.authorize !== undefined) allow(door, request);
        return { ok: true, watch: openWatch(door, request) };
      } catch (thrown) {
        return answered(thrown);
      }
    },
  };
}

/** A refusal as a response; anything else that was thrown is a bug and goes on. */
function answered(thrown: unknown): Extract<ApiResponse, { ok: false }> {
  if (!(thrown instanceof Refusal)) throw thrown;
  const { status, warnings } = thrown;
  return { ok: false, code: status.code ?? 500, status, ...(warnings === undefined ? {} : { warnings }) };
}

function route(door: Door, request: ApiRequest): ApiResponse {
  if ('subresource' in request && request.subresource !== undefined) checkSubresource(door.resource(request.kind), request.subresource);
  switch (request.verb) {
    case 'get':
      return get(door, request);
    case 'list':
      return list(door, request);
    case 'create':
      return request.subresource === undefined
        ? create(door, request)
        : writeSubresource(door, request, request.name ?? request.body?.metadata?.name ?? '', request.subresource, request.body);
    case 'update':
      return request.subresource === undefined || request.subresource === 'status'
        ? update(door, request)
        : writeSubresource(door, request, request.name, request.subresource, request.body);
    case 'patch':
      return patch(door, request);
    case 'delete':
      return remove(door, request);
    case 'deletecollection':
      return removeCollection(door, request);
  }
}

function writeSubresource(
  door: Door,
  request: Extract<ApiRequest, { verb: 'create' | 'update' }>,
  name: string,
  subresource: string,
  body: unknown,
): ApiResponse {
  const resource = door.resource(request.kind);
  const handler: Subresource | undefined = subresourceOf(resource.kind.kind, subresource);
  if (handler === undefined) throw unknownResource();
  const write = request.verb === 'create' ? handler.create : handler.update;
  if (write === undefined) throw methodNotAllowed();
  const namespace = resource.kind.namespaced ? (request.namespace ?? request.body?.metadata?.namespace) : undefined;
  const stored = door.store.get(resource.kind.kind, storeKey(namespace, name));
  if (stored === undefined) throw notFound(resource, name);
  return write(door, { resource, stored, namespace, name, body, dryRun: isDryRun(request.dryRun), request });
}
