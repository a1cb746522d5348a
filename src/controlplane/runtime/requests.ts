/**
 * A controller's write as an API request, and the program of each process: the name that upstream's program sends to the server, and so the
 * field manager of its writes.
 */
import type { ApiRequest, Preconditions, User, Envelope } from '../../apiserver/request/index.ts';
import type { Write } from './writes.ts';
import type { Server } from '../../apiserver/handlers/index.ts';
import type { Names } from '../../apiserver/machinery/index.ts';

type RequestWrite = Exclude<Write, { readonly op: 'event' }>;

/** A writable form: optional members are added only where they have a value. */
type Loose<T> = { -readonly [K in keyof T]: T[K] };
type RequestOf<V extends ApiRequest['verb']> = Loose<Extract<ApiRequest, { verb: V }>>;

/** The request for a write. */
export function requestOf(write: RequestWrite, user: User): ApiRequest {
  switch (write.op) {
    case 'create': {
      const { kind, metadata } = write.object;
      const { namespace } = metadata;
      if (namespace === undefined || namespace === '') return { verb: 'create', kind, user, body: write.object };
      return { verb: 'create', kind, user, body: write.object, namespace };
    }
    case 'update': {
      const { kind, metadata } = write.object;
      const request: RequestOf<'update'> = { verb: 'update', kind, name: metadata.name, user, body: write.object };
      if (write.subresource !== undefined) request.subresource = write.subresource;
      return placed(request, metadata.namespace);
    }
    case 'patch': {
      const { kind, name, namespace, subresource, patch: body, patchType } = write;
      // Most patches, as whole literals: members that are added later need memory of their own.
      if (namespace !== undefined && namespace !== '')
        return subresource === undefined
          ? { verb: 'patch', kind, name, user, body, patchType, namespace }
          : { verb: 'patch', kind, name, user, body, patchType, subresource, namespace };
      const request: RequestOf<'patch'> = {
        verb: 'patch',
        kind,
        name,
        user,
        body,
        patchType,
      };
      if (subresource !== undefined) request.subresource = subresource;
      return request;
    }
    case 'delete': {
      const preconditions: Loose<Preconditions> = {};
      if (write.uid !== undefined) preconditions.uid = write.uid;
      if (write.resourceVersion !== undefined) preconditions.resourceVersion = write.resourceVersion;
      const request: RequestOf<'delete'> = { verb: 'delete', kind: write.kind, name: write.name, user, preconditions };
      if (write.propagationPolicy !== undefined) request.propagationPolicy = write.propagationPolicy;
      if (write.gracePeriodSeconds !== undefined) request.gracePeriodSeconds = write.gracePeriodSeconds;
      return placed(request, write.namespace);
    }
    case 'deleteCollection': {
      const request: RequestOf<'deletecollection'> = { verb: 'deletecollection', kind: write.kind, user };
      if (write.propagationPolicy !== undefined) request.propagationPolicy = write.propagationPolicy;
      return placed(request, write.namespace);
    }
    case 'check':
    case 'get':
      return placed<RequestOf<'get'>>({ verb: 'get', kind: write.kind, name: write.name, user }, write.namespace);
    case 'list':
      return placed<RequestOf<'list'>>({ verb: 'list', kind: write.kind, user }, write.namespace);
    case 'post': {
      const { kind, name, subresource, body, namespace } = write;
      if (namespace === undefined || namespace === '') return { verb: 'create', kind, name, subresource, user, body };
      return { verb: 'create', kind, name, subresource, user, body, namespace };
    }
    default: {
      const never: never = write;
      return never;
    }
  }
}

function placed<R extends { namespace?: string }>(request: R, namespace: string | undefined): R {
  if (namespace !== undefined && namespace !== '') request.namespace = namespace;
  return request;
}

/** The longest part of a name that is printed, characters. */
const LONGEST_NAME = 253;

/** A text of a body that is not validated yet: its members may have any type. */
const textIn = (value: unknown, key: string): string | undefined => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const found = (value as Readonly<Record<string, unknown>>)[key];
  return typeof found === 'string' && found !== '' ? found.slice(0, LONGEST_NAME) : undefined;
};

/**
 * A request as a phrase for people: `update Job/status default/pi`. Refused requests are printed too, so any body must give a phrase: an
 * error here would replace the server's response.
 */
export function phraseOf(request: ApiRequest): string {
  const sub = 'subresource' in request && request.subresource !== undefined ? `/${request.subresource}` : '';
  return `${request.verb} ${request.kind}${sub} ${request.namespace === undefined ? '' : `${request.namespace}/`}${nameIn(request)}`;
}

function nameIn(request: ApiRequest): string {
  if (request.verb !== 'create') return 'name' in request ? request.name : '*';
  if (request.name !== undefined) return request.name;
  const body: unknown = request.body;
  const metadata = typeof body === 'object' && body !== null && 'metadata' in body ? body.metadata : undefined;
  return textIn(metadata, 'name') ?? `${textIn(metadata, 'generateName') ?? ''}*`;
}

/** A server that sets the program of each request by its author, unless the request names one. */
export const withPrograms = (server: Server, names: Names): Server => ({
  ...server,
  handle: (envelope) => server.handle(underItsProgram(envelope, names)),
});

function underItsProgram(envelope: Envelope, names: Names): Envelope {
  const { request, by } = envelope;
  return request.userAgent === undefined ? { ...envelope, request: { ...request, userAgent: programOf(by.process, names) } } : envelope;
}

/**
 * `agent/node-0` runs `kubelet`; processes that stand for election run the same program. Drivers and outside clients have their own names.
 */
function programOf(process: string, { agentName, apiServerName, controllerManagerName, schedulerName }: Names): string {
  if (process.startsWith('agent/')) return agentName;
  if (/^controller-manager(?:-\d+)?$/.test(process)) return controllerManagerName;
  if (/^scheduler(?:-\d+)?$/.test(process)) return schedulerName;
  if (process === 'server' || process === 'api-server') return apiServerName;
  return process.split('/').at(-1) ?? process;
}
