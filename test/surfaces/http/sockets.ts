/** A listening server of any API, and clients that send bytes to it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll } from 'vitest';
import { listen, type Listening } from '../../../src/surfaces/http/index.ts';
import type { Answering } from '../../../src/surfaces/http/message.ts';
import type { Streams } from '../../../src/surfaces/http/sim/worlds.ts';
import type { ListenOptions } from '../../../src/surfaces/http/node/listen.ts';

const open: Listening[] = [];
afterAll(async () => {
  for (const each of open) await each.close();
});

export async function serving(api: Answering, options: Partial<ListenOptions> = {}): Promise<Listening> {
  const listening = await listen(api, { port: 0, ...options });
  open.push(listening);
  return listening;
}

/** Sends bytes on a new connection; returns all that comes until it is closed. */
export async function said({ port }: Listening, ...texts: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const came: Buffer[] = [];
  socket.on('data', (part: Buffer) => came.push(part));
  for (const each of texts) socket.write(each);
  await once(socket, 'close');
  return Buffer.concat(came).toString();
}

export const asked = (head: string, headers = 'Host: x\r\nConnection: close\r\n', body = ''): string =>
  `${head} HTTP/1.1\r\n${headers}\r\n${body}`;

/** Counts the streams of an API that are open, as a server of worlds does. */
export const through =
  (streams: Streams, api: Answering): Answering =>
  (http) => {
    const reply = api(http);
    return reply instanceof Promise ? reply.then(streams.through) : streams.through(reply);
  };
