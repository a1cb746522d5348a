/**
 * Expiry of Event objects. All have the same time-to-live, so they expire in the order of their last writes, and one pending event is
 * enough for all. Models: upstream's --event-ttl, a lease per key in etcd.
 */
import type { Kernel } from '../../engine/index.ts';
import type { ClusterEvent } from './pending.ts';

/** Milliseconds. */
const EVENT_TTL_MS = 3_600_000;

interface Ending {
  readonly at: number;
  readonly key: string;
  readonly revision: number;
  readonly entry: number;
}

export interface EventExpiry {
  /** An Event was written: it expires in an hour unless it is written again. */
  written(key: string, revision: number, entry: number): void;
  /** Handles the pending event: ends all that are due, and plans the next one. */
  run(): void;
}

/** An expiry without Events. `end` deletes an Event, unless it was written after that revision. */
export function createEventExpiry(
  kernel: Kernel<ClusterEvent>,
  end: (key: string, revision: number, causes: readonly number[]) => void,
): EventExpiry {
  let endings: Ending[] = [];
  let head = 0;
  const plan = ({ at, key, revision, entry }: Ending): void => {
    kernel.schedule(at, { type: 'expire', key, revision }, [entry], true);
  };
  return {
    written(key, revision, entry) {
      const ending = { at: kernel.now + EVENT_TTL_MS, key, revision, entry };
      if (head === endings.length) plan(ending);
      endings.push(ending);
    },
    run() {
      for (let ending = endings[head]; ending !== undefined && ending.at <= kernel.now; ending = endings[++head])
        end(ending.key, ending.revision, [ending.entry]);
      if (head > 1024 && head * 2 > endings.length) {
        endings = endings.slice(head);
        head = 0;
      }
      const next = endings[head];
      if (next !== undefined) plan(next);
    },
  };
}
