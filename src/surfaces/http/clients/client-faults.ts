/**
 * Faults on clients outside the cluster that a scenario names: the active faults apply to their requests and watches as they do to
 * processes inside, and the trace holds what each was shown. Requests of others pass as they are.
 */
import { type ApiRequest, type ApiResponse, envelopeOf, notFound, Refusal, resourceOf } from '../../../apiserver/request/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import { type Lists, type Observation, refusalOf, verdictOfRules } from '../../../controlplane/runtime/index.ts';
import { exactFieldMatch, parseFieldSelector, present } from '../../../schema/values/index.ts';
import type { Backend } from '../backend.ts';
import type { Call } from '../call.ts';
import { DROPPED, type HttpReply, type Replied } from '../message.ts';
import { refusalReply } from '../answer/encode.ts';
import { flagOf } from '../request/query.ts';
import { Channel } from './channel.ts';
import type { Identify } from './identify.ts';
import { cutUntil, viewOf } from './views.ts';

/** `kind`: absent if the request is about no object. */
export interface ClientRequest {
  readonly client: string;
  readonly verb: string;
  readonly kind: string | undefined;
  readonly target: string;
}

export type ClientEvent =
  /** A request begins; it waits for virtual time, and goes on; its answer is made. */
  | ({ readonly type: 'request' } & ClientRequest)
  | ({ readonly type: 'answer'; readonly status: number } & ClientRequest)
  | { readonly type: 'waits' | 'goesOn'; readonly client: string }
  | { readonly type: 'opens' | 'closes' | 'shown'; readonly client: string; readonly kind: string };

export type ClientFaults = ReturnType<typeof createClientFaults>;

type Tell = (event: ClientEvent) => void;

interface State {
  readonly cluster: Cluster;
  readonly backend: Backend;
  readonly tell: Tell;
  readonly channels: Set<Channel>;
  /** The revision of the next list of a client, by client and kind, or by client alone: it lists after a relist or restart with old lists. */
  readonly nextLists: Map<string, number>;
  /** The last entry of the trace that a client was shown. */
  readonly lastShown: Map<string, number>;
}

export function createClientFaults(cluster: Cluster, backend: Backend, identify: Identify, tell: Tell = () => undefined) {
  const state: State = { cluster, backend, tell, channels: new Set(), nextLists: new Map(), lastShown: new Map() };
  const { runtime } = cluster;
  // Without clients nothing is observed, which would cost records.
  const hasClients = runtime.names().some((name) => runtime.process(name)?.spec.isClient === true);
  const following = hasClients ? cluster.observations.subscribe((observation) => follow(state, observation)) : undefined;
  return {
    clientOf: identify,
    /** The backend as one request of a client sees it. */
    backendOf: (client: string) => backendOf(state, client),
    /** Answers a request of a client, unless a fault delays it, refuses it, or loses it or its answer. */
    pass: (client: string, call: Call, answer: () => Replied) => pass(state, client, call, answer),
    /** Sends what faults no longer hold. */
    flush: () => flushAll(state),
    end: () => following?.unsubscribe(),
  };
}

function flushAll({ channels }: State): void {
  for (const channel of channels) channel.flush();
}

const isOf = (kinds: unknown, kind: string): boolean => !Array.isArray(kinds) || kinds.includes(kind);

/** Faults of moments are applied when the trace reports them. */
function follow(state: State, observation: Observation): void {
  if (observation.type === 'process') {
    if (observation.what !== 'crashed' && observation.what !== 'stopped') return;
    for (const channel of state.channels) if (channel.client === observation.process) channel.close();
    state.lastShown.delete(observation.process);
    return;
  }
  if (observation.type !== 'fault') return;
  const { subject, parameters = {} } = observation.given ?? {};
  if (observation.fault === 'end') flushAll(state);
  if (typeof subject !== 'string' || state.cluster.runtime.process(subject)?.spec.isClient !== true) return;
  const { kinds, code, staleBy } = parameters;
  if (observation.fault === 'relist' || observation.fault === 'restart') noteStale(state, subject, kinds, staleBy);
  if (observation.fault !== 'closeWatches' && observation.fault !== 'relist') return;
  for (const channel of state.channels)
    if (channel.client === subject && isOf(kinds, channel.kind))
      channel.close(observation.fault === 'relist' ? GONE : typeof code === 'number' ? code : undefined);
}

const GONE = 410;

function noteStale({ cluster, nextLists }: State, client: string, kinds: unknown, staleBy: unknown): void {
  if (typeof staleBy !== 'number') return;
  const { store } = cluster;
  const revision = Math.max(store.revisionAt(cluster.now - staleBy), store.compactedAt, 1);
  const all = Array.isArray(kinds) ? kinds.map(String) : cluster.kinds.list().map(({ kind }) => kind);
  for (const kind of all) nextLists.set(`${client} ${kind}`, revision);
}

/** A read that is not a write makes no entry: only lists that were answered do. */
function backendOf(state: State, client: string): Backend {
  const { cluster, backend, channels, tell, lastShown } = state;
  let channel: Channel | undefined;
  return {
    ...backend,
    handle(request) {
      if (request.verb === 'list') return listed(state, client, request);
      if (request.verb === 'get') return got(state, client, request);
      const last = lastShown.get(client);
      return cluster.request(client, request, last === undefined ? [] : [last]);
    },
    watch(request) {
      const opened = backend.watch(request);
      if (!opened.ok) return opened;
      const { kind } = request;
      const onSent = (entry: number): void => {
        lastShown.set(client, entry);
        tell({ type: 'shown', client, kind });
      };
      channel = new Channel({ cluster, client, kind, watch: opened.watch, onSent });
      return { ok: true, watch: channel.watch };
    },
    listen(kind, listener) {
      if (channel === undefined) return backend.listen(kind, listener);
      const own = channel;
      const off = backend.listen(kind, (change: Change) => own.take(change));
      channels.add(own);
      tell({ type: 'opens', client, kind });
      own.connect(listener);
      return () => {
        off();
        own.end();
        if (channels.delete(own)) tell({ type: 'closes', client, kind });
      };
    },
  };
}

type ListRequest = Extract<ApiRequest, { verb: 'list' }>;
type GetRequest = Extract<ApiRequest, { verb: 'get' }>;

function listed(state: State, client: string, request: ListRequest): ApiResponse {
  const { backend, cluster, nextLists } = state;
  const once = `${client} ${request.kind}`;
  const begins = (request.continue ?? '') === '';
  const revision = begins ? (nextLists.get(once) ?? frozenFor(state, client, request)) : undefined;
  const response = backend.handle(
    revision === undefined || revision >= cluster.store.revision
      ? request
      : { ...request, resourceVersion: String(revision), resourceVersionMatch: 'Exact' },
  );
  if (begins && response.ok) {
    nextLists.delete(once);
    noteList(state, client, request, response);
  }
  return response;
}

function frozenFor({ cluster }: State, client: string, { kind, resourceVersion = '' }: ListRequest | GetRequest) {
  const { frozenAt, onlyCached } = viewOf(cluster, client, kind);
  return onlyCached === true && resourceVersion === '' ? undefined : frozenAt;
}

/** A get from the cache shows the frozen state; any other is up to date, as upstream's. */
function got(state: State, client: string, request: GetRequest): ApiResponse {
  const { backend, cluster } = state;
  const revision = request.resourceVersion === '0' && request.subresource === undefined ? frozenFor(state, client, request) : undefined;
  if (revision === undefined) return backend.handle(request);
  const { kind, name, namespace } = request;
  const exact = { fieldSelector: `metadata.name=${name}`, resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
  const list = backend.handle({ verb: 'list', kind, ...present({ namespace }), ...exact });
  if (!list.ok || !('list' in list)) return list;
  const [object] = list.list.items;
  if (object !== undefined) return { ok: true, code: 200, object };
  const known = cluster.kinds.byKind(kind);
  if (known === undefined) return list;
  const { status } = notFound(resourceOf(known, cluster.names), name);
  return { ok: false, code: 404, status };
}

/** Notes what a client has listed, where the trace can say which objects these are. */
function noteList({ cluster, lastShown }: State, client: string, request: ListRequest, response: ApiResponse): void {
  const only = selected(request);
  if (only === 'other' || !('list' in response)) return;
  const kinds: Lists['kinds'] = [{ kind: request.kind, ...(only === undefined ? {} : { only }) }];
  const lists = { revision: Number(response.list.metadata.resourceVersion), kinds, controllers: [] };
  lastShown.set(client, cluster.note({ type: 'process', causes: [], process: client, what: 'lists', lists }));
}

function selected({ namespace = '', labelSelector = '', fieldSelector = '' }: ListRequest): Lists['kinds'][number]['only'] | 'other' {
  const given = [namespace, labelSelector, fieldSelector].filter((text) => text !== '');
  if (given.length > 1) return 'other';
  if (namespace !== '') return { index: 'namespace', value: namespace };
  if (labelSelector !== '') return { index: 'labels', value: labelSelector };
  if (fieldSelector === '') return undefined;
  const parsed = parseFieldSelector(fieldSelector);
  const name = parsed.value?.length === 1 ? exactFieldMatch(parsed.value, 'metadata.name') : undefined;
  return name === undefined ? 'other' : { index: 'name', value: name };
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete', GET: 'get' };

/** The request as fault rules are asked about it; undefined: it is about no object. */
function requestIn({ http, query, routed }: Call): ApiRequest | undefined {
  const found = routed();
  if (found === undefined || found instanceof Refusal) return undefined;
  const { kind, namespace, name, watch } = found.route;
  const reads = http.method === 'GET' && (watch || flagOf(query, 'watch') === true) ? 'watch' : name === undefined ? 'list' : 'get';
  const verb = http.method === 'GET' ? reads : http.method === 'DELETE' && name === undefined ? 'deletecollection' : VERBS[http.method];
  return verb === undefined ? undefined : (present({ verb, kind: kind.kind, namespace, name }) as ApiRequest);
}

/** The status of an error that is a bug. */
const BROKEN = 500;

function pass(state: State, client: string, call: Call, answer: () => Replied): Replied {
  const { tell } = state;
  const request = requestIn(call);
  const asked: ClientRequest = { client, verb: request?.verb ?? call.http.method, kind: request?.kind, target: call.http.target };
  tell({ type: 'request', ...asked });
  const noted = (reply: HttpReply): HttpReply => {
    tell({ type: 'answer', ...asked, status: reply.status });
    return reply;
  };
  const refused = (thrown: unknown): never => {
    tell({ type: 'answer', ...asked, status: (thrown instanceof Refusal ? thrown.status.code : undefined) ?? BROKEN });
    throw thrown;
  };
  try {
    const reply = passed(state, client, call, request, answer);
    return reply instanceof Promise ? reply.then(noted, refused) : noted(reply);
  } catch (thrown) {
    return refused(thrown);
  }
}

function passed(state: State, client: string, call: Call, request: ApiRequest | undefined, answer: () => Replied): Replied {
  const { cluster, tell } = state;
  if (cluster.runtime.process(client)?.up !== true || cutUntil(cluster, client) > 0) return DROPPED;
  if (request === undefined) return answer();
  const { requestsTakeMs = 0 } = viewOf(cluster, client, request.kind);
  const go = (): Replied => judged(state, client, call, request, answer);
  // A watch is opened at once: its answer comes as things happen.
  if (requestsTakeMs === 0 || (request.verb as string) === 'watch') return go();
  tell({ type: 'waits', client });
  return new Promise((resolve, reject) => {
    cluster.plan(cluster.now + requestsTakeMs, `a request of ${client} reaches the server`, () => {
      tell({ type: 'goesOn', client });
      try {
        resolve(go());
      } catch (thrown) {
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    });
  });
}

/** Applies the rules on one request, and answers it. */
function judged({ cluster }: State, client: string, call: Call, request: ApiRequest, answer: () => Replied): Replied {
  const envelope = envelopeOf(client, request);
  const verdict = verdictOfRules(cluster.faults, envelope, cluster.now);
  if (verdict?.crash === 'before') {
    cluster.runtime.crash(client);
    return DROPPED;
  }
  if (verdict?.fail !== undefined) {
    cluster.note(refusalOf(envelope, verdict.fail));
    return refusalReply(new Refusal(verdict.fail), call.format());
  }
  const reply = answer();
  if (verdict?.crash === 'after') cluster.runtime.crash(client);
  return verdict?.crash === 'after' || verdict?.loseResponse === true ? DROPPED : reply;
}
