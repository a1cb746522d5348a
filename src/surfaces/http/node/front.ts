/**
 * What listens: a plain server, or a secure one behind a first look. A TLS handshake begins with a byte that no HTTP request begins with,
 * so one port can serve both; where there is only the secure one, plain requests are told so in Go's words.
 */
import { createServer as createPlainServer, type RequestListener, type Server as PlainServer, type ServerOptions } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { Server, type Socket } from 'node:net';

/** Certificates and keys as PEM. */
export interface TlsOptions {
  readonly certificate: string;
  readonly key: string;
  /** Whose certificates of clients are trusted. */
  readonly clientCas: readonly string[];
  /** Answers plain HTTP on the same port too. */
  readonly plainToo: boolean;
}

const HANDSHAKE = 0x16;
const HANDSHAKE_MS = 10_000;
/** Who connects and says nothing is not waited for. */
const SILENCE_MS = 10_000;
const HTTPS_ONLY =
  'HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** A server by what it is told of TLS; throws where key and certificate are none, or do not belong together. */
export const createGate = (tls: TlsOptions | undefined, options: ServerOptions, served: RequestListener): PlainServer | Front =>
  tls === undefined ? createPlainServer(options, served) : new Front(tls, options, served);

class Front extends Server {
  readonly #secure: SecureServer;
  readonly #plain: PlainServer | undefined;
  /** Connections that have not said anything yet. */
  readonly #silent = new Set<Socket>();

  constructor({ certificate, key, clientCas, plainToo }: TlsOptions, options: ServerOptions, served: RequestListener) {
    super();
    // Certificates of clients are asked for and judged, and nobody needs one: a token is as good.
    const judging = { ca: [...clientCas], requestCert: true, rejectUnauthorized: false };
    this.#secure = createSecureServer(
      { ...options, ...judging, cert: certificate, key, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS },
      served,
    );
    this.#plain = plainToo ? createPlainServer(options, served) : undefined;
    for (const server of this.#servers()) server.on('clientError', (...all) => this.emit('clientError', ...all));
    // They look after slow connections from when they listen, which this one does for them.
    this.on('listening', () => {
      for (const server of this.#servers()) server.emit('listening');
    });
    this.on('connection', (socket) => {
      this.#meet(socket);
    });
  }

  #servers(): readonly (SecureServer | PlainServer)[] {
    return this.#plain === undefined ? [this.#secure] : [this.#secure, this.#plain];
  }

  #meet(socket: Socket): void {
    const drop = (): void => {
      socket.destroy();
    };
    this.#silent.add(socket);
    socket.setTimeout(SILENCE_MS, drop);
    socket.on('error', drop);
    socket.once('close', () => this.#silent.delete(socket));
    socket.once('data', (first: Buffer) => {
      this.#silent.delete(socket);
      socket.setTimeout(0);
      socket.off('timeout', drop);
      const server = first[0] === HANDSHAKE ? this.#secure : this.#plain;
      if (server === undefined) socket.end(HTTPS_ONLY);
      else hand(socket, first, server);
    });
  }

  closeAllConnections(): void {
    for (const socket of this.#silent) socket.destroy();
    for (const server of this.#servers()) {
      server.closeAllConnections();
      // It looks after slow connections no longer.
      server.close();
    }
  }
}

/** As if it had connected to that server. */
function hand(socket: Socket, first: Buffer, server: SecureServer | PlainServer): void {
  socket.pause();
  socket.unshift(first);
  server.emit('connection', socket);
  process.nextTick(() => {
    socket.resume();
  });
}
