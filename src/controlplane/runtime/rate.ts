/**
 * Client-side throttling: a token bucket of which each request takes one token, and waits where there is none. Also exponential back-off per
 * item in whole milliseconds: base, twice the base, four times …, never above a maximum. Models: v1.24 client-go util/flowcontrol (token
 * bucket) over golang.org/x/time/rate (Reserve), util/workqueue ItemExponentialFailureRateLimiter.
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
  const state: { tokens: number; filledAt: number | undefined } = { tokens: burst, filledAt: undefined };
  const at = (now: number): number => Math.min(burst, state.tokens + ((now - (state.filledAt ?? now)) * qps) / 1_000);
  return {
    describe: at,
    take(now) {
      const tokens = at(now) - 1;
      state.tokens = tokens;
      state.filledAt = now;
      return tokens >= 0 ? 0 : Math.ceil((-tokens * 1_000) / qps);
    },
  };
}

/** The longest back-off of a key in any queue: MaxDelay of upstream's rate limiters. Milliseconds. */
export const LONGEST_BACKOFF_MS = 1_000_000;

/**
 * The delay in milliseconds after that many earlier failures. The work queue keeps the counts, so they are lost when its process crashes.
 */
export function exponentialDelayMs(earlierFailures: number, baseMs: number, maxMs: number): number {
  let delay = baseMs;
  for (let doubled = 0; doubled < earlierFailures && delay < maxMs; doubled++) delay *= 2;
  return Math.min(delay, maxMs);
}

/** Tokens that refill at a rate, whole milliseconds. Models: v1.24 client-go util/workqueue BucketRateLimiter. */
export interface TokenBucket {
  /** Takes a token, of the future if there is none now; returns the wait for it in milliseconds. */
  reserve(now: number): number;
  /** When the bucket will be full again: plain data. */
  describe(): number;
}

/** A full bucket of `burst` tokens, refilled every `everyMs`. */
export function createTokenBucket(burst: number, everyMs: number): TokenBucket {
  /** `fullAt`: when the bucket is full again if no further token is taken. */
  const state = { fullAt: 0 };
  return {
    reserve(now) {
      state.fullAt = Math.max(state.fullAt, now) + everyMs;
      return Math.max(0, state.fullAt - now - burst * everyMs);
    },
    describe: () => state.fullAt,
  };
}

/** Milliseconds, fixed or drawn for each message from the seed. */
export type Delay = number | { readonly min: number; readonly max: number };
