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
 * Whether the answer of a request may be made: not while clients have so much to read. Readers come first to an end: a write, whose answer
 * is one object, is handled until twice as much waits.
 */
export const admitsAnswer = ({ most, held }: AnswerBudget, method: string): boolean =>
  held < (method === 'GET' || method === 'DELETE' ? most : 2 * most);

/** Sends the end of an answer. Its bytes count until the client has read them; a client that takes too long is cut off. */
export function send(outgoing: ServerResponse, body: Uint8Array, budget: AnswerBudget): void {
  budget.held += body.length;
  const late = setTimeout(() => {
    outgoing.destroy();
  }, budget.patienceMs).unref();
  outgoing.once('close', () => {
    clearTimeout(late);
    budget.held -= body.length;
  });
  outgoing.end(body);
}

interface StreamLimits {
  /** Bytes after which a stream is cut off. */
  readonly maxLag: number;
  /** Of answers: for streams that are one. */
  readonly answers: AnswerBudget;
}

/** Opens a stream; it is in `streams`, as what ends it, while it is open. */
export function stream(reply: StreamReply, outgoing: ServerResponse, streams: Set<() => void>, { maxLag, answers }: StreamLimits): void {
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
      moved();
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

/**
 * Counts what waits of a stream as bytes of an answer, and cuts the stream off when its client has read nothing for too long. The answer is
 * called after each write.
 */
function countWaiting(outgoing: ServerResponse, budget: AnswerBudget): () => void {
  let counted = 0;
  const count = (waiting: number): void => {
    budget.held += waiting - counted;
    counted = waiting;
  };
  const late = setTimeout(() => {
    outgoing.destroy();
  }, budget.patienceMs).unref();
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

/** The bytes of a line. One event goes to all its watchers in a row, so the last line is the one that is asked for. */
function bytesOf(text: string): Buffer {
  if (text !== lastText) {
    lastText = text;
    lastBytes = Buffer.from(text);
  }
  return lastBytes;
}
