/**
 * A request whose answer is waited for: the server decides on a write in one step, so it cannot go on before a webhook has answered. A thread
 * makes the request while this one waits; what asks this server meanwhile is answered afterwards.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

export interface Post {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** The name that the certificate must be valid for; undefined: the host. */
  readonly servername: string | undefined;
  /** Certificates in PEM; undefined: those of the host. */
  readonly ca: string | undefined;
  readonly body: string;
  readonly timeoutMs: number;
}

export type Posted = { readonly status: number; readonly text: string } | { readonly code: string; readonly message: string };

/** The longest answer, in bytes. */
const MOST = 3 * 1024 * 1024;
/** Beyond its timeout a thread that does not answer is given up. */
const SPARE_MS = 2_000;

/** The program of the thread: it needs no file beside the bundle. */
const PROGRAM = `
const { workerData: { signal, port } } = require('node:worker_threads');
const https = require('node:https');
const flag = new Int32Array(signal);
port.on('message', ({ body, timeoutMs, ca, servername, ...to }) => {
  let isDone = false;
  const answer = (value) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    port.postMessage(value);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  const failed = (error) => answer({ code: String(error.code ?? ''), message: String(error.message) });
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'content-length': Buffer.byteLength(body) };
  const request = https.request({ ...to, ...(ca === undefined ? {} : { ca }), ...(servername === undefined ? {} : { servername }), method: 'POST', headers, agent: false }, (response) => {
    const parts = [];
    let length = 0;
    response.on('data', (part) => {
      length += part.length;
      if (length > ${MOST}) { request.destroy(); answer({ code: 'TOO_LONG', message: 'the answer is longer than ${MOST} bytes' }); }
      else parts.push(part);
    });
    response.on('end', () => answer({ status: response.statusCode, text: Buffer.concat(parts).toString('utf8') }));
    response.on('error', failed);
  });
  const timer = setTimeout(() => { request.destroy(); answer({ code: 'ETIMEDOUT', message: '' }); }, timeoutMs);
  request.on('error', failed);
  request.end(body);
});
`;

interface Thread {
  readonly flag: Int32Array;
  readonly port: MessageChannel['port1'];
  readonly worker: Worker;
}

let thread: Thread | undefined;

function opened(): Thread {
  const signal = new SharedArrayBuffer(4);
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(PROGRAM, { eval: true, workerData: { signal, port: port2 }, transferList: [port2] });
  worker.unref();
  port1.unref();
  return { flag: new Int32Array(signal), port: port1, worker };
}

/** Returns the answer to a request, or why there is none; it blocks until then. */
export function postAndWait(post: Post): Posted {
  const { flag, port, worker } = (thread ??= opened());
  Atomics.store(flag, 0, 0);
  port.postMessage(post);
  Atomics.wait(flag, 0, 0, post.timeoutMs + SPARE_MS);
  const received: { readonly message: Posted } | undefined = receiveMessageOnPort(port);
  if (received !== undefined) return received.message;
  // A late answer must not be taken for that to the next request.
  thread = undefined;
  void worker.terminate();
  return { code: 'ETIMEDOUT', message: '' };
}
