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

/** Whether an answer may be made: not while clients have so much to read. A write is handled until twice as much waits. */
export const admitsAnswer = ({ most, held }: AnswerBudget, method: string): boolean =>
  held < (method === 'GET' || method === 'DELETE' ? most : 2 * most);

/** Sends the end of an answer. Its bytes count until the client has read them; a client that takes too long is cut off. */
export function send(outgoing: ServerResponse, body: Uint8Array, budget: AnswerBudget): void {
  budget.held += body.length;
  const late = setTimeout(() => outgoing.destroy(), budget.patienceMs).unref();
  outgoing.once('close', () => {
    clearTimeout(late);
    budget.held -= body.length;
  });
  outgoing.end(body);
}

export interface StreamLimits {
  /** What ends each stream that is open. */
  readonly streams: Set<() => void>;
  /** Bytes from which a stream is cut off. */
  readonly maxLag: number;
  /** For streams that are one answer. */
  readonly answers: AnswerBudget;
}

export function stream(reply: StreamReply, outgoing: ServerResponse, { streams, maxLag, answers }: StreamLimits): void {
  outgoing.writeHead(reply.status);
  outgoing.flushHeaders();
  const moved = reply.finite === true ? countWaiting(outgoing, answers) : (): void => {};
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
      moved();
      if (outgoing.writableLength > maxLag) outgoing.destroy();
    },
    end,
    cut: () => outgoing.destroy(),
    get full() {
      return outgoing.writableLength > FULL;
    },
    drained: (act) => outgoing.once('drain', act),
    // Node emits `drain` immediately for a socket that takes everything, so `setImmediate` gives other requests a turn.
    inTurn: setImmediate,
  });
}

/** Counts what waits of a stream, and cuts it off when its client reads nothing for too long. Called after each write. */
function countWaiting(outgoing: ServerResponse, budget: AnswerBudget): () => void {
  let counted = 0;
  const count = (waiting: number): void => {
    budget.held += waiting - counted;
    counted = waiting;
  };
  const late = setTimeout(() => outgoing.destroy(), budget.patienceMs).unref();
  const moved = (): void => {
    late.refresh();
    count(outgoing.writableLength);
  };
  outgoing.on('drain', moved);
  outgoing.once('close', () => {
    outgoing.off('drain', moved);
    clearTimeout(late);
    count(0);
  });
  return moved;
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
