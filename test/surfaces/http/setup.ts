/** A server without controllers behind the API, called without a socket. */
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type FeatureGates, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { bootstrap, createServer } from '../../../src/apiserver/handlers/index.ts';
import { servedKinds } from '../../../src/apiserver/served/index.ts';
import { createStore, type WritableStore } from '../../../src/apiserver/store/index.ts';
import { createRandom } from '../../../src/engine/index.ts';
import { createApi, createListeners, type Api, type ApiOptions, type Backend } from '../../../src/surfaces/http/index.ts';
import { manualTimers, type ManualTimers } from '../../support/timers.ts';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly json: unknown;
  readonly warnings: readonly string[];
}

export interface Asked {
  readonly api: Api;
  readonly backend: Backend;
  readonly store: WritableStore;
  readonly timers: ManualTimers;
  /** Sends a request; a body that is not a text is sent as JSON. */
  ask(method: string, target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Opens a stream, returns its content so far, and closes it. */
  stream(
    target: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; lines(): readonly unknown[]; readonly ended: () => boolean; close(): void }>;
}

export function setup(
  gates: FeatureGates = {},
  options: (backend: Backend) => Partial<ApiOptions> = () => ({}),
  base = kindsFor(namesFor('k8s.io')),
): Asked {
  const { names } = base;
  const store = createStore();
  const kinds = servedKinds(base, store);
  const now = Date.parse('2024-03-01T00:00:00Z');
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
  const backend: Backend = {
    get kinds() {
      return kinds.now();
    },
    names,
    gates,
    store,
    now: () => now,
    handle: (request) => server.handle(envelopeOf('client', request)),
    watch: server.watch,
    listen: createListeners(store),
  };
  const timers = manualTimers();
  const api = createApi({ backend, timers, ...options(backend) });
  const send = (method: string, target: string, body: unknown, headers: Readonly<Record<string, string>>) =>
    api({
      method,
      target,
      headers: {
        host: '127.0.0.1:8080',
        'user-agent': 'test',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? new Uint8Array() : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
    });
  return {
    api,
    backend,
    store,
    timers,
    async ask(method, target, body, headers = {}) {
      const reply = await send(method, target, body, headers);
      if ('open' in reply) throw new Error(`${target} answers a stream`);
      const text = typeof reply.body === 'string' ? reply.body : new TextDecoder().decode(reply.body);
      const warning = reply.headers['warning'];
      return {
        status: reply.status,
        type: String(reply.headers['content-type']),
        text,
        json: parsed(text),
        warnings: warning === undefined ? [] : typeof warning === 'string' ? [warning] : warning,
      };
    },
    async stream(target, headers = {}) {
      const reply = await send('GET', target, undefined, headers);
      if (!('open' in reply)) throw new Error(`${target} answers no stream: ${reply.status} ${String(reply.body)}`);
      let text = '';
      let over = false;
      const close = reply.open({
        write: (part) => {
          text += part;
        },
        end: () => {
          over = true;
        },
      });
      return {
        status: reply.status,
        lines: () =>
          text
            .split('\n')
            .filter((line) => line !== '')
            .map(parsed),
        ended: () => over,
        close,
      };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
export const lease = (name: string, spec: object = {}) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name },
  spec,
});
