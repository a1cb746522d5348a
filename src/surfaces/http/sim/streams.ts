/** The open streams of one session: a reset ends these, and not those of other worlds on the server. */
import type { HttpReply } from '../message.ts';

export interface Streams {
  /** How many are open. */
  readonly open: number;
  /** Returns a reply whose stream is counted while it is open. */
  through(this: void, reply: HttpReply): HttpReply;
  /** Ends every stream, as a restart of the server does. */
  end(): void;
}

export function createStreams(): Streams {
  const ends = new Set<() => void>();
  return {
    get open() {
      return ends.size;
    },
    through(reply) {
      if (!('open' in reply)) return reply;
      return {
        ...reply,
        open(sink) {
          const close = reply.open(sink);
          const end = (): void => sink.end();
          ends.add(end);
          return () => {
            ends.delete(end);
            close();
          };
        },
      };
    },
    end() {
      for (const end of ends) end();
    },
  };
}
