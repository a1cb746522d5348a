/** A server without controllers, over a socket, for benchmarks of transport. */
import { envelopeOf } from '../src/apiserver/request/index.ts';
import { createStore } from '../src/apiserver/store/index.ts';
import type { Server } from '../src/apiserver/handlers/index.ts';
import { createApi, createListeners, listen, type Listening } from '../src/surfaces/http/index.ts';
import { kinds, names, NOW, openServer } from './server.ts';

export interface Served {
  readonly server: Server;
  readonly listening: Listening;
}

export async function serve(options: { readonly maxLag?: number } = {}): Promise<Served> {
  const store = createStore();
  const server = openServer(store);
  const api = createApi({
    backend: {
      kinds,
      names,
      gates: {},
      store,
      now: () => NOW,
      handle: (request) => server.handle(envelopeOf('client', request)),
      watch: server.watch,
      listen: createListeners(store),
    },
  });
  return { server, listening: await listen(api, { port: 0, ...options }) };
}
