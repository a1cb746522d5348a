/** Reads requests from a socket as values. */
import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT } from '../request/body.ts';
import { TLSSocket, type PeerCertificate } from 'node:tls';
import type { HttpRequest } from '../message.ts';

/** The bytes of request bodies in memory, over all connections. */
export interface BodyBudget {
  readonly most: number;
  held: number;
}

export const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Returns the body; 'gone' if the client disconnected, 'busy' if other bodies fill the memory. `release` ends its share. */
type Body = 'gone' | 'busy' | { readonly body: Uint8Array; release(): void };
export const bodyOf = (incoming: IncomingMessage, budget: BodyBudget): Promise<Body> =>
  new Promise((resolve) => {
    let parts: Buffer[] = [];
    let length = 0;
    let left = false;
    const release = (): void => {
      budget.held -= length;
      length = 0;
    };
    const done = (): void => resolve({ body: parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts), release });
    const leave = (why: 'gone' | 'busy'): void => {
      parts = [];
      left = true;
      release();
      resolve(why);
    };
    const gone = (): void => {
      if (!incoming.complete) leave('gone');
    };
    incoming.on('data', (part: Buffer) => {
      // Later data is discarded.
      if (left || length > BODY_LIMIT) return;
      if (budget.held + part.length > budget.most) {
        incoming.pause();
        leave('busy');
        return;
      }
      parts.push(part);
      length += part.length;
      budget.held += part.length;
      if (length > BODY_LIMIT) {
        incoming.pause();
        done();
      }
    });
    incoming.on('end', done);
    incoming.on('error', gone);
    incoming.on('close', gone);
  });

/** Header names are in lower case already; repeated headers are joined as HTTP defines. */
export function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) made[name] = typeof value === 'string' ? value : value.join(', ');
  return made;
}

/** Whether a request has several Host headers: a proxy before the server may have read another one. */
export const namesTwoHosts = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;

/** Undefined without a certificate, or for one without a common name. */
export function peerOf({ socket }: IncomingMessage): HttpRequest['peer'] {
  if (!(socket instanceof TLSSocket)) return undefined;
  // Without a certificate this is an empty object, contrary to its type.
  const { subject }: Partial<PeerCertificate> = socket.getPeerCertificate();
  if (subject === undefined) return undefined;
  if (!socket.authorized) return 'untrusted';
  const { CN, O } = subject;
  const name = listed(CN).at(-1) ?? '';
  return name === '' ? undefined : { name, groups: listed(O) };
}

/** A name is a string, or a list of several. */
const listed = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;
