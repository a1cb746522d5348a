/** A proxy between kubectl and a served cluster that counts requests and forwards everything immediately. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Counting {
  readonly origin: string;
  /** Number of requests about objects so far, including open ones. */
  readonly asked: number;
  close(): void;
}

/** Paths of objects; others are of discovery. */
const OF_OBJECTS = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/./;

/** Listens on a free port of 127.0.0.1 for the server at another port. */
export function countingFor(port: number): Promise<Counting> {
  let asked = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '', headers } = incoming;
    if (OF_OBJECTS.test(path)) asked++;
    const onward = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, host: `127.0.0.1:${port}` } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // A watch client waits for the headers of the stream.
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
