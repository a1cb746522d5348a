/** A copy of the sources and tests in which mutants are planted, one at a time, and the results of the tests beside each. */
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { described, planted, type Mutant } from './mutant.ts';
import type { Answer, Verdict } from './verdict.ts';

const root = join(import.meta.dirname, '../..');
const COPIED = ['src', 'test', 'bench', 'bin', 'scenarios', 'package.json', 'tsconfig.json', 'vitest.config.ts', 'README.md', '.github'];
/** The build is that of the sources without mutants. */
const LINKED = ['node_modules', 'dist'];

/** Mutators after which the types are often wrong: the compiler is asked first, and otherwise only about survivors. */
const OFTEN_WRONG: ReadonlySet<string> = new Set(['ArrayDeclaration', 'ArrowFunction', 'BlockStatement', 'ObjectLiteral', 'StringLiteral']);
const WRONG: Answer = { says: 'nothing', why: 'its types are wrong' };

/** Creates the copy; call `remove` at the end. `now`: milliseconds; `compiles`: whether the types of a folder are correct. */
export function field(now: () => number, compiles = hasCorrectTypes) {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-mutants-'));
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(root, name), join(folder, name));
  /** Whether the tests of a file pass without a mutant. */
  const healthy = new Map<string, boolean>();
  const isHealthy = async (test: string): Promise<boolean> => {
    const known = healthy.get(test) ?? (await ask(folder, [test])).says === 'passed';
    healthy.set(test, known);
    return known;
  };
  /** Asks the tests, without those that fail in any case. Files must be `original` in between. */
  const asked = async (tests: readonly string[], plant: (on: boolean) => void): Promise<Answer> => {
    const usable = tests.filter((test) => healthy.get(test) !== false);
    if (usable.length === 0) return { says: 'nothing', why: `no test beside it passes without it: ${tests.join(' ')}` };
    plant(true);
    const answer = await ask(folder, usable);
    plant(false);
    const by = answer.says === 'failed' ? usable.find((test) => answer.by.startsWith(`${test} › `)) : undefined;
    return by === undefined || (await isHealthy(by)) ? answer : asked(tests, plant);
  };
  return {
    /** Plants a mutant, asks the compiler and the tests, and restores the file. A mutant of wrong types has no verdict. */
    async try(mutant: Mutant, tests: readonly string[]): Promise<Verdict> {
      const file = join(folder, mutant.file);
      const original = readFileSync(file, 'utf8');
      const startedAt = now();
      const plant = (on: boolean): void => writeFileSync(file, on ? planted(mutant, original) : original);
      const isTyped = async (): Promise<boolean> => {
        plant(true);
        return compiles(folder);
      };
      const judged = async (): Promise<Answer> => {
        const isSuspect = OFTEN_WRONG.has(mutant.mutator);
        if (isSuspect && !(await isTyped())) return WRONG;
        plant(false);
        const answer = await asked(tests, plant);
        return answer.says === 'failed' || isSuspect || (await isTyped()) ? answer : WRONG;
      };
      try {
        const answer = await judged();
        return { name: described(mutant, original), file: mutant.file, answer, seconds: (now() - startedAt) / 1000 };
      } finally {
        plant(false);
      }
    },
    remove: (): void => rmSync(folder, { recursive: true }),
  };
}

/** Asks the compiler about the sources of a folder; what has not changed since the last time is not checked again. */
export function hasCorrectTypes(folder: string): Promise<boolean> {
  const project = join(folder, 'tsconfig.mutants.json');
  const compilerOptions = { incremental: true, tsBuildInfoFile: join(folder, 'mutants.tsbuildinfo') };
  writeFileSync(project, JSON.stringify({ extends: './tsconfig.json', compilerOptions, include: ['src'] }));
  return new Promise((done) => {
    const words = [join(root, 'node_modules/typescript/bin/tsc'), '--singleThreaded', '--noEmit', '-p', project];
    execFile(process.execPath, words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error) => done(error === null));
  });
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

/** For what never ends. Busy machines take longer. */
const TIMEOUT_MS = 600_000;

function ask(folder: string, tests: readonly string[]): Promise<Answer> {
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
  return withWorkers(words, { cwd: folder, env: { ...process.env, SHORTEST_FIRST: '1' }, timeoutMs: TIMEOUT_MS }).then(
    ({ code, text, isLate }): Answer => {
      if (existsSync(report)) return answerOf(JSON.parse(readFileSync(report, 'utf8')) as Report, folder, code !== 0);
      if (isLate) return { says: 'failed', by: `(none: after ${TIMEOUT_MS / 1000} s they had not ended)` };
      return { says: 'nothing', why: `nothing could be run: ${lastLine(text) ?? 'no output'}` };
    },
  );
}

interface Ended {
  /** Null: it was killed. */
  readonly code: number | null;
  readonly text: string;
  readonly isLate: boolean;
}

/**
 * Runs Node until it ends, or for so long. Its processes are a group, which is killed as a whole: a worker in an endless loop learns of
 * nothing, and would go on for ever.
 */
export function withWorkers(
  words: readonly string[],
  { timeoutMs, ...options }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number },
): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(process.execPath, words, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let [text, isLate] = ['', false];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += String(data)));
    const kill = (): void => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    const interrupted = (): void => {
      kill();
      process.exit(130);
    };
    process.once('SIGINT', interrupted);
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    child.once('close', (code) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupted);
      done({ code, text, isLate });
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
  // Such as a registry that throws while it is made.
  return { says: 'failed', by: `${file.name.slice(folder.length + 1)} › (cannot be loaded: ${file.message.split('\n')[0] ?? ''})` };
}
