/**
 * The one place that knows node:http: requests become values, replies become bytes. Everything a client chooses has a limit: headers,
 * body, connections, and how far a watcher may fall behind before it is cut, so that it never holds up the others.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import type { Api } from '../api.ts';
import type { HttpReply, HttpRequest, WholeReply } from '../message.ts';
import { BODY_LIMIT } from '../request/body.ts';
import type { Gate } from '../gate/index.ts';
import { createDoor, type TlsOptions } from './front.ts';
import { bodyOf, headersOf, namesTwoHosts } from './incoming.ts';
import { answerOdd, type ClientError } from './odd.ts';
import { stream } from './outgoing.ts';
import { peerOf } from './peer.ts';

export interface ListenOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly host?: string;
  /** Absent: plain HTTP. */
  readonly tls?: TlsOptions | undefined;
  readonly maxConnections?: number;
  /** Bytes a watcher may lag behind. */
  readonly maxLag?: number;
  /** Who may ask, when it is known where the server listens; absent: everybody. */
  readonly gate?: (at: { readonly host: string; readonly port: number }) => Gate;
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

/** Of a request line with its headers; upstream takes a mebibyte, and no client sends a tenth of this. */
const MAX_HEADER_BYTES = 1 << 17;
const MAX_CONNECTIONS = 4096;
const MAX_LAG = 64 * 1024 * 1024;
const KEEP_ALIVE_MS = 90_000;
/** What a log says of a request whose client did not wait for the answer. */
const CLIENT_LEFT = 499;

export function listen(
  api: Api,
  { port, host = '127.0.0.1', tls, maxConnections = MAX_CONNECTIONS, maxLag = MAX_LAG, gate: gateAt, onServed, onFailure }: ListenOptions,
): Promise<Listening> {
  const streams = new Set<() => void>();
  /** Set before the first request can come. */
  let gate: Gate | undefined;
  const server = createDoor(
    tls,
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, connectionsCheckingInterval: 10_000 },
    (incoming, outgoing) => {
      const startedAt = process.hrtime.bigint();
      outgoing.on('close', () => {
        onServed?.({
          method: incoming.method ?? '',
          target: incoming.url ?? '',
          status: outgoing.headersSent ? outgoing.statusCode : CLIENT_LEFT,
          ms: Number(process.hrtime.bigint() - startedAt) / 1e6,
          agent: incoming.headers['user-agent'] ?? '',
        });
      });
      answer(gated(api, gate), incoming, outgoing, { streams, maxLag, gate }).catch((error: unknown) => {
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
    void answerOdd(gated(api, gate), error, socket);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address() as AddressInfo;
      gate = gateAt?.({ host, port: address.port });
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

/** The API behind a gate. */
function gated(api: Api, gate: Gate | undefined): Api {
  if (gate === undefined) return api;
  return (http) => gate.admit(http) ?? gate.admitBody(http) ?? showing(gate, api(http), http);
}

const showing = (gate: Gate, reply: HttpReply | Promise<HttpReply>, http: HttpRequest): HttpReply | Promise<HttpReply> =>
  reply instanceof Promise ? reply.then((made) => gate.shown(made, http)) : gate.shown(reply, http);

interface Around {
  readonly streams: Set<() => void>;
  readonly maxLag: number;
  readonly gate: Gate | undefined;
}

async function answer(api: Api, incoming: IncomingMessage, outgoing: ServerResponse, { streams, maxLag, gate }: Around): Promise<void> {
  if (namesTwoHosts(incoming.rawHeaders))
    return refuseUnread(outgoing, { status: 400, headers: PLAIN, body: '400 Bad Request: two Host headers\n' });
  const head = { method: incoming.method ?? 'GET', target: incoming.url ?? '/', headers: headersOf(incoming) };
  const refused = gate?.admit(head);
  if (refused !== undefined) return refuseUnread(outgoing, refused);
  const body = await bodyOf(incoming);
  // Whoever has gone needs no answer.
  if (body === undefined) return;
  const answered = api({
    ...head,
    body,
    peer: peerOf(incoming),
    onGone(act) {
      outgoing.once('close', () => {
        if (!outgoing.writableEnded) act();
      });
    },
  });
  // Streams must be opened in the same breath as they were made, or they would miss what happens in between.
  const reply = answered instanceof Promise ? await answered : answered;
  setHeaders(outgoing, reply);
  if ('open' in reply) stream(reply, outgoing, streams, maxLag);
  else {
    outgoing.statusCode = reply.status;
    // A body too large was not read to its end: the connection is of no more use.
    if (body.length > BODY_LIMIT) outgoing.setHeader('connection', 'close');
    finish(outgoing, reply);
  }
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };

/** Answers what is not read any further. */
function refuseUnread(outgoing: ServerResponse, reply: WholeReply): void {
  setHeaders(outgoing, reply);
  outgoing.statusCode = reply.status;
  if (reply.status !== NO_CONTENT) outgoing.setHeader('connection', 'close');
  finish(outgoing, reply);
}

const NO_CONTENT = 204;

function setHeaders(outgoing: ServerResponse, { headers }: HttpReply): void {
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, typeof value === 'string' ? value : [...value]);
  outgoing.setHeader('audit-id', randomUUID());
}

function finish(outgoing: ServerResponse, { status, body }: WholeReply): void {
  if (status !== NO_CONTENT) outgoing.setHeader('content-length', typeof body === 'string' ? Buffer.byteLength(body) : body.length);
  outgoing.end(body);
}
