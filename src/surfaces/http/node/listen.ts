/**
 * The adapter to node:http: requests become values, replies become bytes. Everything that a client controls has a limit: headers, body,
 * connections, and the lag of a watcher, which is cut off before it can slow down others.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import type { Api } from '../api.ts';
import type { Answering, HttpReply, HttpRequest, Replied, WholeReply } from '../message.ts';
import { BODY_LIMIT } from '../request/body.ts';
import { failure } from '../../../apiserver/request/index.ts';
import { refusalReply } from '../answer/encode.ts';
import type { Gate } from '../gate.ts';
import { createListener, type TlsOptions } from './front.ts';
import { limitConnections } from './connections.ts';
import { announcesBody, bodyOf, headersOf, namesTwoHosts, type BodyBudget, peerOf } from './incoming.ts';
import { answerParserErrors } from './parser-errors.ts';
import { admitsAnswer, type AnswerBudget, send, stream, type StreamLimits } from './outgoing.ts';

export interface ListenOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly host?: string;
  /** Absent: plain HTTP. */
  readonly tls?: TlsOptions | undefined;
  readonly maxConnections?: number;
  /** Bytes of requests whose headers have not come whole, over all connections. */
  readonly maxHeads?: number;
  /** What a request is refused with before its body is read; absent: nothing. */
  readonly admit?: Api['admit'];
  /** Maximum bytes of request bodies in memory, over all connections. */
  readonly maxBodies?: number;
  /** Maximum bytes of replies that wait for their clients, over all connections, before reads are refused. */
  readonly maxAnswers?: number;
  /** Milliseconds that a client has to read a reply; default: what upstream gives a request that is not a watch. */
  readonly patienceMs?: number;
  /** Maximum bytes that a watcher may lag behind. */
  readonly maxLag?: number;
  /** Returns the gate for the address that the server listens on; absent: none. */
  readonly gate?: (at: { readonly host: string; readonly port: number }) => Gate;
  /** Called for each request when its reply is sent, or its client has disconnected. */
  readonly onServed?: (served: Served) => void;
  /** Called for internal errors; the client gets a 500. */
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
  readonly port: number;
  close(): Promise<void>;
}

/** Bytes of a request line with its headers; upstream accepts a mebibyte, and clients send less than a tenth of this. */
const MAX_HEADER_BYTES = 1 << 17;
const MIB = 1024 * 1024;
/** The time for a request to arrive completely, and for a connection without data. */
const REQUEST_MS = 60_000;
/** The logged status of a request whose client disconnected before the reply. */
const CLIENT_LEFT = 499;

/** Serves an API on a socket. Resolves when the server listens; rejects if it cannot. */
export function listen(
  api: Answering,
  {
    port,
    host = '127.0.0.1',
    tls,
    maxConnections = 4096,
    maxHeads = 32 * MIB,
    maxLag = 64 * MIB,
    maxBodies = 64 * MIB,
    maxAnswers = 256 * MIB,
    patienceMs = 60_000,
    admit,
    gate: gateAt,
    onServed,
    onFailure,
  }: ListenOptions,
): Promise<Listening> {
  const streams = new Set<() => void>();
  /** Set before the first request can arrive. */
  let gate: Gate | undefined;
  const connections = limitConnections(maxConnections, { all: maxHeads, each: MAX_HEADER_BYTES });
  const bodies: BodyBudget = { most: maxBodies, held: 0 };
  const answers: AnswerBudget = { most: maxAnswers, held: 0, patienceMs };
  const odd = answerParserErrors((http) => gated(api, gate)(http));
  const server = createListener(tls, LIMITS, (incoming, outgoing) => {
    odd.begun(incoming.socket, outgoing);
    connections.busy(incoming.socket);
    outgoing.on('close', () => connections.idle(incoming.socket));
    if (onServed !== undefined) logged(incoming, outgoing, onServed);
    answer(gated(api, gate), incoming, outgoing, { streams, maxLag, gate, admit, bodies, answers }).catch((error: unknown) => {
      onFailure?.(error);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500, { 'content-type': 'application/json' }).end(BROKEN);
    });
  });
  server.on('connection', (socket: Socket) => connections.opened(socket));
  server.on('clientError', odd.answer);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address() as AddressInfo;
      gate = gateAt?.({ host, port: address.port });
      resolve({
        port: address.port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            for (const end of streams) end();
            server.closeAllConnections();
          }),
      });
    });
  });
}

const LIMITS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAliveTimeout: 90_000,
  requestTimeout: REQUEST_MS,
  headersTimeout: REQUEST_MS,
  connectionsCheckingInterval: 10_000,
};

const BROKEN = `${JSON.stringify(failure({ code: 500, reason: 'InternalError', message: 'Internal error occurred: a bug in the simulator' }).status)}\n`;

/** Reports a request when its reply is sent, or its client has disconnected. */
function logged(incoming: IncomingMessage, outgoing: ServerResponse, onServed: (served: Served) => void): void {
  const startedAt = process.hrtime.bigint();
  outgoing.on('close', () => {
    onServed({
      method: incoming.method ?? '',
      target: incoming.url ?? '',
      status: outgoing.headersSent ? outgoing.statusCode : CLIENT_LEFT,
      ms: Number(process.hrtime.bigint() - startedAt) / 1e6,
      agent: incoming.headers['user-agent'] ?? '',
    });
  });
}

function gated(api: Answering, gate: Gate | undefined): Answering {
  if (gate === undefined) return api;
  return (http) => gate.admit(http) ?? gate.admitBody(http) ?? showing(gate, api(http), http);
}

const showing = (gate: Gate, reply: Replied, http: HttpRequest): Replied =>
  reply instanceof Promise ? reply.then((made) => gate.shown(made, http)) : gate.shown(reply, http);

interface Around extends StreamLimits {
  readonly gate: Gate | undefined;
  readonly admit: Api['admit'] | undefined;
  readonly bodies: BodyBudget;
}

async function answer(api: Answering, incoming: IncomingMessage, outgoing: ServerResponse, around: Around): Promise<void> {
  const { gate, admit, bodies, answers } = around;
  if (namesTwoHosts(incoming.rawHeaders))
    return refuseUnread(outgoing, { status: 400, headers: PLAIN, body: '400 Bad Request: two Host headers\n' });
  const head = { method: incoming.method ?? 'GET', target: incoming.url ?? '/', headers: headersOf(incoming) };
  const refused = gate?.admit(head);
  if (refused !== undefined) return refuseUnread(outgoing, refused);
  const peer = peerOf(incoming);
  // The body of a refused request is not stored.
  const early = announcesBody(incoming) ? admit?.({ ...head, peer }) : undefined;
  if (early !== undefined && !('open' in early)) {
    // The body is read and discarded, because a client that is still sending cannot read a reply on a connection that is reset.
    incoming.resume();
    return refuseUnread(outgoing, gate?.shown(early, head) ?? early, Number(head.headers['content-length'] ?? Infinity) <= SWALLOWED);
  }
  if (!admitsAnswer(answers, head.method)) return refuseUnread(outgoing, FULL);
  const read = await bodyOf(incoming, bodies);
  // The client has disconnected, so no reply is needed.
  if (read === 'gone') return;
  if (read === 'busy') return refuseUnread(outgoing, BUSY);
  // Other requests may have arrived while the body was read.
  if (!admitsAnswer(answers, head.method)) {
    read.release();
    return refuseUnread(outgoing, FULL);
  }
  const { body, release } = read;
  outgoing.once('close', release);
  const answered = api({
    ...head,
    body,
    peer,
    onGone(act) {
      outgoing.once('close', () => {
        if (!outgoing.writableEnded) act();
      });
    },
  });
  // A stream is opened synchronously after its creation, so that it misses no change.
  const reply = answered instanceof Promise ? await answered : answered;
  if ('isDropped' in reply) {
    outgoing.destroy();
    return;
  }
  setHeaders(outgoing, reply);
  if ('open' in reply) stream(reply, outgoing, around);
  else {
    outgoing.statusCode = reply.status;
    // A body beyond the limit is not read to its end, so the connection cannot be reused.
    if (body.length > BODY_LIMIT) outgoing.setHeader('connection', 'close');
    send(outgoing, sized(outgoing, reply), answers);
  }
}

function refusedFor(what: string): WholeReply {
  const message = `too many bytes of ${what}, please try again later`;
  return refusalReply(failure({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds: 1 } }), undefined);
}
const BUSY = refusedFor('requests are being read');
const FULL = refusedFor('answers wait for their clients');
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };

/** Bytes of an unread body up to which the connection is kept, as in Go. */
const SWALLOWED = 256 * 1024;

function refuseUnread(outgoing: ServerResponse, reply: WholeReply, keeps = false): void {
  setHeaders(outgoing, reply);
  outgoing.statusCode = reply.status;
  if (reply.status !== NO_CONTENT && !keeps) outgoing.setHeader('connection', 'close');
  outgoing.end(sized(outgoing, reply));
}

const NO_CONTENT = 204;

/** Headers are UTF-8, as Go writes them; Node takes a character for each byte. */
const headerBytes = (value: string): string => Buffer.from(value).toString('latin1');

function setHeaders(outgoing: ServerResponse, { headers }: HttpReply): void {
  for (const [name, value] of Object.entries(headers))
    outgoing.setHeader(name, typeof value === 'string' ? headerBytes(value) : value.map(headerBytes));
  outgoing.setHeader('audit-id', randomUUID());
}

/** Says how long the answer is; returns its bytes. With a text Node would write headers in the encoding of the text. */
function sized(outgoing: ServerResponse, { status, body }: WholeReply): Uint8Array {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (status !== NO_CONTENT) outgoing.setHeader('content-length', bytes.length);
  return bytes;
}
