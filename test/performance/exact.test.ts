/** What a pod of a Job takes, as exact counts: no more than it does today. A change that lowers one lowers its bound here. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytesPerPod, eventsPerPod, lookupsPerPod } from '../../bench/exact.ts';

/** Pods of the smaller of the two loads that are compared. */
const PODS = 200;
const DIST = new URL('../../dist/', import.meta.url);

describe('a pod of a Job', () => {
  it('takes no more kernel events than it did', () => {
    expect(eventsPerPod(PODS)).toBeLessThanOrEqual(16.2);
  });

  it('takes no more look-ups in maps than it did', () => {
    expect(lookupsPerPod(PODS)).toBeLessThanOrEqual(183.9);
  });

  // They repeat to a few bytes in a process of its own, which runs what was built; another folder moves them by up to a kilobyte.
  it.skipIf(!existsSync(new URL('bench-bytes.js', DIST)))('takes no more bytes than it did', { timeout: 120_000 }, () => {
    // 0.9 KB of it ask of every write whether gates that are off take something from the pod.
    expect(bytesPerPod(DIST, PODS)).toBeLessThanOrEqual(47_300);
  });
});
