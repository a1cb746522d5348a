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
