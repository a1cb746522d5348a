/** A kept trace costs at most 1 KB an entry (as heap measurements go: half of it is measured, so chance does not reach the bound). */
import { expect, it } from 'vitest';
import { traceBytes } from '../../bench/history.ts';

it('a kept trace holds at most 1 KB an entry', () => {
  traceBytes(100);
  const bytes = traceBytes(1_000);
  expect(bytes).toBeGreaterThan(50);
  expect(bytes).toBeLessThan(1_024);
});
