/** Timers of streams: real time for sockets; direct calls bring a clock of their own. */

export interface Timers {
  /** Calls back once after so many milliseconds. Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
}

const LONGEST = 2_000_000_000;

export const realTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, Math.min(ms, LONGEST));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
