/** A server over an empty store, with reproducible time and randomness. */
import { createRandom } from '../../../src/engine/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type Domain, type FeatureGates, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { bootstrap, createServer, type Server } from '../../../src/apiserver/handlers/index.ts';
import { envelopeOf, type ApiRequest, type ApiResponse } from '../../../src/apiserver/request/index.ts';
import type { ServerOptions } from '../../../src/apiserver/admission/index.ts';
import { servedKinds } from '../../../src/apiserver/served/index.ts';
import { createStore, type WritableStore } from '../../../src/apiserver/store/index.ts';

export interface Setup {
  readonly server: Server;
  readonly store: WritableStore;
  /** Advances the clock by milliseconds. */
  advance(ms: number): void;
  /** Handles a request that must succeed, and returns its object. */
  ok(request: ApiRequest): Extract<ApiResponse, { object: unknown }>['object'];
  /** Handles a request that must fail, and returns its status. */
  refused(request: ApiRequest): Extract<ApiResponse, { ok: false }>['status'];
}

export function setup(domain: Domain = 'k8s.io', gates: FeatureGates = {}, more: Partial<ServerOptions> = {}): Setup {
  const names = namesFor(domain);
  const store = createStore();
  let now = Date.parse('2024-03-01T00:00:00Z');
  const server = createServer({
    kinds: servedKinds(kindsFor(names), store),
    store,
    names,
    gates,
    random: createRandom(7).stream('server'),
    now: () => now,
    entry: () => 0,
    ...more,
  });
  bootstrap(server, names);
  return {
    server,
    store,
    advance: (ms) => {
      now += ms;
    },
    ok(request) {
      const response = server.handle(envelopeOf('client', request));
      if (!response.ok) throw new Error(`${request.verb} ${request.kind}: ${response.status.message}`);
      if (!('object' in response)) throw new Error(`${request.verb} ${request.kind}: no object in the answer`);
      return response.object;
    },
    refused(request) {
      const response = server.handle(envelopeOf('client', request));
      if (response.ok) throw new Error(`${request.verb} ${request.kind}: should have been refused`);
      return response.status;
    },
  };
}
