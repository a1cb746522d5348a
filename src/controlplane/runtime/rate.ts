/**
 * Client-side throttling: a token bucket of which each request takes one token, and waits where there is none. Models: v1.24 client-go
 * util/flowcontrol (token bucket) over golang.org/x/time/rate (Reserve).
 */

/** `qps` requests per second on average, `burst` at once. */
export interface RequestRate {
  readonly qps: number;
  readonly burst: number;
}

export interface Limiter {
  /** Takes a token at an instant; returns the wait for it, milliseconds. Waiting requests keep their order. */
  take(now: number): number;
  /** The number of tokens at an instant. */
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

/** A controller, and the process that it runs in. */
interface Requester {
  readonly process: { readonly limiter: Limiter | undefined; readonly spec: { readonly elector?: unknown; readonly unlimited?: unknown } };
  readonly controller: unknown;
}

/** How long a process's client delays a request of one of its controllers, milliseconds. Elections have a client of their own. */
export const throttledFor = ({ process: { limiter, spec }, controller }: Requester, now: number): number =>
  limiter === undefined || controller === spec.elector || controller === spec.unlimited ? 0 : limiter.take(now);
