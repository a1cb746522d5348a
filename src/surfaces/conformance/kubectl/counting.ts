/** What stands between kubectl and a served cluster and counts what is asked: it passes everything on as it comes. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Counting {
  readonly origin: string;
  /** Requests about objects until now, those not answered yet included. */
  readonly asked: number;
  close(): void;
}

/** Requests about objects, not about what is served. */
const OF_OBJECTS = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/./;

/** Listens on a free port of 127.0.0.1 for the server at another. */
export function countingFor(port: number): Promise<Counting> {
  let asked = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '', headers } = incoming;
    if (OF_OBJECTS.test(path)) asked++;
    const onward = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, host: `127.0.0.1:${port}` } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // A watcher waits for the head of its stream.
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        get asked() {
          return asked;
        },
        close() {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}
