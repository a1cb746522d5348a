/**
 * When Event objects end: all live equally long, so they end in the order in which they were written, and one pending event is enough for
 * all. Models: upstream's --event-ttl, a lease per key in etcd.
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
  /** An Event was written: it ends an hour from now unless it is written again. */
  written(key: string, revision: number, entry: number): void;
  /** The one that was pending has come: ends all that are due, and plans the next. */
  run(): void;
}

/** No Events yet. `end` deletes one, unless it was written since that revision. */
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
