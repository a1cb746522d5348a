/** When a recorded write is overdue. */
import { expect, it } from 'vitest';
import { createComparison } from '../../../src/lab/invariants/index.ts';

it('is overdue once so much time has passed since it, and is reported once', () => {
  const comparison = createComparison({ withinMs: 5_000, writes: [{ atMs: 30_000, of: 'Job default/pi', did: 'created' }] });
  expect(comparison.nextDue()).toBe(35_000);
  expect(comparison.overdue(34_999)).toEqual([]);
  expect(comparison.overdue(35_000)).toMatchObject([{ atMs: 30_000, lacks: 'run' }]);
  expect(comparison.overdue(35_000)).toEqual([]);
  expect(comparison.nextDue()).toBe(undefined);
});

it('is reported with what the run did to the same object, if that was near', () => {
  const lastDone = (atMs: number): unknown => {
    const writes = [{ atMs: 30_000, of: 'Job default/pi', did: 'deleted' }];
    const comparison = createComparison({ withinMs: 5_000, untilMs: 60_000, writes });
    const metadata = { name: 'pi', namespace: 'default', uid: 'u' };
    const change = { revision: 1, type: 'ADDED', kind: 'Job', key: 'default/pi', object: { kind: 'Job', metadata }, entry: 0 } as never;
    comparison.saw(change, atMs, 'cron-job', 'controller-manager');
    return comparison.overdue(35_000)[0]?.run?.did;
  };
  expect([24_999, 25_000, 35_000, 35_001].map(lastDone)).toEqual([undefined, 'created', 'created', undefined]);
});
