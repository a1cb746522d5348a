/**
 * The listening server: plain, or secure with protocol detection. The first byte of a TLS handshake cannot start an HTTP request, so one
 * port serves both. If only TLS is served, plain requests get Go's error.
 */
import { createServer as createPlainServer, type RequestListener, type Server as PlainServer, type ServerOptions } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { Server, type Socket } from 'node:net';

/** Certificates and keys as PEM. */
export interface TlsOptions {
  readonly certificate: string;
  readonly key: string;
  /** The CAs of client certificates. */
  readonly clientCas: readonly string[];
  /** Whether plain HTTP is served on the same port too. */
  readonly plainToo: boolean;
}

const HANDSHAKE = 0x16;
const HANDSHAKE_MS = 10_000;
/** A connection without data is closed after so many milliseconds. */
const SILENCE_MS = 10_000;
const HTTPS_ONLY =
  'HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** Creates the server; throws if key and certificate are invalid or do not match. */
export const createListener = (tls: TlsOptions | undefined, options: ServerOptions, served: RequestListener): PlainServer | Front =>
  tls === undefined ? createPlainServer(options, served) : new Front(tls, options, served);

class Front extends Server {
  readonly #secure: SecureServer;
  readonly #plain: PlainServer | undefined;
  /** Connections without data so far. */
  readonly #silent = new Set<Socket>();

  constructor({ certificate, key, clientCas, plainToo }: TlsOptions, options: ServerOptions, served: RequestListener) {
    super();
    // Client certificates are requested and verified, but optional: a token is enough.
    const judging = { ca: [...clientCas], requestCert: true, rejectUnauthorized: false };
    this.#secure = createSecureServer(
      { ...options, ...judging, cert: certificate, key, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS },
      served,
    );
    this.#plain = plainToo ? createPlainServer(options, served) : undefined;
    for (const server of this.#servers()) server.on('clientError', (...all) => this.emit('clientError', ...all));
    // The inner servers check for slow connections only after `listening`, which is emitted here.
    this.on('listening', () => {
      for (const server of this.#servers()) server.emit('listening');
    });
    this.on('connection', (socket) => this.#meet(socket));
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
      // Stops the check for slow connections.
      server.close();
    }
  }
}

/** Hands a connection to a server as if it had accepted it. */
function hand(socket: Socket, first: Buffer, server: SecureServer | PlainServer): void {
  socket.pause();
  socket.unshift(first);
  server.emit('connection', socket);
  process.nextTick(() => socket.resume());
}
