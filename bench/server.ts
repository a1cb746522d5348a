/** A server without controllers, for benchmarks of requests. */
import { kindsFor } from '../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor } from '../src/apiserver/machinery/index.ts';
import { bootstrap, createServer, type Server } from '../src/apiserver/handlers/index.ts';
import { envelopeOf, type ApiRequest } from '../src/apiserver/request/index.ts';
import { createStore, type WritableStore } from '../src/apiserver/store/index.ts';
import { createRandom } from '../src/engine/index.ts';

export const names = namesFor('k8s.io');
export const kinds = kindsFor(names);
export const NOW = Date.UTC(2024, 0, 1);

export function openServer(store: WritableStore = createStore()): Server {
  const server = createServer({ kinds, store, names, gates: {}, random: createRandom(1).stream('server'), now: () => NOW, entry: () => 0 });
  bootstrap(server, names);
  return server;
}

/** A request that must succeed. */
export function ask(server: Server, request: ApiRequest): ApiObject | undefined {
  const response = server.handle(envelopeOf('client', request));
  if (!response.ok) throw new Error(`${request.verb} ${request.kind}: ${response.status.message ?? response.code}`);
  return 'object' in response ? response.object : undefined;
}
