/**
 * The one place that knows node:http: requests become values, replies become bytes. Everything a client chooses has a limit: headers,
 * body, connections, and how far a watcher may fall behind before it is cut, so that it never holds up the others.
 */
import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import type { Api } from '../api.ts';
import type { HttpRequest, StreamReply } from '../message.ts';
import { BODY_LIMIT } from '../request/body.ts';

export interface ListenOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly host?: string;
  readonly maxConnections?: number;
  /** Bytes a watcher may lag behind. */
  readonly maxLag?: number;
  /** Told of each request when its reply has gone out, or its client has. */
  readonly onServed?: (served: Served) => void;
  /** What went wrong in here; the client gets a 500. */
  readonly onFailure?: (error: unknown) => void;
}

export interface Served {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly ms: number;
  readonly agent: string;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Streams that are open. */
  readonly streams: number;
  /** Ends every stream, as a restart would. */
  endStreams(): void;
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 1 << 20;
const MAX_CONNECTIONS = 4096;
const MAX_LAG = 64 * 1024 * 1024;
const KEEP_ALIVE_MS = 90_000;

export function listen(
  api: Api,
  { port, host = '127.0.0.1', maxConnections = MAX_CONNECTIONS, maxLag = MAX_LAG, onServed, onFailure }: ListenOptions,
): Promise<Listening> {
  const streams = new Set<() => void>();
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, connectionsCheckingInterval: 10_000 },
    (incoming, outgoing) => {
      const startedAt = process.hrtime.bigint();
      outgoing.on('close', () => {
        onServed?.({
          method: incoming.method ?? '',
          target: incoming.url ?? '',
          status: outgoing.statusCode,
          ms: Number(process.hrtime.bigint() - startedAt) / 1e6,
          agent: incoming.headers['user-agent'] ?? '',
        });
      });
      answer(api, incoming, outgoing, streams, maxLag).catch((error: unknown) => {
        onFailure?.(error);
        if (outgoing.headersSent) outgoing.destroy();
        else
          outgoing
            .writeHead(500, { 'content-type': 'application/json' })
            .end(
              `${JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'Internal error occurred: the simulator broke one of its own assumptions', reason: 'InternalError', code: 500 })}\n`,
            );
      });
    },
  );
  server.maxConnections = maxConnections;
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (!socket.writable) return;
    if (error.code !== 'HPE_INVALID_METHOD' || error.rawPacket === undefined) socket.end(BAD_REQUEST);
    else void answerOddMethod(api, error.rawPacket, socket);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address() as AddressInfo;
      resolve({
        host,
        port: address.port,
        get streams() {
          return streams.size;
        },
        endStreams() {
          for (const end of streams) end();
        },
        close: () =>
          new Promise((done) => {
            server.close(() => {
              done();
            });
            for (const end of streams) end();
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function answer(
  api: Api,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  streams: Set<() => void>,
  maxLag: number,
): Promise<void> {
  const body = await bodyOf(incoming);
  const http: HttpRequest = { method: incoming.method ?? 'GET', target: incoming.url ?? '/', headers: headersOf(incoming), body };
  const answered = api(http);
  // Streams must be opened in the same breath as they were made, or they would miss what happens in between.
  const reply = answered instanceof Promise ? await answered : answered;
  for (const [name, value] of Object.entries(reply.headers)) outgoing.setHeader(name, typeof value === 'string' ? value : [...value]);
  outgoing.setHeader('audit-id', randomUUID());
  if ('open' in reply) stream(reply, outgoing, streams, maxLag);
  else {
    outgoing.statusCode = reply.status;
    // A body too large was not read to its end: the connection is of no more use.
    if (body.length > BODY_LIMIT) outgoing.setHeader('connection', 'close');
    outgoing.setHeader('content-length', typeof reply.body === 'string' ? Buffer.byteLength(reply.body) : reply.body.length);
    outgoing.end(reply.body);
  }
}

function stream(reply: StreamReply, outgoing: ServerResponse, streams: Set<() => void>, maxLag: number): void {
  outgoing.writeHead(reply.status);
  outgoing.flushHeaders();
  let close = (): void => {};
  const end = (): void => {
    streams.delete(end);
    close();
    outgoing.end();
  };
  // The response's close: a request's comes as soon as it has been read.
  outgoing.on('close', () => {
    streams.delete(end);
    close();
  });
  streams.add(end);
  close = reply.open({
    write(text) {
      if (outgoing.destroyed) return;
      outgoing.write(bytesOf(text));
      if (outgoing.writableLength > maxLag) outgoing.destroy();
    },
    end,
  });
}

let lastText = '';
let lastBytes: Buffer = Buffer.alloc(0);

/** The bytes of a line. One event goes to all its watchers in a row, so the last line is the one that is asked for. */
function bytesOf(text: string): Buffer {
  if (text !== lastText) {
    lastText = text;
    lastBytes = Buffer.from(text);
  }
  return lastBytes;
}

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request';

/** Node's parser knows a list of methods; the API has an answer to others too. */
async function answerOddMethod(api: Api, packet: Buffer, socket: Socket): Promise<void> {
  const [head = ''] = packet.toString('latin1').split('\r\n\r\n');
  const [requestLine = '', ...lines] = head.split('\r\n');
  const [method = '', target = ''] = requestLine.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
    }),
  );
  try {
    const reply = await api({ method, target, headers, body: new Uint8Array() });
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

/** The body, cut once it is beyond the limit. */
function bodyOf(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const done = (): void => {
      resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
    };
    incoming.on('data', (part: Buffer) => {
      if (length > BODY_LIMIT) return;
      parts.push(part);
      length += part.length;
      if (length > BODY_LIMIT) {
        incoming.pause();
        done();
      }
    });
    incoming.on('end', done);
    incoming.on('error', reject);
  });
}

/** Names are in lower case already; several of one name are joined as HTTP has it. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) made[name] = typeof value === 'string' ? value : value.join(', ');
  return made;
}
