/** What came over a socket, as values. */
import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT } from '../request/body.ts';

/** The body, cut once it is beyond the limit; undefined when the client left before it had sent it. */
export function bodyOf(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const done = (): void => {
      resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
    };
    const gone = (): void => {
      resolve(undefined);
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
