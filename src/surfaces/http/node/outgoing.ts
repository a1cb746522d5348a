/** Replies and streams over a socket: limits of their buffers, and the time to read them. */
import type { ServerResponse } from 'node:http';
import type { StreamReply } from '../message.ts';

/** Buffered bytes from which values are queued. */
const FULL = 256 * 1024;
/** Milliseconds that a client has to read the rest of a stream after its end. */
const READ_UP_MS = 60_000;

/** The bytes of replies that wait for their clients, over all connections. */
export interface AnswerBudget {
  readonly most: number;
  held: number;
  /** Milliseconds that a client has to read a reply. */
  readonly patienceMs: number;
}

/**
 * Whether a request may be answered: not while too many bytes wait for clients. Only for reads, whose replies may be large; a write is
 * always handled.
 */
export const admitsAnswer = ({ most, held }: AnswerBudget, method: string): boolean =>
  held < most || (method !== 'GET' && method !== 'DELETE');

/** Sends the end of a reply. Its bytes count until the client has read them; a client that takes too long is disconnected. */
export function send(outgoing: ServerResponse, body: string | Uint8Array, length: number, budget: AnswerBudget): void {
  budget.held += length;
  const late = setTimeout(() => {
    outgoing.destroy();
  }, budget.patienceMs).unref();
  outgoing.once('close', () => {
    clearTimeout(late);
    budget.held -= length;
  });
  outgoing.end(body);
}

/** Opens a stream. While it is open, `streams` has the function that ends it. `maxLag`: bytes after which the client is disconnected. */
export function stream(reply: StreamReply, outgoing: ServerResponse, streams: Set<() => void>, maxLag: number): void {
  outgoing.writeHead(reply.status);
  outgoing.flushHeaders();
  let close = (): void => {};
  const end = (): void => {
    streams.delete(end);
    close();
    if (outgoing.writableEnded) return;
    outgoing.end();
    setTimeout(() => {
      if (!outgoing.writableFinished) outgoing.destroy();
    }, READ_UP_MS).unref();
  };
  // The close event of the response: that of the request is emitted when it has been read.
  outgoing.on('close', () => {
    streams.delete(end);
    close();
  });
  streams.add(end);
  close = reply.open({
    write(text) {
      if (outgoing.destroyed || outgoing.writableEnded) return;
      outgoing.write(bytesOf(text));
      if (outgoing.writableLength > maxLag) outgoing.destroy();
    },
    end,
    get full() {
      return outgoing.writableLength > FULL;
    },
    drained(act) {
      outgoing.once('drain', act);
    },
    // Node emits `drain` immediately for a socket that takes everything, so `setImmediate` gives other requests a turn.
    inTurn: setImmediate,
  });
}

let lastText = '';
let lastBytes: Buffer = Buffer.alloc(0);

/** Returns the bytes of a line. One event goes to all its watchers in a row, so caching the last line is enough. */
function bytesOf(text: string): Buffer {
  if (text !== lastText) {
    lastText = text;
    lastBytes = Buffer.from(text);
  }
  return lastBytes;
}
