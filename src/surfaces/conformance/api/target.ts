/** Servers that transcripts are played against: one in this process for each record, asked directly or over a socket. */
import { envelopeOf } from '../../../apiserver/request/index.ts';
import { connect } from 'node:net';
import { createCluster } from '../../../controlplane/cluster.ts';
import { aggregatedRules } from '../../../apiserver/access/index.ts';
import { type APIService, type ClusterRole, kindsFor, type ObjectByKind } from '../../../apiserver/kinds/index.ts';
import { namesFor, type ObjectInput } from '../../../apiserver/vocabulary/index.ts';
import { availabilityOf, withAvailability } from '../../../controlplane/controllers/index.ts';
import { bootstrap, createServer, type Server } from '../../../apiserver/verbs/index.ts';
import { createStore, type Store } from '../../../apiserver/store/index.ts';
import { createRandom } from '../../../engine/random.ts';
import {
  clusterBackend,
  createApi,
  createListeners,
  judgedAccess,
  listen,
  manualTimers,
  tokenGuard,
  type Backend,
  type HttpReply,
  type ManualTimers,
  type Api,
  type Tokens,
} from '../../http/index.ts';
import type { Transcript } from './transcript.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

export interface Watching {
  /** What has come until now, and whether the server ended it. */
  read(): { readonly status: number; readonly text: string; readonly ended: boolean };
  close(): void;
}

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A server made for one record. */
export interface Target {
  send(request: Sent): Promise<Answer>;
  watch(request: Sent): Promise<Watching>;
  /** What the recording did to the server itself. */
  operate(op: string): void;
  /** Lets virtual time (and that of streams) pass. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

const GATES = { CronJobTimeZone: true, MaxUnavailableStatefulSet: true, StatefulSetAutoDeletePVC: true, ServerSideFieldValidation: true };
/** The recordings' year, which their replayer knows as a timestamp. */
const STARTED_AT = Date.UTC(2026, 10, 20, 6);
const ADMIN = 'oracle-admin';

const utf8 = new TextEncoder();

export interface World {
  readonly backend: Backend;
  pass(ms: number): void;
  /** What the server itself does after a request. */
  settle(): void;
  /** Forgets all history. */
  compact(): void;
}

/** The API server alone. */
function bare(gates: Readonly<Record<string, boolean>>): World {
  const names = namesFor('k8s.io');
  const kinds = kindsFor(names);
  const store = createStore();
  let now = STARTED_AT;
  const server = createServer({
    kinds,
    store,
    names,
    gates,
    random: createRandom(7).stream('server'),
    now: () => now,
    entry: () => 0,
    trackFields: ({ userAgent }) => userAgent !== undefined,
  });
  bootstrap(server, names);
  server.handle(
    envelopeOf('client', {
      verb: 'create',
      kind: 'APIService',
      body: {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: 'v1.' },
        spec: { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 },
      },
    }),
  );
  const backend: Backend = {
    kinds,
    names,
    gates,
    store,
    now: () => now,
    handle: (request) => server.handle(envelopeOf('client', request)),
    watch: server.watch,
    listen: createListeners(store),
  };
  return {
    backend,
    pass: (ms) => {
      now += ms;
    },
    compact: () => store.compact(store.revision),
    settle: () => {
      keepAvailability(server, store, now);
      keepAggregates(server, store);
    },
  };
}

/** The aggregator is part of the server: it says of every APIService whether it answers. */
function keepAvailability(server: Server, store: Store, now: number): void {
  const find =
    <K extends 'Service' | 'Endpoints'>(kind: K) =>
    (namespace: string, name: string) =>
      store.get(kind, `${namespace}/${name}`) as ObjectByKind[K] | undefined;
  for (const object of store.values('APIService')) {
    const service = object as unknown as APIService;
    const conditions = withAvailability(
      service.status.conditions,
      availabilityOf(service, { service: find('Service'), endpoints: find('Endpoints') }),
      `${new Date(now).toISOString().slice(0, 19)}Z`,
    );
    if (conditions !== service.status.conditions)
      server.handle(
        envelopeOf('client', {
          verb: 'update',
          kind: 'APIService',
          name: service.metadata.name,
          subresource: 'status',
          body: { ...object, status: { conditions } },
        }),
      );
  }
}

/** Cluster roles that gather the rules of others are kept as their controller would. */
function keepAggregates(server: Server, store: Store): void {
  const roles = (): readonly ClusterRole[] => [...store.values('ClusterRole')] as unknown as readonly ClusterRole[];
  for (let changed = true; changed;) {
    changed = false;
    for (const role of roles()) {
      const rules = aggregatedRules(role, roles());
      if (rules === undefined || JSON.stringify(rules) === JSON.stringify(role.rules ?? [])) continue;
      changed = server.handle(
        envelopeOf('client', {
          verb: 'update',
          kind: 'ClusterRole',
          name: role.metadata.name,
          body: { ...role, rules } as unknown as ObjectInput,
        }),
      ).ok;
    }
  }
}

/** With controllers. */
function full(): World {
  const cluster = createCluster({ domain: 'k8s.io', startAt: STARTED_AT });
  return {
    backend: clusterBackend(cluster),
    pass: (ms) => {
      cluster.runUntil(cluster.now + ms);
    },
    settle: () => {},
    compact: () => cluster.compact(cluster.store.revision),
  };
}

/** Where access is judged, with tokens that say who somebody is. */
export function judgedWorld(tokens: Tokens): { readonly api: Api; readonly world: World } {
  const world = bare({});
  return {
    world,
    api: createApi({ backend: world.backend, timers: manualTimers(), ...judgedAccess(world.backend, { tokens, anonymous: true }) }),
  };
}

function apiFor(record: Transcript, timers: ManualTimers): { readonly api: Api; readonly world: World } {
  const world = record.server === 'full' ? full() : bare(record.server === 'gates' ? GATES : {});
  const guard = tokenGuard({
    tokens: new Map([[ADMIN, { name: ADMIN, groups: ['system:masters', 'system:authenticated'] }]]),
    anonymous: false,
  });
  return { api: createApi({ backend: world.backend, timers, guard }), world };
}

/** Asked without a socket. */
export function inProcess(record: Transcript): Target {
  const timers = manualTimers();
  const { api, world } = apiFor(record, timers);
  return {
    send: async (request) => {
      const answer = whole(await api(request), timers);
      world.settle();
      return answer;
    },
    watch: async (request) => watching(await api(request)),
    operate: () => {
      world.compact();
    },
    pass: async (ms) => {
      world.pass(ms);
      timers.advance(ms);
    },
    close: async () => {},
  };
}

function whole(reply: HttpReply, timers?: ManualTimers): Answer {
  if ('open' in reply) {
    // A stream that is read to its end.
    let body = '';
    const close = reply.open({
      write: (part) => {
        body += part;
      },
      end: () => {},
    });
    timers?.advance(60_000);
    close();
    return { status: reply.status, headers: reply.headers, body };
  }
  return {
    status: reply.status,
    headers: reply.headers,
    body: typeof reply.body === 'string' ? reply.body : new TextDecoder().decode(reply.body),
  };
}

function watching(reply: HttpReply): Watching {
  if (!('open' in reply)) {
    const { status, body } = whole(reply);
    return { read: () => ({ status, text: body, ended: true }), close: () => {} };
  }
  let text = '';
  let ended = false;
  const close = reply.open({
    write: (part) => {
      text += part;
    },
    end: () => {
      ended = true;
    },
  });
  return { read: () => ({ status: reply.status, text, ended }), close };
}

/** The same over a socket. */
export async function overHttp(record: Transcript): Promise<Target> {
  const timers = manualTimers();
  const { api, world } = apiFor(record, timers);
  const listening = await listen(api, { port: 0 });
  const origin = `http://127.0.0.1:${listening.port}`;
  const quiet = (): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  return {
    async send({ method, target, headers, body }) {
      const passing = setInterval(() => {
        timers.advance(1000);
      }, 10);
      try {
        return await exchange(listening.port, { method, target, headers, body });
      } finally {
        clearInterval(passing);
        world.settle();
      }
    },
    async watch({ target, headers }) {
      const stop = new AbortController();
      const answer = await fetch(origin + target, { headers, signal: stop.signal });
      let text = '';
      let ended = false;
      const reader = answer.body?.getReader();
      const decoder = new TextDecoder();
      void (async () => {
        try {
          for (;;) {
            const part = await reader?.read();
            if (part === undefined || part.done) break;
            text += decoder.decode(part.value, { stream: true });
          }
          ended = true;
        } catch {
          /* closed from here */
        }
      })();
      await quiet();
      return {
        read: () => ({ status: answer.status, text, ended }),
        close: () => {
          stop.abort();
        },
      };
    },
    operate: () => {
      world.compact();
    },
    pass: async (ms) => {
      world.pass(ms);
      timers.advance(ms);
      await quiet();
    },
    close: () => listening.close(),
  };
}

/** One exchange by hand: ready-made clients refuse methods that servers must answer. */
function exchange(port: number, { method, target, headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const lines = Object.entries({
        ...headers,
        ...(body.length > 0 || method === 'POST' || method === 'PUT' || method === 'PATCH'
          ? { 'content-length': String(body.length) }
          : {}),
        connection: 'close',
      })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      socket.write(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`);
      socket.write(body);
    });
    const parts: Buffer[] = [];
    let failed: Error | undefined;
    socket.on('data', (part: Buffer) => {
      parts.push(part);
    });
    // A server may answer before it has read everything, and close.
    socket.on('error', (error) => {
      failed = error;
    });
    socket.on('close', () => {
      const answer = readAnswer(Buffer.concat(parts));
      if (answer !== undefined) resolve(answer);
      else reject(failed ?? new Error('no answer'));
    });
  });
}

function readAnswer(bytes: Buffer): Answer | undefined {
  const at = bytes.indexOf('\r\n\r\n');
  if (at < 0) return undefined;
  const [status = '', ...lines] = bytes.toString('latin1', 0, at).split('\r\n');
  const headers: Record<string, string | string[]> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = Buffer.from(line.slice(colon + 1).trim(), 'latin1').toString('utf8');
    if (name === 'warning') headers[name] = [...(headers[name] ?? []), value];
    else headers[name] = value;
  }
  const rest = bytes.subarray(at + 4);
  return {
    status: Number(status.split(' ')[1]),
    headers,
    body: (headers['transfer-encoding'] === 'chunked' ? unchunked(rest) : rest).toString('utf8'),
  };
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

export const bytesOf = (text: string): Uint8Array => utf8.encode(text);
