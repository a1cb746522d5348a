/** Starting, ending and counting a beat look at a logarithm of the beats there are: counted, not timed. */
import { describe, expect, it } from 'vitest';
import { createRenewals } from '../../src/controlplane/runtime/renewals.ts';
import type { Renewal } from '../../src/controlplane/runtime/rank-tree.ts';

const EVERY_MS = 10_000;

/** Beats looked at, on average, by one end, one new start and one question, among so many of which each begins anew once. */
function looksAmong(count: number): number {
  let looks = 0;
  let registered = 0;
  // All in one phase, which is the worst case: only their order tells them apart.
  const renewalFrom = (phase: number, now: number): Renewal => {
    const order = ++registered;
    const firstAt = now + 1 + ((phase - ((now + 1) % EVERY_MS) + EVERY_MS) % EVERY_MS);
    return {
      firstAt,
      everyMs: EVERY_MS,
      get order() {
        looks++;
        return order;
      },
    };
  };
  const renewals = createRenewals();
  const present = Array.from({ length: count }, () => {
    const renewal = renewalFrom(0, 0);
    renewals.add(renewal, 0);
    return renewal;
  });
  looks = 0;
  present.forEach((renewal, at) => {
    const now = 300_000 + at;
    const last = renewal.firstAt + Math.floor((now - renewal.firstAt) / EVERY_MS) * EVERY_MS;
    renewals.after(renewal, last, now);
    renewals.remove(renewal, now);
    renewals.add(renewalFrom(renewal.firstAt % EVERY_MS, now), now);
  });
  return looks / count;
}

describe('a beat among many', () => {
  it('is started, ended and counted by looking at a few of them', () => {
    const [few, many] = [looksAmong(100), looksAmong(10_000)];
    // Twice the digits, twice the looks; a scan would take a hundred times as many.
    expect(many).toBeLessThan(few * 3);
  });
});
