/** A clock of streams that moves only on request. */
import type { Timers } from '../../src/surfaces/http/index.ts';

export interface ManualTimers extends Timers {
  /** Advances the clock by milliseconds. */
  advance(ms: number): void;
}

/** Returns a clock that moves only on request. */
export function manualTimers(): ManualTimers {
  let now = 0;
  let pending: { readonly at: number; readonly act: () => void }[] = [];
  return {
    after(ms, act) {
      const one = { at: now + ms, act };
      pending.push(one);
      return () => {
        pending = pending.filter((each) => each !== one);
      };
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = pending.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        pending = pending.filter((each) => each !== next);
        now = next.at;
        next.act();
      }
      now = until;
    },
  };
}
