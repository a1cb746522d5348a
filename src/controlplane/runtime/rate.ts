/**
 * How many requests a client sends: a bucket of tokens, of which each request takes one and waits for it where there is none.
 * Models: v1.24 client-go util/flowcontrol (token bucket) over golang.org/x/time/rate (Reserve).
 */

/** `qps` requests a second on the whole, `burst` at once. */
export interface RequestRate {
  readonly qps: number;
  readonly burst: number;
}

export interface Limiter {
  /** Takes a token at an instant; answers how long to wait for it, milliseconds. Whoever waits has its place in the order of asking. */
  take(now: number): number;
  /** The tokens there are at an instant. */
  describe(now: number): number;
}

/** A full bucket. */
export function createLimiter({ qps, burst }: RequestRate): Limiter {
  let tokens = burst;
  let filledAt: number | undefined;
  const at = (now: number): number => Math.min(burst, tokens + ((now - (filledAt ?? now)) * qps) / 1_000);
  return {
    describe: at,
    take(now) {
      tokens = at(now);
      filledAt = now;
      tokens -= 1;
      return tokens >= 0 ? 0 : Math.ceil((-tokens * 1_000) / qps);
    },
  };
}

/** A controller, and the process that it asks for. */
interface Asking {
  readonly process: { readonly limiter: Limiter | undefined; readonly spec: { readonly elector?: unknown; readonly unlimited?: unknown } };
  readonly controller: unknown;
}

/** How long a process's client holds a request of one of its controllers back. Elections have a client of their own. */
export const throttledFor = ({ process: { limiter, spec }, controller }: Asking, now: number): number =>
  limiter === undefined || controller === spec.elector || controller === spec.unlimited ? 0 : limiter.take(now);
