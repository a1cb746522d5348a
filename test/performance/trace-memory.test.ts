/** A kept trace costs at most 1 KB an entry (as heap measurements go: half of it is measured, so chance does not reach the bound). */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const program = join(import.meta.dirname, 'trace-bytes.ts');

// In a process of its own: here every collection would go through what the tests before have left in the heap.
it('a kept trace holds at most 1 KB an entry', () => {
  const words = ['--import', './test/support/typescript.mjs', program];
  const bytes = Number(execFileSync(process.execPath, words, { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8' }));
  expect(bytes).toBeGreaterThan(50);
  expect(bytes).toBeLessThan(1_024);
});
