/**
 * Exponential back-off per item in whole milliseconds: base, twice the base, four times …, never above a maximum. Models: v1.24 client-go
 * util/workqueue ItemExponentialFailureRateLimiter.
 */

/** The longest that a key of any queue waits: upstream's MaxDelay of its rate limiters. Milliseconds. */
export const LONGEST_BACKOFF_MS = 1_000_000;

/** The wait after that many earlier failures. The work queue keeps the counts: they are a process's memory and die with it. */
export function exponentialDelayMs(earlierFailures: number, baseMs: number, maxMs: number): number {
  let delay = baseMs;
  for (let doubled = 0; doubled < earlierFailures && delay < maxMs; doubled++) delay *= 2;
  return Math.min(delay, maxMs);
}

/** Tokens that refill at a rate, whole milliseconds. Models: v1.24 client-go util/workqueue BucketRateLimiter. */
export interface TokenBucket {
  /** Takes a token, from the future if need be; answers how long to wait for it. */
  reserve(now: number): number;
  /** When it would be full again: plain data. */
  describe(): number;
}

/** A full bucket of `burst` tokens, refilled every `everyMs`. */
export function createTokenBucket(burst: number, everyMs: number): TokenBucket {
  /** When the bucket would be full again if nobody took any more. */
  let fullAt = 0;
  return {
    reserve(now) {
      fullAt = Math.max(fullAt, now) + everyMs;
      return Math.max(0, fullAt - now - burst * everyMs);
    },
    describe: () => fullAt,
  };
}
