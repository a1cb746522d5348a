/** Requests that node's parser rejects: unknown methods, for which the API has an answer, and malformed requests. */
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Answering } from '../message.ts';

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request';

/** The first byte of a TLS handshake: the client used https on a plain port. */
const TLS_HANDSHAKE = 0x16;
const PLAIN_PORT =
  'HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\nClient sent an HTTPS request to an HTTP server.\n';
const REQUEST_LINE = /^([A-Za-z]{1,40}) (\S+) HTTP\/1\.[01]$/;

/** Answers requests that the parser rejects, after the replies to valid requests before them. */
export function answerParserErrors(api: Answering) {
  /** The last reply on each connection. */
  const last = new WeakMap<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();
  return {
    /** Records that the reply to a request has begun. */
    begun: (socket: Socket, outgoing: ServerResponse) => void last.set(socket, outgoing),
    answer(this: void, error: ClientError, socket: Socket): void {
      // Further errors of a refused connection are ignored.
      if (refused.has(socket) || !socket.writable) return;
      refused.add(socket);
      const before = last.get(socket);
      if (before !== undefined) refuseAfter(before, socket);
      else void answerOdd(api, error, socket);
    },
  };
}

async function answerOdd(api: Answering, { code, rawPacket }: ClientError, socket: Socket): Promise<void> {
  if (rawPacket?.[0] === TLS_HANDSHAKE) socket.end(PLAIN_PORT);
  else if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) socket.end(BAD_REQUEST);
  else await answerOddMethod(api, rawPacket, socket);
}

function refuseAfter(before: ServerResponse, socket: Socket): void {
  const refuse = (): void => {
    if (socket.writable) socket.end(BAD_REQUEST);
  };
  // The error belongs to the current request, or to data after a request that is answered.
  if (before.writableFinished || !before.req.complete) refuse();
  else before.once('finish', refuse);
}

async function answerOddMethod(api: Answering, packet: Buffer, socket: Socket): Promise<void> {
  const [head = ''] = packet.toString('latin1').split('\r\n\r\n');
  const [requestLine = '', ...lines] = head.split('\r\n');
  const [, method, target] = REQUEST_LINE.exec(requestLine) ?? [];
  const pairs = lines.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  if (method === undefined || target === undefined || pairs.filter(([name]) => name === 'host').length !== 1) {
    socket.end(BAD_REQUEST);
    return;
  }
  try {
    const reply = await api({ method, target, headers: Object.fromEntries(pairs), body: new Uint8Array() });
    if ('open' in reply) throw new Error('a stream has no place here');
    const body = Buffer.from(reply.body);
    const shown = Object.entries(reply.headers)
      .flatMap(([name, value]) => (typeof value === 'string' ? [value] : [...value]).map((each) => `${name}: ${each}\r\n`))
      .join('');
    socket.write(
      `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${shown}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
    );
    socket.end(body);
  } catch {
    socket.end(BAD_REQUEST);
  }
}
