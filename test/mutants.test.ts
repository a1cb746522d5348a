/** The catalogue of mutants matches the sources: `npm run mutants` plants them and runs the tests of each. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './mutants/catalogue/index.ts';
import { answerOf, field, planted, testsBeside, uncompiled } from './mutants/plant.ts';
import { exitCodeOf, outcomeOf, summary, type Answer, type Verdict } from './mutants/verdict.ts';

const now = (): number => Number(process.hrtime.bigint() / 1_000_000n);

describe('mutants', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('can be planted: %s', (_name, mutant) => {
    expect(planted(mutant)).not.toBe('');
    expect(uncompiled(mutant)).toBeUndefined();
    for (const tests of mutant.tests ?? testsBeside(mutant.file)) expect(existsSync(new URL(`../${tests}`, import.meta.url))).toBe(true);
  });

  it('have unique names', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });

  it('are killed by the tests of their file, and only by these', async () => {
    const copy = field(now);
    const [first] = MUTANTS.filter(({ name }) => name === 'runtime/backoff-has-a-limit');
    const tests = ['test/controlplane/runtime/backoff.test.ts'];
    if (first === undefined) throw new Error('the mutant is gone');
    try {
      expect(outcomeOf(await copy.try(first, tests))).toEqual(['killed', expect.stringContaining('backoff.test.ts › ')]);
      expect(outcomeOf(await copy.try({ ...first, to: first.from }, tests))[0]).toBe('survived');
      expect(outcomeOf(await copy.try({ ...first, to: 'return (' }, tests))).toEqual([
        'error',
        expect.stringContaining('does not compile'),
      ]);
    } finally {
      copy.remove();
    }
  });

  it('count as killed only if a test started and failed', () => {
    const passed = { status: 'passed', fullName: 'a holds' };
    const failed = { status: 'failed', fullName: 'b holds' };
    const file = { name: '/copy/test/a.test.ts', message: '', status: 'failed', assertionResults: [passed] };
    const report = (...testResults: (typeof file)[]) => {
      const success = testResults.every(({ status }) => status === 'passed');
      return answerOf({ success, testResults }, '/copy', !success);
    };
    expect(report({ ...file, status: 'passed' })).toEqual({ says: 'passed' });
    expect(report({ ...file, assertionResults: [passed, failed] })).toEqual({ says: 'failed', by: 'test/a.test.ts › b holds' });
    expect(report({ ...file, assertionResults: [], message: 'x is not defined\n  at a' })).toEqual({
      says: 'nothing',
      why: 'no test of test/a.test.ts could begin: x is not defined',
    });
    expect(report()).toEqual({ says: 'nothing', why: 'there are no tests' });
  });

  it('count as killed if they end the process of a test, which no report calls a failure', () => {
    const ended = {
      name: '/copy/test/a.test.ts',
      message: '',
      status: 'passed',
      assertionResults: ['passed', 'pending', 'pending'].map((status, nth) => ({ status, fullName: `the ${nth}th holds` })),
    };
    expect(answerOf({ success: true, testResults: [ended] }, '/copy', true)).toEqual({
      says: 'failed',
      by: 'test/a.test.ts › the 1th holds (its process ended before it did)',
    });
    const whole = { ...ended, assertionResults: ended.assertionResults.slice(0, 1) };
    expect(answerOf({ success: true, testResults: [whole] }, '/copy', true)).toEqual({
      says: 'nothing',
      why: 'the run failed, and no test did',
    });
  });

  it('are reported by module, and an error of the catalogue is worse than a survivor', () => {
    const verdict = (name: string, answer: Answer, equivalent?: string): Verdict => ({
      mutant: { name, file: 'src/a.ts', from: 'a', to: 'b', ...(equivalent === undefined ? {} : { equivalent }) },
      answer,
      seconds: 1,
    });
    const killed = verdict('one/a', { says: 'failed', by: 'a test' });
    const survived = verdict('one/b', { says: 'passed' });
    const same = verdict('two/a', { says: 'passed' }, 'nobody sees it');
    const untold = verdict('two/b', { says: 'nothing', why: 'it does not compile' });
    const seen = verdict('two/c', { says: 'failed', by: 'a test' }, 'nobody sees it');
    expect(summary([killed, survived, same, untold]).map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      'one 1 of 2 killed (50 %)',
      'two 0 of 0 killed; 1 do what the original does; 1 could not be judged',
      'all 1 of 2 killed (50 %); 1 do what the original does; 1 could not be judged',
    ]);
    expect(outcomeOf(seen)).toEqual(['error', 'it is called equivalent, and noticed by a test']);
    expect([[killed, same], [killed, survived], [survived, untold], [seen]].map(exitCodeOf)).toEqual([0, 1, 2, 2]);
  });
});
