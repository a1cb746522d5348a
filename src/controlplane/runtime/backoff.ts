/**
 * Exponential back-off per item in whole milliseconds: base, twice the base, four times …, never above a maximum. Models: v1.24 client-go
 * util/workqueue ItemExponentialFailureRateLimiter.
 */

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
  /** When the bucket is full again if no further token is taken. */
  let fullAt = 0;
  return {
    reserve(now) {
      fullAt = Math.max(fullAt, now) + everyMs;
      return Math.max(0, fullAt - now - burst * everyMs);
    },
    describe: () => fullAt,
  };
}
