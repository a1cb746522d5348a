/**
 * The API as a function from request to reply, without sockets: the filters that every request passes (deadline, authentication,
 * authorization), then the first area that serves the path. Models: apiserver pkg/server/config.go DefaultBuildHandlerChain,
 * pkg/server/mux.
 */
import { Refusal, type User } from '../../apiserver/request/index.ts';
import { parseGoDuration } from '../../schema/values/index.ts';
import type { Backend } from './backend.ts';
import { refusalReply } from './answer/encode.ts';
import { remoteServices } from './aggregator.ts';
import { createAccountTokens, type AccountTokens } from './auth/account-tokens.ts';
import type { RequestAuthorizer } from './auth/authorizer.ts';
import type { Tokens } from './auth/guard.ts';
import { type Area, type Call, type Guard, once, routedBy } from './call.ts';
import { discovery } from './discovery/index.ts';
import type { ClientFaults } from './clients/client-faults.ts';
import { stub } from './stub-resources.ts';
import { openapi } from './openapi/index.ts';
import { pageNotFound, text, type HttpHead, type HttpReply, type HttpRequest, type Replied, realTimers, type Timers } from './message.ts';
import { badRequest, methodNotAllowed } from './refusals.ts';
import { checkAcceptable, formatFor, type Format } from './request/accept.ts';
import { pathOf, versionPath } from './request/path.ts';
import { firstOf, flagOf, parseQuery, type Query } from './request/query.ts';
import { checkMethod } from './methods.ts';
import { answerBinding, answerResource, type ResourceCall } from './resources.ts';
import { patchTypeOf } from './request/body.ts';
import { componentStatuses } from './component-statuses.ts';
import { podLogs } from './pod-log.ts';
import { health, logs, metrics } from './system.ts';
import { metricsApi } from './metrics-api/index.ts';
import { reviews } from './reviews/index.ts';
import { tokenRequests } from './reviews/tokens.ts';
import { warned } from './versions/index.ts';

export interface ApiOptions {
  readonly backend: Backend;
  readonly timers?: Timers;
  readonly areas?: readonly Area[];
  /** Authenticates and authorizes requests; absent: everything is allowed. */
  readonly guard?: Guard;
  /** Decides access reviews; absent: everything is allowed. */
  readonly authorizer?: RequestAuthorizer;
  /** Users by token, for tokens that are not of service accounts. */
  readonly tokens?: Tokens;
  /** Recognises clients that faults are about; absent: there are none. */
  readonly clientFaults?: ClientFaults | undefined;
  /** Whether requests of releases after v1.24 are answered that it does not know. */
  readonly compat?: boolean;
  /** Tokens of service accounts; absent: they are signed with a random key. */
  readonly accounts?: AccountTokens;
}

export interface Api {
  (http: HttpRequest): Replied;
  /** Returns the refusal of a request before its body is read: not authenticated, or not authorized. Undefined: it may continue. */
  admit(head: HttpHead): HttpReply | undefined;
}

const ANYBODY: User = { name: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

export function createApi({
  backend,
  timers = realTimers,
  areas = [],
  guard,
  authorizer,
  tokens,
  clientFaults,
  compat,
  accounts = createAccountTokens(backend),
}: ApiOptions): Api {
  const metaGroups = new Set(['meta.k8s.io', backend.names.group('meta')]);
  const all: readonly Area[] = [
    ...areas,
    health,
    logs,
    metrics,
    openapi(backend.gates),
    metricsApi,
    remoteServices,
    discovery,
    reviews({ authorizer, tokens, accounts, compat }),
    tokenRequests(accounts),
    componentStatuses,
    stub(backend.names),
    podLogs,
    resources(compat),
  ];
  const filtered = <R>(http: HttpRequest, then: (call: Call) => R): R | HttpReply => {
    const at = http.target.indexOf('?');
    const path = pathOf(at < 0 ? http.target : http.target.slice(0, at));
    if (path === undefined) return text(400, '400 Bad Request');
    const query = parseQuery(at < 0 ? '' : http.target.slice(at + 1));
    const format = (): Format => formatFor(http.headers, query, metaGroups);
    try {
      checkDeadline(path, query);
      const who = guard?.authenticate(http) ?? ANYBODY;
      const below = versionPath(path);
      const routed = once(() => (below === undefined ? undefined : routedBy(below, backend)));
      const asked: Call = { http, path, below, routed, query, user: who, backend, timers, format };
      const user = guard?.authorize(asked) ?? who;
      return 'status' in user ? user : then({ ...asked, user });
    } catch (thrown) {
      return refused(thrown, format);
    }
  };
  const orRefused = (reply: Replied, { format }: Call): Replied =>
    reply instanceof Promise ? reply.catch((thrown: unknown) => refused(thrown, format)) : reply;
  const answer = (call: Call): Replied => {
    for (const area of all) {
      const reply = area(call);
      if (reply !== undefined) return orRefused(reply, call);
    }
    return pageNotFound();
  };
  const admit = (head: HttpHead): HttpReply | undefined =>
    guard === undefined ? undefined : filtered({ ...head, body: NO_BODY }, () => undefined);
  const entered = (call: Call): Replied => {
    const client = clientFaults?.clientOf(call.http, call.user);
    // The simulator's own paths are not those of the server that a client sees.
    if (clientFaults === undefined || client === undefined || SIMULATOR.test(call.path)) return answer(call);
    return orRefused(
      clientFaults.pass(client, call, () => answer({ ...call, backend: clientFaults.backendOf(client) })),
      call,
    );
  };
  return Object.assign((http: HttpRequest) => filtered(http, entered), { admit });
}

const SIMULATOR = /^\/sim(?:\/|$)/;

const NO_BODY = new Uint8Array();

/** Returns a refusal as a reply, which is never a table. Any other error is a bug, and is thrown again. */
function refused(thrown: unknown, format: () => Format): HttpReply {
  if (!(thrown instanceof Refusal)) throw thrown;
  let accepted: Format | undefined;
  try {
    accepted = format();
  } catch {
    // No format is acceptable.
  }
  return refusalReply(thrown, accepted);
}

/** Checks the timeout parameter: a duration, except for long-running requests, which have their own. */
function checkDeadline(path: string, query: Query): void {
  const timeout = firstOf(query, 'timeout');
  if (timeout === undefined || timeout === '' || flagOf(query, 'watch') === true || path.includes('/watch/')) return;
  const parsed = parseGoDuration(timeout);
  if (parsed.error !== undefined) throw badRequest(`invalid timeout specified in the request URL - ${parsed.error}`);
}

const resources =
  (compat: boolean | undefined) =>
  (call: Call): HttpReply | undefined => {
    const { backend, below, http, query, user, timers } = call;
    const routed = call.routed();
    if (below === undefined || routed === undefined) return undefined;
    const { namespace, resource: plural, name } = below;
    const pods = backend.kinds.byPlural('', 'pods');
    if (below.group === '' && namespace !== undefined && plural === 'bindings' && name === undefined && pods !== undefined) {
      if (http.method !== 'POST') throw methodNotAllowed();
      checkAcceptable(http.headers['accept']);
      return answerBinding({ backend, http, query, format: call.format(), user, timers }, pods, namespace);
    }
    if (routed instanceof Refusal) throw routed;
    const { route, other } = routed;
    checkMethod(http.method, route);
    if (http.method === 'PATCH') patchTypeOf(http.headers['content-type'], route.kind);
    checkAcceptable(http.headers['accept']);
    const resource = { backend, http, route, query, format: call.format(), user, timers, compat, other };
    return answerWarned(resource, other?.warning ?? route.kind.deprecation);
  };

/** Adds the deprecation warning to refusals too. */
function answerWarned(call: ResourceCall, warning: string | undefined): HttpReply {
  try {
    return warned(answerResource(call), warning);
  } catch (thrown) {
    if (thrown instanceof Refusal && warning !== undefined) thrown.warnings = [warning, ...(thrown.warnings ?? [])];
    throw thrown;
  }
}
