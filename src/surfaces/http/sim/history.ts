/** The trace of a served cluster: the last entries as lines, and whoever follows it. */
import { entryLine, type Entry } from '../../../lab/trace/index.ts';
import type { StreamReply } from '../message.ts';

const KEPT = 100_000;

export interface History {
  add(entry: Entry): void;
  /** Entries from an identity on, as JSON lines or as server-sent events; goes on as things happen if `follow`. */
  stream(from: number, follow: boolean, events: boolean): StreamReply;
  /** Ends everybody's stream. */
  end(): void;
}

export function createHistory(): History {
  let entries: Entry[] = [];
  const followers = new Set<{ add(entry: Entry): void; end(): void }>();
  return {
    add(entry) {
      entries.push(entry);
      if (entries.length >= 2 * KEPT) entries = entries.slice(-KEPT);
      for (const follower of followers) follower.add(entry);
    },
    stream: (from, follow, events) => ({
      status: 200,
      headers: { 'content-type': events ? 'text/event-stream' : 'application/x-ndjson', 'cache-control': 'no-cache' },
      open(sink) {
        const add = (entry: Entry): void => {
          if (entry.id >= from)
            sink.write(events ? `id: ${entry.id}\nevent: ${entry.type}\ndata: ${entryLine(entry)}\n\n` : `${entryLine(entry)}\n`);
        };
        for (const entry of entries) add(entry);
        if (!follow) {
          sink.end();
          return () => {};
        }
        const follower = {
          add,
          end: () => {
            followers.delete(follower);
            sink.end();
          },
        };
        followers.add(follower);
        return () => {
          followers.delete(follower);
        };
      },
    }),
    end() {
      for (const follower of followers) follower.end();
    },
  };
}
