/** Mutants are drawn by a seed, planted in a copy, and judged by the tests beside them: `npm run mutants` draws others each time. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testsBeside } from './mutants/beside.ts';
import { drawn, mutantsOf } from './mutants/draw.ts';
import { described, planted } from './mutants/mutant.ts';
import { answerOf, field, hasCorrectTypes, withWorkers } from './mutants/plant.ts';
import { exitCodeOf, reported, summary, type Answer, type Verdict } from './mutants/verdict.ts';

const now = (): number => Number(process.hrtime.bigint() / 1_000_000n);

describe('mutants', () => {
  it('are the same for the same seed, and others for another', async () => {
    const first = await drawn({ seed: 1, count: 6, under: 'src/' });
    expect(first.length).toBe(6);
    expect(new Set(first.map(({ file }) => file)).size).toBeGreaterThan(3);
    expect(await drawn({ seed: 1, count: 6, under: 'src/' })).toEqual(first);
    expect(await drawn({ seed: 2, count: 6, under: 'src/' })).not.toEqual(first);
    const beside = testsBeside();
    for (const { file } of first) expect(beside(file), file).not.toEqual([]);
  });

  it('change what a program does, and no text for people', async () => {
    const text = "export const least = (a: number) => (a < 3 ? 'Ready' : 'not ready yet');\n";
    const found = await mutantsOf('src/least.ts', text);
    expect(found.map((mutant) => described(mutant, text))).toContain('src/least.ts:1 EqualityOperator: a < 3 → a <= 3');
    expect(found.map((mutant) => planted(mutant, text))).toContain(text.replace("'Ready'", '""'));
    expect(found.map((mutant) => planted(mutant, text))).not.toContain(text.replace("'not ready yet'", '""'));
  });

  it('are killed by the tests of their file; survivors have correct types', async () => {
    // A file whose test loads few others: it is run four times, each in a process of its own.
    const file = 'src/engine/list-span.ts';
    const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
    const same = (await mutantsOf(file)).find(
      ({ mutator, from, to }) => mutator === 'EqualityOperator' && source.slice(from, to) === 'list[from] === before[from]',
    );
    if (same === undefined) throw new Error('the mutant is gone');
    const tests = ['test/engine/list-span.test.ts'];
    const copy = field(now, async (folder) => !readFileSync(join(folder, file), 'utf8').includes('wrong'));
    try {
      expect((await copy.try(same, tests)).answer).toEqual({ says: 'failed', by: expect.stringContaining('list-span.test.ts › ') });
      expect((await copy.try({ ...same, replacement: `(${source.slice(same.from, same.to)})` }, tests)).answer).toEqual({ says: 'passed' });
      const wrong = await copy.try({ ...same, from: 0, to: 0, replacement: "export const wrong: number = '';" }, tests);
      expect(wrong.answer).toEqual({ says: 'nothing', why: 'its types are wrong' });
    } finally {
      copy.remove();
    }
  }, 240_000);

  it('with an endless loop leave no process behind', async () => {
    const worker =
      "const { pid } = require('child_process').spawn(process.execPath, ['-e', 'for (;;);']); console.log(pid); setInterval(String, 99)";
    const { code, text, isLate } = await withWorkers(['-e', worker], { cwd: tmpdir(), env: process.env, timeoutMs: 3_000 });
    expect([code, isLate]).toEqual([null, true]);
    const pid = Number(text);
    expect(pid).toBeGreaterThan(1);
    // A killed process may wait a moment for the one that collects it.
    await expect
      .poll(() => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')), { timeout: 10_000 })
      .toBe(false);
  });

  it('are checked by the compiler', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orchsim-types-'));
    mkdirSync(join(folder, 'src'));
    const judged = (text: string): Promise<boolean> => {
      writeFileSync(join(folder, 'src/a.ts'), text);
      return hasCorrectTypes(folder);
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, types: [] } }));
    expect([await judged('export const a: number = 1;'), await judged("export const a: number = '';")]).toEqual([true, false]);
    rmSync(folder, { recursive: true });
  });

  it('count as killed if a test fails or cannot be loaded', () => {
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
      says: 'failed',
      by: 'test/a.test.ts › (cannot be loaded: x is not defined)',
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

  it('are reported by layer, and nine of ten must be killed', () => {
    const verdict = (file: string, answer: Answer): Verdict => ({ name: `${file}:1 changed`, file, answer, seconds: 1 });
    const killed = verdict('src/lab/a.ts', { says: 'failed', by: 'a test' });
    const survived = verdict('src/lab/b.ts', { says: 'passed' });
    const none = verdict('src/engine/c.ts', { says: 'nothing', why: 'its types are wrong' });
    expect(summary([killed, survived, none]).map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      'engine 0 of 0 killed; 1 without a verdict',
      'lab 1 of 2 killed (50 %)',
      'all 1 of 2 killed (50 %); 1 without a verdict',
    ]);
    expect(reported(killed)).toContain('src/lab/a.ts:1 changed  1 s  a test');
    const nine = Array.from({ length: 9 }, () => killed);
    expect([[...nine, survived], [killed, survived], [none]].map((each) => exitCodeOf(each, 90))).toEqual([0, 1, 2]);
  });
});
