/** Targets of a replay, and the one in this process, which is created for each record and called without a socket. */
import type { HttpReply } from '../../../src/surfaces/http/index.ts';
import type { Answer, Sent } from './exchange.ts';
import type { Transcript } from './transcript.ts';
import { apiFor } from './worlds.ts';
import { manualTimers, type ManualTimers } from '../../support/timers.ts';

export interface Watching {
  /** Returns the data so far, and whether the server ended the stream. */
  read(): { readonly status: number; readonly text: string; readonly ended: boolean };
  close(): void;
}

/** A server for one record. */
export interface Target {
  send(request: Sent): Promise<Answer>;
  watch(request: Sent): Promise<Watching>;
  /** Applies an operation of the recording on the server itself. */
  operate(op: string): void | Promise<void>;
  /** Advances virtual time, and that of streams. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Returns a target that is called without a socket. */
export function inProcess(record: Transcript): Target {
  const timers = manualTimers();
  const { api, world } = apiFor(record, timers);
  return {
    send: async (request) => {
      const answer = whole(await api(request), timers);
      world.settle();
      return answer;
    },
    watch: async (request) => watching(await api(request)),
    operate: () => {
      world.compact();
    },
    pass: async (ms) => {
      world.pass(ms);
      timers.advance(ms);
    },
    close: async () => {},
  };
}

function whole(reply: HttpReply, timers?: ManualTimers): Answer {
  if ('open' in reply) {
    // A stream that is read to its end.
    let body = '';
    const close = reply.open({
      write: (part) => {
        body += part;
      },
      end: () => {},
    });
    timers?.advance(60_000);
    close();
    return { status: reply.status, headers: reply.headers, body };
  }
  return {
    status: reply.status,
    headers: reply.headers,
    body: typeof reply.body === 'string' ? reply.body : new TextDecoder().decode(reply.body),
  };
}

function watching(reply: HttpReply): Watching {
  if (!('open' in reply)) {
    const { status, body } = whole(reply);
    return { read: () => ({ status, text: body, ended: true }), close: () => {} };
  }
  let text = '';
  let ended = false;
  const close = reply.open({
    write: (part) => {
      text += part;
    },
    end: () => {
      ended = true;
    },
  });
  return { read: () => ({ status: reply.status, text, ended }), close };
}
