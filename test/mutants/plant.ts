/** A copy of the sources and tests in which mutants are planted, one at a time, and the results of the tests beside each. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import type { Mutant } from './mutant.ts';
import type { Answer, Verdict } from './verdict.ts';

const root = join(import.meta.dirname, '../..');
const COPIED = ['src', 'test', 'bench', 'bin', 'scenarios', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

/** Returns the tests beside a file: those of the nearest folder with tests. */
export function testsBeside(file: string): readonly string[] {
  const [, ...rest] = file.split('/');
  for (let depth = rest.length - 1; depth > 0; depth--) {
    const folder = join('test', ...rest.slice(0, depth));
    if (existsSync(join(root, folder))) return [`${folder}/`];
  }
  throw new Error(`no tests are beside ${file}`);
}

/**
 * Returns the file with the mutant planted.
 * @throws {Error} where its text does not occur exactly once.
 */
export function planted({ name, file, from, to }: Mutant, text = readFileSync(join(root, file), 'utf8')): string {
  const at = text.indexOf(from);
  if (at < 0 || text.includes(from, at + 1))
    throw new Error(`${name}: ${file} has ${at < 0 ? 'no' : 'more than one'} "${from}"; mend the catalogue in test/mutants`);
  return text.slice(0, at) + to + text.slice(at + from.length);
}

/** Returns why a planted file does not compile; undefined: it does. */
export function uncompiled(mutant: Mutant, text = planted(mutant)): string | undefined {
  try {
    transformSync(text, { loader: 'ts', logLevel: 'silent' });
    return undefined;
  } catch (error) {
    return `it does not compile: ${String(error).split('\n').slice(1).join(' ').trim()}`;
  }
}

/** Creates the copy; call `remove` at the end. `now`: milliseconds. */
export function field(now: () => number) {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-mutants-'));
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const healthy = new Map<string, Promise<{ readonly answer: Answer; readonly timeoutMs: number }>>();
  /**
   * Runs the tests without a mutant, once: a test that fails then cannot detect one. It also measures their time, from which the timeout is
   * derived.
   */
  const health = (tests: readonly string[]) => {
    const name = tests.join(' ');
    let known = healthy.get(name);
    if (known === undefined) {
      const startedAt = now();
      known = ask(folder, tests, TIMEOUT_MS).then((answer) => ({ answer, timeoutMs: Math.max(240_000, 8 * (now() - startedAt)) }));
      healthy.set(name, known);
    }
    return known;
  };
  return {
    /** Plants a mutant, runs the tests, and restores the file. */
    async try(mutant: Mutant, tests: readonly string[]): Promise<Verdict> {
      const file = join(folder, mutant.file);
      const original = readFileSync(file, 'utf8');
      const text = planted(mutant, original);
      const why = uncompiled(mutant, text);
      if (why !== undefined) return { mutant, answer: { says: 'nothing', why }, seconds: 0 };
      const { answer: before, timeoutMs } = await health(tests);
      if (before.says !== 'passed') {
        const trouble = before.says === 'failed' ? `without it fails, too: ${before.by}` : before.why;
        return { mutant, answer: { says: 'nothing', why: trouble }, seconds: 0 };
      }
      const startedAt = now();
      writeFileSync(file, text);
      try {
        const answer = await ask(folder, tests, timeoutMs);
        return { mutant, answer, seconds: (now() - startedAt) / 1000 };
      } finally {
        writeFileSync(file, original);
      }
    },
    remove: (): void => rmSync(folder, { recursive: true }),
  };
}

/** The members of vitest's JSON report that are read. */
export interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Longer than the tests of any folder. */
const TIMEOUT_MS = 600_000;

function ask(folder: string, tests: readonly string[], timeoutMs: number): Promise<Answer> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const words = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...tests,
    '--bail=1',
    '--maxWorkers=1',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  return new Promise((done) => {
    execFile(process.execPath, words, { cwd: folder, maxBuffer: 64 * 1024 * 1024, timeout: timeoutMs }, (error, stdout, stderr) => {
      if (existsSync(report)) done(answerOf(JSON.parse(readFileSync(report, 'utf8')) as Report, folder, error !== null));
      else if (error?.killed === true) done({ says: 'failed', by: `(none: after ${(timeoutMs / 1000).toFixed(0)} s they had not ended)` });
      else done({ says: 'nothing', why: `nothing could be run: ${lastLine(stderr) ?? lastLine(stdout) ?? 'not a word was said'}` });
    });
  });
}

const lastLine = (text: string): string | undefined => text.trim().split('\n').at(-1) || undefined;

/**
 * Interprets a report: only a test that started and failed has detected the mutant, or one whose process ended in the middle, such as out
 * of memory. The report calls such a run a success; `broke` is the exit status of the program that wrote it.
 */
export function answerOf({ success, testResults }: Report, folder: string, broke: boolean): Answer {
  if (testResults.length === 0) return { says: 'nothing', why: 'there are no tests' };
  if (success && !broke) return { says: 'passed' };
  const noticed = success ? 'pending' : 'failed';
  for (const { name, assertionResults } of testResults) {
    const by = assertionResults.find(({ status }) => status === noticed);
    if (by === undefined) continue;
    return {
      says: 'failed',
      by: `${name.slice(folder.length + 1)} › ${by.fullName}${success ? ' (its process ended before it did)' : ''}`,
    };
  }
  const file = testResults.find(({ status }) => status === 'failed');
  if (file === undefined) return { says: 'nothing', why: 'the run failed, and no test did' };
  return { says: 'nothing', why: `no test of ${file.name.slice(folder.length + 1)} could begin: ${file.message.split('\n')[0] ?? ''}` };
}
