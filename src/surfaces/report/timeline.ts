/**
 * The timeline of a run, a golden line at a time, while it happens. Level 1 tells what was done and why: writes, refusals, faults, notes,
 * and
 * decisions to wait of those who write or will. Level 2 tells everything: deliveries, timers, heartbeats, every decision.
 */
import { isHeartbeat, partsOf, type Entry, type LineParts } from '../../lab/trace/index.ts';

export interface Timeline {
  /** The parts of an entry's line; undefined when the level leaves it out. Entries come in order, steps count from 1. */
  next(entry: Entry, step: number): LineParts | undefined;
}

/** Decisions remembered for the writes that carry them out; writes follow soon, so old ones may go. */
const KEPT = 10_000;

export function createTimeline(startAt: number, level: number): Timeline {
  const whys = new Map<number, string>();
  const lastWhy = new Map<string, string>();

  const remember = (id: number, why: string): void => {
    whys.set(id, why);
    if (whys.size > KEPT)
      for (const old of whys.keys()) {
        whys.delete(old);
        break;
      }
  };

  /** The sentence of a decision stands with the first write that carries it out. */
  const takeWhy = (entry: Entry): string => {
    for (const id of entry.causes) {
      const why = whys.get(id);
      if (why === undefined) continue;
      if (level < 2) whys.set(id, '');
      return why;
    }
    return '';
  };

  const isRelevant = (entry: Entry): boolean => {
    switch (entry.type) {
      case 'write':
        return !isHeartbeat(entry.change);
      case 'delivery':
      case 'timer':
        return false;
      case 'process':
        // That it has stopped, or been told to, is news; its controllers end a moment earlier.
        return entry.what !== 'retires';
      case 'reconcile': {
        const who = `${entry.process} ${entry.controller} ${entry.key}`;
        const last = lastWhy.get(who);
        if (last !== undefined || entry.writes > 0 || entry.wakeAt !== undefined) lastWhy.set(who, entry.why);
        // The writes of one that writes say so; who never had a part in it is not asked.
        return entry.writes === 0 && last !== entry.why && (last !== undefined || entry.wakeAt !== undefined);
      }
      default:
        return true;
    }
  };

  return {
    next(entry, step) {
      if (entry.type === 'reconcile' && entry.writes > 0) remember(entry.id, entry.why);
      if (level < 2 && !isRelevant(entry)) return undefined;
      return partsOf(entry, step, startAt, entry.type === 'write' ? takeWhy(entry) : '');
    },
  };
}
