/** The catalogue of mutants fits the sources: `npm run mutants` plants them and runs the tests beside each. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './mutants/catalogue/index.ts';
import { field, planted, testsBeside } from './mutants/plant.ts';

describe('mutants', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('can be planted: %s', (_name, mutant) => {
    expect(planted(mutant)).not.toBe('');
    for (const tests of mutant.tests ?? testsBeside(mutant.file)) expect(existsSync(new URL(`../${tests}`, import.meta.url))).toBe(true);
  });

  it('have names of their own', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });

  it('are noticed where tests are beside them, and only then', async () => {
    const copy = field();
    const now = (): number => Number(process.hrtime.bigint() / 1_000_000n);
    const [first] = MUTANTS.filter(({ name }) => name === 'runtime/backoff-has-a-limit');
    const tests = ['test/controlplane/runtime/backoff.test.ts'];
    if (first === undefined) throw new Error('the mutant is gone');
    try {
      expect((await copy.try(first, tests, now)).killedBy).toContain('backoff.test.ts');
      expect((await copy.try({ ...first, to: first.from }, tests, now)).killedBy).toBeUndefined();
    } finally {
      copy.remove();
    }
  });
});
