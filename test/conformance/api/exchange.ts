/** One HTTP exchange over a plain socket, because HTTP clients refuse methods that servers must answer. */
import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const utf8 = new TextEncoder();

/** Encodes a text as a body. */
export const bytesOf = (text: string): Uint8Array => utf8.encode(text);

/** Sends a request and reads its whole response. */
export function exchange(port: number, { method, target, headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const lines = Object.entries({
        ...headers,
        ...(body.length > 0 || method === 'POST' || method === 'PUT' || method === 'PATCH'
          ? { 'content-length': String(body.length) }
          : {}),
        connection: 'close',
      })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      socket.write(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`);
      socket.write(body);
    });
    const parts: Buffer[] = [];
    let failed: Error | undefined;
    socket.on('data', (part: Buffer) => {
      parts.push(part);
    });
    // A server may respond and close before it has read everything.
    socket.on('error', (error) => {
      failed = error;
    });
    socket.on('close', () => {
      const answer = readAnswer(Buffer.concat(parts));
      if (answer !== undefined) resolve(answer);
      else reject(failed ?? new Error('no answer'));
    });
  });
}

function readAnswer(bytes: Buffer): Answer | undefined {
  const at = bytes.indexOf('\r\n\r\n');
  if (at < 0) return undefined;
  const [status = '', ...lines] = bytes.toString('latin1', 0, at).split('\r\n');
  const headers: Record<string, string | string[]> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = Buffer.from(line.slice(colon + 1).trim(), 'latin1').toString('utf8');
    if (name === 'warning') headers[name] = [...(headers[name] ?? []), value];
    else headers[name] = value;
  }
  const rest = bytes.subarray(at + 4);
  return {
    status: Number(status.split(' ')[1]),
    headers,
    body: (headers['transfer-encoding'] === 'chunked' ? unchunked(rest) : rest).toString('utf8'),
  };
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
