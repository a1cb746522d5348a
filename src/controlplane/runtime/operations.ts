/** Operations: functions that the driver of a cluster has planned. A pending event names each by number. */
import type { Kernel } from '../../engine/index.ts';
import type { ReportPart } from './described.ts';
import type { ClusterEvent } from './pending.ts';

interface Planned {
  readonly act: (causes: readonly number[]) => void;
  /** A complete description of the operation and its label, as plain data. */
  readonly what: unknown;
}

export interface Operations {
  plan(at: number, label: string, act: (causes: readonly number[]) => void, what: unknown): void;
  /** Runs the operation that a due event names. */
  run(id: number, causes: readonly number[]): void;
  /** Reports each operation, in order. */
  describe(report: ReportPart): void;
}

/** No operations yet. */
export function createOperations(kernel: Kernel<ClusterEvent>): Operations {
  const planned = new Map<number, Planned>();
  const ids = { last: 0 };
  return {
    plan(at, label, act, what) {
      const id = ++ids.last;
      planned.set(id, { act, what });
      kernel.schedule(at, { type: 'operation', id, label });
    },
    run(id, causes) {
      const found = planned.get(id);
      planned.delete(id);
      found?.act(causes);
    },
    describe(report) {
      let nth = 0;
      for (const { event, at } of kernel.pending())
        if (event.type === 'operation') report(`operation ${++nth}`, [at, event.label, planned.get(event.id)?.what]);
    },
  };
}

/** Milliseconds. */
const EVENT_TTL_MS = 3_600_000;

interface Ending {
  readonly at: number;
  readonly key: string;
  readonly revision: number;
  readonly entry: number;
}

/**
 * Expiry of Event objects. All have the same time-to-live, so they expire in the order of their last writes, and one pending event is
 * enough for all. Models: upstream's --event-ttl, a lease per key in etcd.
 */
interface EventExpiry {
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
  /** In order of their instants; those before `head` are over. */
  const state: { endings: Ending[]; head: number } = { endings: [], head: 0 };
  const plan = ({ at, key, revision, entry }: Ending): void => {
    kernel.schedule(at, { type: 'expire', key, revision }, [entry], true);
  };
  return {
    written(key, revision, entry) {
      const ending = { at: kernel.now + EVENT_TTL_MS, key, revision, entry };
      if (state.head === state.endings.length) plan(ending);
      state.endings.push(ending);
    },
    run() {
      const due = (): Ending | undefined => state.endings[state.head];
      for (let ending = due(); ending !== undefined && ending.at <= kernel.now; state.head++, ending = due())
        end(ending.key, ending.revision, [ending.entry]);
      if (state.head > 1024 && state.head * 2 > state.endings.length) {
        state.endings = state.endings.slice(state.head);
        state.head = 0;
      }
      const next = due();
      if (next !== undefined) plan(next);
    },
  };
}
