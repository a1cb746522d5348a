/** Streams over a socket: how much may wait in it, and for how long after its end. */
import type { ServerResponse } from 'node:http';
import type { StreamReply } from '../message.ts';

/** Bytes that wait for a client before what can wait does. */
const FULL = 256 * 1024;
/** How long a client may take to read what was written when its stream has ended. */
const READ_UP_MS = 60_000;

/** Bytes of answers that wait for their clients, over all connections. */
export interface AnswerBudget {
  readonly most: number;
  held: number;
  /** Milliseconds that a client has to read an answer. */
  readonly patienceMs: number;
}

/**
 * Whether the answer of a request may be made: not while clients have so much to read. Only for requests whose answer may be large; a write
 * is always handled.
 */
export const admitsAnswer = ({ most, held }: AnswerBudget, method: string): boolean =>
  held < most || (method !== 'GET' && method !== 'DELETE');

/** Sends the end of an answer. Its bytes count until the client has read them; a client that takes too long is cut off. */
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

/** Opens a stream; it is in `streams`, as what ends it, while it is open. `maxLag`: bytes after which it is cut off. */
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
  // The response's close: a request's comes as soon as it has been read.
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
    // A socket that takes everything at once drains without a turn in between.
    inTurn: setImmediate,
  });
}

let lastText = '';
let lastBytes: Buffer = Buffer.alloc(0);

/** The bytes of a line. One event goes to all its watchers in a row, so the last line is the one that is asked for. */
function bytesOf(text: string): Buffer {
  if (text !== lastText) {
    lastText = text;
    lastBytes = Buffer.from(text);
  }
  return lastBytes;
}
