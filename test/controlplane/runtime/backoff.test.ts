import { describe, expect, it } from 'vitest';
import { getBackoff, JOB_BACKOFF } from '../../../src/controlplane/controllers/job/observe.ts';
import { createTokenBucket, exponentialDelayMs } from '../../../src/controlplane/runtime/index.ts';
import { oracleLines } from '../../support/oracle.ts';

interface Line {
  readonly id: string;
  readonly fn: string;
  readonly requeues: number;
  readonly previousFailures: number;
  readonly seconds: number;
}

const delays: Readonly<Record<string, (line: Line) => number>> = {
  getBackoff: ({ requeues }) => getBackoff(requeues),
  'ItemExponentialFailureRateLimiter(10s,360s).When': ({ previousFailures }) =>
    exponentialDelayMs(previousFailures, JOB_BACKOFF.baseMs, JOB_BACKOFF.maxMs),
  'ItemExponentialFailureRateLimiter(5ms,1000s).When': ({ previousFailures }) => exponentialDelayMs(previousFailures, 5, 1_000_000),
};

describe('back-off', () => {
  it('waits as recorded', () => {
    for (const line of oracleLines('v1.24/api/jobbackoff.jsonl') as unknown as readonly Line[])
      expect([line.id, (delays[line.fn]?.(line) ?? NaN) / 1000]).toEqual([line.id, line.seconds]);
  });

  it('stays at the maximum however often an item failed', () => {
    expect(exponentialDelayMs(1_000_000, 5, 1_000_000)).toBe(1_000_000);
  });
});

describe('token bucket', () => {
  it('gives a burst at once, then one token per period', () => {
    const bucket = createTokenBucket(3, 100);
    expect([0, 0, 0, 0, 0].map((now) => bucket.reserve(now))).toEqual([0, 0, 0, 100, 200]);
    expect(bucket.reserve(10_000)).toBe(0);
  });
});

describe('a bucket of tokens', () => {
  it('never exceeds its capacity', () => {
    const bucket = createTokenBucket(2, 100);
    expect([bucket.reserve(10_000), bucket.reserve(10_000), bucket.reserve(10_000), bucket.reserve(10_000)]).toEqual([0, 0, 100, 200]);
  });
});
