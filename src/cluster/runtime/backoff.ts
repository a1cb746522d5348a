/** Exponential back-off per item in whole milliseconds: base, twice the base, four times …, never above a maximum. Models: v1.24 client-go util/workqueue ItemExponentialFailureRateLimiter. */

/** The wait after that many earlier failures. The work queue keeps the counts: they are a process's memory and die with it. */
export function exponentialDelayMs(earlierFailures: number, baseMs: number, maxMs: number): number {
  let delay = baseMs;
  for (let doubled = 0; doubled < earlierFailures && delay < maxMs; doubled++) delay *= 2;
  return Math.min(delay, maxMs);
}
