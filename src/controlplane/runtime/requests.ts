/**
 * The way of a controller's write to the server: the request that it makes, the program that it comes from, how long it takes, and what
 * authentication, the strategy at its choice point and the active faults do to it. The program is the name that upstream's program sends to
 * the server, and so the field manager of its writes. The server refuses every request of a process whose certificate is not valid. Models:
 * v1.24 apiserver pkg/endpoints/filters authentication.go.
 */
import type { Random } from '../../engine/random.ts';
import { failure, type ApiRequest, type Envelope, type Preconditions, type User } from '../../apiserver/request/index.ts';
import type { Server } from '../../apiserver/handlers/index.ts';
import type { Names } from '../../apiserver/machinery/index.ts';
import type { FaultRules, Points, RequestVerdict, RuntimeContext } from './context.ts';
import { refusalOf } from './observation.ts';
import type { Write } from './outcome.ts';
import type { Process, Running } from './process.ts';
import type { Delay } from './rate.ts';

/** A write that is a request. */
export type RequestWrite = Exclude<Write, { readonly op: 'event' }>;

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
  }
}

function placed<R extends { namespace?: string }>(request: R, namespace: string | undefined): R {
  if (namespace !== undefined && namespace !== '') request.namespace = namespace;
  return request;
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

/** How long a process's client delays a request of one of its controllers, milliseconds. Elections have a client of their own. */
export const throttledFor = ({ process: { limiter, spec }, controller }: Running, now: number): number =>
  limiter === undefined || controller === spec.elector || controller === spec.unlimited ? 0 : limiter.take(now);

/** One-way latency in milliseconds: half of a request's round trip. */
export const oneWayLatency = (roundTripMs: number): number => roundTripMs >> 1;

/** A drawn delay. The random stream is used only where there is something to draw. */
export function drawDelay(delay: Delay, random: Random, stream: string): number {
  return typeof delay === 'number' ? delay : random.stream(stream).between(delay.min, delay.max);
}

/** Refuses and reports a request of a process that cannot be authenticated; undefined: the process is authenticated. */
export function authenticationFailure(
  { kernel, observers }: RuntimeContext,
  { spec }: Process,
  envelope: Envelope,
): RequestVerdict | undefined {
  if (spec.isAuthenticated?.(kernel.now) !== false) return undefined;
  observers.observe(refusalOf(envelope, UNAUTHORIZED));
  return { fail: UNAUTHORIZED };
}

const UNAUTHORIZED = failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }).status;

/** What the strategy and the active faults do to a request. `late`: the request was delayed at its choice point before. */
export function verdictOn(
  { points, context: { faults, kernel } }: { readonly points: Points | undefined; readonly context: RuntimeContext },
  envelope: Envelope,
  late: boolean,
): RequestVerdict | undefined {
  const chosen = late ? undefined : points?.write(envelope);
  // The fault rules apply to a delayed request when it continues.
  if (chosen?.delayMs !== undefined && chosen.delayMs > 0) return chosen;
  return faults().length === 0 ? chosen : verdictOfRules(faults(), envelope, kernel.now, chosen);
}

/** What fault rules do to a request, in addition to `chosen`. */
export function verdictOfRules(
  faults: readonly FaultRules[],
  envelope: Envelope,
  now: number,
  chosen?: RequestVerdict,
): RequestVerdict | undefined {
  let verdict = chosen;
  // A copy, because rules may remove themselves when they are called.
  for (const rules of faults.slice()) verdict = together(verdict, rules.request?.(envelope, now));
  return verdict;
}

/**
 * Combines the verdicts of two rules on one request, in any order: a refusal by either refuses it, a refused request has no response to
 * lose, a process that crashes before the request has not sent it, and delays add up.
 */
function together(one: RequestVerdict | undefined, other: RequestVerdict | undefined): RequestVerdict | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const crash = other.crash === 'before' ? 'before' : (one.crash ?? other.crash);
  const fail = one.fail ?? other.fail;
  const delayMs = (one.delayMs ?? 0) + (other.delayMs ?? 0);
  return {
    ...(fail === undefined ? {} : { fail }),
    ...(one.loseResponse === true || other.loseResponse === true ? { loseResponse: true } : {}),
    ...(delayMs === 0 ? {} : { delayMs }),
    ...(crash === undefined ? {} : { crash }),
  };
}
