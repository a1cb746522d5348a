/** Starting, ending and counting elided renewals takes time logarithmic in their number: it is counted, not timed. */
import { describe, expect, it } from 'vitest';
import { Renewals, type Renewal } from '../../src/controlplane/runtime/renewals.ts';

const EVERY_MS = 10_000;

/** The average number of visited renewals for one end, one start and one query, among so many, each of which is restarted once. */
function looksAmong(count: number): number {
  let looks = 0;
  let registered = 0;
  // All with one phase, which is the worst case: only their order differs.
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
  const renewals = new Renewals();
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

describe('an elided renewal among many', () => {
  it('is started, ended and counted by visiting a few of them', () => {
    const [few, many] = [looksAmong(100), looksAmong(10_000)];
    // Twice the digits, twice the visits; a scan would visit a hundred times as many.
    expect(many).toBeLessThan(few * 3);
  });
});
