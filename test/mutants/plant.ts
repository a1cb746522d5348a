/** A copy of the sources and tests in which mutants are planted, one at a time, and what the tests beside each say. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

const root = join(import.meta.dirname, '../..');
const COPIED = ['src', 'test', 'bench', 'bin', 'scenarios', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

export interface Verdict {
  readonly mutant: Mutant;
  /** Name of the first test that failed, or what went wrong before any could; undefined: all passed. */
  readonly killedBy: string | undefined;
  readonly seconds: number;
}

/** The tests beside a file: those of the nearest folder that has some. */
export function testsBeside(file: string): readonly string[] {
  const [, ...rest] = file.split('/');
  for (let depth = rest.length - 1; depth > 0; depth--) {
    const folder = join('test', ...rest.slice(0, depth));
    if (existsSync(join(root, folder))) return [`${folder}/`];
  }
  throw new Error(`no tests are beside ${file}`);
}

/** The file with the mutant in it; throws where its text is not there exactly once. */
export function planted({ name, file, from, to }: Mutant, text = readFileSync(join(root, file), 'utf8')): string {
  const at = text.indexOf(from);
  if (at < 0 || text.includes(from, at + 1))
    throw new Error(`${name}: ${file} has ${at < 0 ? 'no' : 'more than one'} "${from}"; mend the catalogue in test/mutants`);
  return text.slice(0, at) + to + text.slice(at + from.length);
}

/** The copy; `remove` it in the end. */
export function field() {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-mutants-'));
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    /** Plants a mutant, runs the tests, and puts the file back. `now`: milliseconds. */
    async try(mutant: Mutant, tests: readonly string[], now: () => number): Promise<Verdict> {
      const file = join(folder, mutant.file);
      const original = readFileSync(file, 'utf8');
      const startedAt = now();
      writeFileSync(file, planted(mutant, original));
      try {
        const killedBy = await firstFailure(folder, tests);
        return { mutant, killedBy, seconds: (now() - startedAt) / 1000 };
      } finally {
        writeFileSync(file, original);
      }
    },
    remove: (): void => rmSync(folder, { recursive: true }),
  };
}

interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Longer than any folder's tests take; a mutant that never ends is noticed, too. */
const TIMEOUT_MS = 240_000;

function firstFailure(folder: string, tests: readonly string[]): Promise<string | undefined> {
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
    execFile(process.execPath, words, { cwd: folder, maxBuffer: 64 * 1024 * 1024, timeout: TIMEOUT_MS }, (error) => {
      if (!existsSync(report)) {
        done(error === null ? undefined : error.killed === true ? 'it never ends' : 'nothing could be run');
        return;
      }
      const { success, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
      if (success) {
        done(undefined);
        return;
      }
      const failed = testResults.find(({ status }) => status === 'failed');
      const test = failed?.assertionResults.find(({ status }) => status === 'failed')?.fullName ?? failed?.message ?? 'the run';
      done(`${(failed?.name ?? '').slice(folder.length + 1)} › ${test}`);
    });
  });
}
