/** Runs command lines in this process and collects their output. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Io } from '../../../src/surfaces/cli/io.ts';
import { main } from '../../../src/surfaces/cli/program.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';

export const ROOT = join(import.meta.dirname, '../../..');

/** The program as users start it: a short command starts in half the time of `dist/orchsim.js`, from cached code. */
export const program = join(ROOT, 'bin/orchsim.js');
export const isBuilt = existsSync(join(ROOT, 'dist/orchsim.js'));

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command line; `args` are its words. */
export async function cli(args: readonly string[], options: Partial<Io> = {}): Promise<Said> {
  let out = '';
  let err = '';
  const code = await main(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminal: false,
    columns: 200,
    palette: PLAIN,
    cwd: ROOT,
    input: () => Readable.from([]),
    ...options,
  });
  return { code, out, err };
}

/** Output that is discarded, in a folder. */
export const silentIo = (cwd: string): Io => ({
  out: () => undefined,
  err: () => undefined,
  terminal: false,
  columns: 200,
  palette: PLAIN,
  cwd,
  input: () => Readable.from([]),
});

/** Creates a folder with files and subfolders; it is removed after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const job = (name: string, completions: number): string =>
  `    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: ${name} }, spec: { completions: ${completions}, parallelism: 2, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }\n`;
const head = (name: string): string =>
  `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: ${name} }\nspec:\n  title: A Job called ${name}\n  cluster: { podBehaviors: [{ runFor: 1s }] }\n`;
const expecting = (name: string, succeeded: number): string =>
  `      expect: { match: { kind: Job, metadata: { name: ${name} }, status: { succeeded: ${succeeded} } } }\n`;

/** A scenario that holds: a Job of three pods, with two narration steps. */
export const HOLDS = `${head('holds')}  steps:\n${job('pi', 3)}    - { note: "It begins." }\n    - when: settled\n      note: |\n        It is done.\n        All three.\n${expecting('pi', 3)}`;
/** A scenario with a wrong expectation. */
export const BREAKS = `${head('breaks')}  steps:\n${job('pi', 1)}    - when: settled\n${expecting('pi', 2)}`;
/** A scenario that breaks with the seeds 19, 21, 25 and 28. */
export const RACE = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: race }
spec:
  cluster: { podBehaviors: [{ runFor: 60s }], latency: { api: { min: 0ms, max: 40ms }, watch: { min: 0ms, max: 10ms } } }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: trio }, spec: { completions: 3, parallelism: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - at: 70ms
      fault: { crash: controller-manager, restartAfter: 10s }
    - at: 5s
      expect: { count: { of: { kind: Pod }, is: 3 } }
`;
