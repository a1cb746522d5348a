/** What came over a socket, as values. */
import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT } from '../request/body.ts';

/** Bytes of bodies that are held at a time, over all connections. */
export interface BodyBudget {
  readonly most: number;
  held: number;
}

/** Whether a request says that a body comes. */
export const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * The body, cut once it is beyond the limit; 'gone' when the client left before it had sent it, 'busy' when too many bytes of other
 * requests are held. What is answered holds its bytes no longer: `release` gives them back.
 */
export function bodyOf(
  incoming: IncomingMessage,
  budget: BodyBudget,
): Promise<'gone' | 'busy' | { readonly body: Uint8Array; release(): void }> {
  return new Promise((resolve) => {
    let parts: Buffer[] = [];
    let length = 0;
    let left = false;
    const release = (): void => {
      budget.held -= length;
      length = 0;
    };
    const done = (): void => {
      resolve({ body: parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts), release });
    };
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
      // What still comes is thrown away.
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
}

/** Names are in lower case already; several of one name are joined as HTTP has it. */
export function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) made[name] = typeof value === 'string' ? value : value.join(', ');
  return made;
}

/** Whether a request names more than one host: whoever stands before the server may have read the other one. */
export const namesTwoHosts = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;
