/**
 * The timeline of a run, line by line, while it happens. Level 1 has writes, refusals, faults and notes with their reasons, and decisions
 * to wait of controllers that write or have set a timer. Level 2 has everything: deliveries, timers, lease renewals, every decision.
 */
import { createRelevance, partsOf, type Entry, type LineParts } from '../../lab/trace/index.ts';

/** At most so many decisions are remembered for their writes. Writes follow soon, so the oldest can be dropped. */
const KEPT = 10_000;

/** `startAt`: milliseconds since the epoch; `level`: 1 or 2. */
export function createTimeline(startAt: number, level: number) {
  const whys = new Map<number, string>();
  const isRelevant = createRelevance();

  const remember = (id: number, why: string): void => {
    whys.set(id, why);
    const [oldest] = whys.keys();
    if (whys.size > KEPT && oldest !== undefined) whys.delete(oldest);
  };

  /** The reason of a decision, which is shown with its first write. */
  const takeWhy = (entry: Entry): string => {
    for (const id of entry.causes) {
      const why = whys.get(id);
      if (why === undefined) continue;
      if (level < 2) whys.set(id, '');
      return why;
    }
    return '';
  };

  return {
    /** Returns the parts of an entry's line; undefined if the level omits it. Entries come in order, steps count from 1. */
    next(entry: Entry, step: number): LineParts | undefined {
      if (entry.type === 'reconcile' && entry.writes > 0) remember(entry.id, entry.why);
      if (level < 2 && !isRelevant(entry)) return undefined;
      return partsOf(entry, step, startAt, entry.type === 'write' ? takeWhy(entry) : '');
    },
  };
}
