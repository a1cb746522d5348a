/** One request over a persistent connection, and its response; for a stream only its beginning. */
import { Agent, request } from 'node:http';
import type { HttpRequest } from '../src/surfaces/http/index.ts';

export interface Answered {
  readonly status: number;
  readonly text: string;
}

export interface Client {
  ask(http: HttpRequest): Promise<Answered>;
  close(): void;
}

/** Removes characters that a request line or a header cannot contain; a client would not send them. */
const sendable = (text: string): string =>
  text.replace(/[^\x21-\x7e]/gu, (char) => (/^[\ud800-\udfff]$/.test(char) ? '%EF%BF%BD' : encodeURIComponent(char)));
const headerValue = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

export function client(port: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = ({ method, target, headers, body }: HttpRequest): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          agent,
          port,
          host: '127.0.0.1',
          method,
          path: sendable(target),
          headers: {
            ...Object.fromEntries(
              Object.entries({ ...headers, host: `127.0.0.1:${port}` }).map(([name, value]) => [name, headerValue(value)]),
            ),
            'content-length': body.length,
          },
        },
        (answer) => {
          const status = answer.statusCode ?? 0;
          const parts: Buffer[] = [];
          const done = (): void => {
            resolve({ status, text: Buffer.concat(parts).toString('utf8') });
          };
          answer.on('data', (part: Buffer) => {
            parts.push(part);
          });
          answer.on('end', done);
          answer.on('error', done);
          // A stream is closed after its first part.
          if (answer.headers['content-length'] === undefined && method !== 'HEAD') {
            setTimeout(() => {
              done();
              answer.destroy();
            }, STREAMED_MS);
          }
        },
      );
      sent.on('error', reject);
      sent.setTimeout(LONGEST_MS, () => {
        sent.destroy(new Error(`no answer within ${LONGEST_MS} ms`));
      });
      sent.end(body);
    });
  return {
    ask,
    close: () => {
      agent.destroy();
    },
  };
}

const STREAMED_MS = 20;
/** Wall time after which a request counts as unanswered. */
const LONGEST_MS = 20_000;
