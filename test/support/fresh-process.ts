/**
 * Runs the shipped scenarios in a fresh process, built from the current sources: digests must not depend on the state of a process. One
 * process serves all tests that compare with it.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { shared } from './shared.ts';

const root = join(import.meta.dirname, '../..');

const PROGRAM = `
import { readScenarios } from './src/surfaces/cli/load.ts';
import { simulate } from './src/lab/simulation/index.ts';
// The suggested actions of a lesson are not part of its digest.
const digests = (path) =>
  Object.fromEntries(
    readScenarios([path], { cwd: process.argv[2] }).scenarios.map(({ scenario }) => [scenario.name, simulate(scenario, { tries: false }).digest]),
  );
console.log(JSON.stringify(Object.fromEntries(process.argv.slice(3).map((path) => [path, digests(path)]))));
`;
// A CommonJS package inside an ES module loads Node's own modules through \`require\`.
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);";

export type Digests = Readonly<Record<string, string>>;

/** Folders of scenarios; those of the second break. */
const FOLDERS = ['scenarios', 'scenarios/broken'] as const;

/** Returns digests by folder and scenario name. */
export async function freshDigests(): Promise<Readonly<Record<(typeof FOLDERS)[number], Digests>>> {
  const path = await shared('fresh-digests.json', async (to) => writeFileSync(to, await digestsOfAProcess()));
  return JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<(typeof FOLDERS)[number], Digests>>;
}

async function digestsOfAProcess(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-fresh-'));
  try {
    const outfile = join(folder, 'digests.mjs');
    await build({
      absWorkingDir: root,
      stdin: { contents: PROGRAM, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      banner: { js: REQUIRE },
      logLevel: 'error',
    });
    const { stdout } = await promisify(execFile)(process.execPath, [outfile, root, ...FOLDERS], { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
