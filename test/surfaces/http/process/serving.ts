/** `orchsim serve` as a separate process, over sockets. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
const program = join(root, 'bin/orchsim.js');

/** Why there is no program to start; undefined: there is one. */
export const notBuilt: string | undefined = existsSync(join(root, 'dist/orchsim.js')) ? undefined : 'dist/ is not built (npm run build)';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface Process {
  readonly url: string;
  readonly port: number;
  /** Its output on standard error. */
  errors(): string;
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Answer>;
  /** A connection on which a text has been sent. */
  raw(text: string): Socket;
  stop(): Promise<void>;
}

/** Starts it on a free port, with a manual clock. */
export async function startServing(...args: readonly string[]): Promise<Process> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--json', '--domain', 'k8s.io', '--clock', 'manual', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (part: Buffer) => {
    err += part.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString();
      if (out.endsWith('\n')) resolve((JSON.parse(out) as { readonly server: string }).server);
    });
    child.once('exit', (code) => {
      reject(new Error(`serve ended with ${code}: ${err}`));
    });
  });
  const port = Number(new URL(url).port);
  return {
    url,
    port,
    errors: () => err,
    async ask(method, path, body, headers = {}, signal) {
      const answer = await fetch(url + path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, body: parsed(text) };
    },
    raw(text) {
      const socket = connect(port, '127.0.0.1');
      socket.write(text);
      return socket;
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => {
          resolve();
        });
        child.kill('SIGTERM');
      }),
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Reads from a connection until the other side ends it, or until a text has arrived. */
export function readAll(socket: Socket, until?: string): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let tail = '';
    const done = (): void => {
      resolve(Buffer.concat(parts).toString());
    };
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      if (until === undefined) return;
      tail = (tail + part.toString('latin1')).slice(-until.length - part.length);
      if (tail.includes(until)) done();
    });
    socket.on('close', done);
    socket.on('error', done);
    socket.resume();
  });
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Repeats a request until a condition holds. */
export async function eventually<T>(ask: () => Promise<T>, so: (value: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const value = await ask();
    if (so(value) || tries > 200) return value;
    await pause(25);
  }
}

export const JOBS = '/apis/batch/v1/namespaces/default/jobs';
/** A Job with so many pods at once. */
export const jobOf = (name: string, parallelism: number): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { parallelism, completions: parallelism, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
});
