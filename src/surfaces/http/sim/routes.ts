/** `/sim/v1/…`: the clock, reset, the state of the simulation, its trace. */
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { Api } from '../api.ts';
import type { Answering, HttpHead, HttpReply, Replied } from '../message.ts';
import type { Clock } from './clock.ts';
import type { History } from './history.ts';
import type { FaultList } from './faults.ts';
import type { ClientFaults } from '../clients/client-faults.ts';
import { introspectionOf } from '../../../controlplane/runtime/index.ts';
import type { TraceHead } from '../../../lab/trace/index.ts';
import type { ClientSpec } from '../../../lab/scenario/index.ts';
import type { Definitions } from '../../../lab/definitions/index.ts';
import { expectedDuration, own, parseDurationMs, present } from '../../../schema/values/index.ts';
import type { RequestAuthorizer } from '../auth/authorizer.ts';
import type { Area, Call } from '../call.ts';
import { reply } from '../answer/encode.ts';
import { badRequest, methodNotAllowed, tooLarge, conflict, notFound } from '../refusals.ts';
import { readFields } from './fields.ts';
import { simulatorDocument } from './openapi.ts';
import { firstOf, flagOf } from '../request/query.ts';

/** A cluster at its start, with the problems on the way. */
export interface Start {
  readonly cluster: Cluster;
  readonly scenario?: string;
  readonly seed?: number;
  /** Programs outside the cluster that faults are about. */
  readonly clients?: readonly ClientSpec[];
  /** A user's faults. */
  readonly definitions?: Definitions;
  /** Problems during the scenario, a line each. */
  readonly troubles: readonly string[];
}

/** The answers of `/sim/v1/worlds`. */
export interface WorldList {
  list(call: Call): HttpReply;
  create(call: Call): HttpReply;
  show(call: Call, name: string): HttpReply;
  remove(call: Call, name: string): HttpReply;
}

export interface World {
  readonly start: Start;
  readonly clock: Clock;
  readonly history: History;
  readonly faults: FaultList;
  /** Clients that the scenario names; it ends with the world. */
  readonly clientFaults: ClientFaults;
  readonly answer: Api;
  /** Decides who may see the values of Secrets; absent: everybody may. */
  readonly authorizer: RequestAuthorizer | undefined;
}

export interface Session {
  readonly current: World;
  /** The worlds beside it; absent: there can be none. */
  readonly worlds?: WorldList | undefined;
  reset(): void;
  readonly answer: Answering;
  /** Returns the refusal of a request before its body is read; undefined: it may continue. */
  admit(head: HttpHead): HttpReply | undefined;
  stop(): void;
}

/** `item`: what follows the name in the path. */
type Route = (session: Session, call: Call, item?: string) => Replied;

const ROUTES: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  advance: { POST: advance, DELETE: cancel },
  compact: { POST: compact },
  faults: {
    GET: ({ current }, call) => current.faults.list(call),
    POST: ({ current }, call) => current.faults.set(call),
    DELETE: ({ current }, call, id) => current.faults.clear(call, id),
  },
  // Pending events, and the keys of each process.
  inside: { GET: ({ current }, { format }) => reply(200, introspectionOf(current.start.cluster), format()) },
  'openapi.json': { GET: (_, { format }) => reply(200, simulatorDocument(), format()) },
  reset: { POST: reset },
  state: { GET: state },
  trace: { GET: trace },
  worlds: {
    GET: (session, call, name) => (name === undefined ? worldsOf(session).list(call) : worldsOf(session).show(call, name)),
    POST(session, call, name) {
      if (name !== undefined) throw methodNotAllowed();
      return worldsOf(session).create(call);
    },
    DELETE(session, call, name) {
      if (name === undefined) throw methodNotAllowed();
      return worldsOf(session).remove(call, name);
    },
  },
};
/** The routes below which a path may name one of several. */
const ITEMS: ReadonlySet<string> = new Set(['faults', 'worlds']);

function worldsOf({ worlds }: Session): WorldList {
  if (worlds === undefined) throw notFound('this world has no others in it: /sim/v1/worlds is a path of the server alone');
  return worlds;
}

/** The limit of `until: settled` if the request has none. */
const SETTLE_WITHIN_MS = 86_400_000;

export const simulationArea =
  (session: Session): Area =>
  (call) => {
    const [, name, item] = /^\/sim\/v1\/([^/]*)(?:\/([^/]+))?\/?$/.exec(call.path) ?? [];
    if (name === undefined || (item !== undefined && !ITEMS.has(name))) return undefined;
    const methods = own(ROUTES, name);
    if (methods === undefined) {
      const known = Object.entries(ROUTES).flatMap(([each, all]) => Object.keys(all).map((how) => `${how} /sim/v1/${each}`));
      throw badRequest(`there is no /sim/v1/${name}; there are ${known.join(', ')}`);
    }
    const route = own(methods, call.http.method);
    if (route === undefined) throw methodNotAllowed();
    return route(session, call, item);
  };

/** Earlier revisions are compacted: lists and watches from before are too old. */
function compact(session: Session, call: Call): HttpReply {
  const { cluster } = session.current.start;
  cluster.compact(cluster.store.revision);
  return state(session, call);
}

function reset(session: Session, call: Call): HttpReply {
  session.reset();
  return state(session, call);
}

function state({ current: { start, clock } }: Session, { format }: Call): HttpReply {
  const { cluster, scenario, seed, troubles } = start;
  const { kernel, store, counters, now, startAt, server } = cluster;
  const { used, limit, refused, why } = server.capacity;
  const nextAt = kernel.nextAt();
  const shown = present({
    now: instant(now),
    startedAt: instant(startAt),
    sinceStartSeconds: (now - startAt) / 1000,
    clock: clock.mode,
    speed: clock.mode === 'realtime' ? clock.speed : undefined,
    settled: kernel.settled,
    next: nextAt === undefined ? undefined : instant(nextAt),
    advancingTo: clock.toward === undefined ? undefined : instant(clock.toward),
    stuck: clock.stuck,
    objects: { used, limit, ...(why === undefined ? {} : { refused, why }) },
    resourceVersion: String(store.revision),
    steps: kernel.steps,
    counters,
    digest: cluster.digest(),
    domain: cluster.names.domain,
    scenario,
    seed,
    troubles,
  });
  return reply(200, shown, format());
}

/** Advances time. Only one advance runs at a time. A disconnected client and a DELETE cancel it. */
async function advance(session: Session, call: Call): Promise<HttpReply> {
  const { clock, start } = session.current;
  const { cluster } = start;
  const { by, to, settled } = advanceOf(call);
  if (clock.toward !== undefined)
    throw conflict(
      `an advance to ${instant(clock.toward)} is under way, at ${instant(cluster.now)}: wait for its answer, or cancel it with DELETE /sim/v1/advance`,
    );
  const from = cluster.now;
  const at = to ?? from + (by ?? (settled ? SETTLE_WITHIN_MS : 0));
  if (at < from) throw badRequest(`time does not run backwards: it is ${instant(from)}; POST /sim/v1/reset returns to the start`);
  const furthest = cluster.startAt + cluster.kernel.limits.timeMs;
  if (at > furthest) throw badRequest(`time ends at ${instant(furthest)}: advance at most to that`);
  call.http.onGone?.(() => clock.cancel('its client disconnected'));
  const halt = settled ? await clock.settle(at) : await clock.advanceTo(at);
  if (halt === undefined) return state(session, call);
  if (halt.why === 'stuck') throw badRequest(`the simulation stopped at one of its limits: ${halt.text}`);
  const reached = `the time is ${instant(cluster.now)}, ${(cluster.now - from) / 1000} s towards ${instant(at)}; everything before it has happened`;
  throw conflict(
    halt.why === 'full'
      ? `${halt.text}: ${reached}. Delete what creates them, or allow more with --max-objects; the next advance continues, and refuses objects beyond the limit`
      : `the advance was cancelled (${halt.text}): ${reached}. The next advance continues from there`,
  );
}

/** Cancels the current advance: its client and this one get an answer. */
function cancel(session: Session, call: Call): HttpReply {
  if (!session.current.clock.cancel('DELETE /sim/v1/advance')) throw notFound('no advance is under way: POST /sim/v1/advance begins one');
  return state(session, call);
}

const instant = (at: number): string => new Date(at).toISOString();

/** Maximum bytes of a request. */
const ADVANCE_LIMIT = 4096;

/** Parses `{ by: 1h }`, `{ to: 2024-03-01T00:00:00Z }`, `{ until: settled }`; the last two may have `by` as a limit. */
function advanceOf({ http }: Call) {
  if (http.body.length > ADVANCE_LIMIT) throw tooLarge(ADVANCE_LIMIT);
  const { by, to, until } = readFields(http, ['by', 'to', 'until'], '{"by":"1h"}');
  if (by === undefined && to === undefined && until === undefined) throw badRequest('expected by, to or until, such as {"by":"1h"}');
  const byMs = typeof by === 'string' ? parseDurationMs(by).value : undefined;
  if (by !== undefined && byMs === undefined)
    throw badRequest(`by: expected ${expectedDuration(String(by), 'a duration such as 500ms, 90s or 1h30m')}, found ${JSON.stringify(by)}`);
  const toMs = to === undefined ? undefined : typeof to === 'string' ? Date.parse(to) : Number.NaN;
  if (toMs !== undefined && Number.isNaN(toMs))
    throw badRequest(`to: expected an instant such as 2024-03-01T00:00:00Z, found ${JSON.stringify(to)}`);
  if (until !== undefined && until !== 'settled') throw badRequest(`until: expected settled, found ${JSON.stringify(until)}`);
  return { by: byMs, to: toMs, settled: until !== undefined };
}

/**
 * Lines, or server-sent events for clients that accept them. `follow=false` ends the response after the present entries. `whole=true`: with head and beginning,
 * a file that why, diff, state and walk read. `showSecrets=true`: with the values of Secrets, for users that may list them.
 */
function trace({ current: { history, start, authorizer } }: Session, { http, query, user }: Call): HttpReply {
  const { cluster, scenario = 'a cluster', seed = 0 } = start;
  const events = (http.headers['accept'] ?? '').includes('text/event-stream');
  const last = http.headers['last-event-id'];
  const from = Number(firstOf(query, 'from') ?? (last === undefined ? 0 : Number(last) + 1));
  if (!Number.isSafeInteger(from)) throw badRequest(`from: expected the id of an entry, found ${JSON.stringify(firstOf(query, 'from'))}`);
  const whole = flagOf(query, 'whole') === true;
  if (whole && events) throw badRequest('a whole trace is JSON lines: request it without Accept: text/event-stream');
  const head: TraceHead = { trace: 'orchsim/v1', scenario, seed, startAt: cluster.startAt, domain: cluster.names.domain };
  const showSecrets = flagOf(query, 'showSecrets') === true;
  if (showSecrets) authorizer?.demand({ user, verb: 'list', group: '', resource: 'secrets' });
  return history.stream({ from, follow: flagOf(query, 'follow') ?? true, events, head: whole ? head : undefined, showSecrets });
}
