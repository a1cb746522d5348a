/** The open streams of one session: a reset ends these, and not those of other worlds on the server. */
import type { HttpReply } from '../message.ts';

export type Streams = ReturnType<typeof createStreams>;

export function createStreams() {
  const ends = new Set<() => void>();
  return {
    get open() {
      return ends.size;
    },
    /** Returns a reply whose stream is counted while it is open. */
    through(reply: HttpReply): HttpReply {
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
    /** Ends every stream, as a restart of the server does. */
    end() {
      for (const end of ends) end();
    },
  };
}
