/**
 * Runs the shipped scenarios in a fresh process, built from the current sources, the last one first, and each change triggers every
 * controller. Digests must depend neither on the state of a process, nor on what it has run before, nor on predicates.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { FOLDERS, root, type Digests } from './shipped.ts';

const PROGRAM = `
import { readScenarios } from './src/surfaces/cli/load.ts';
import { simulate } from './src/lab/simulation/index.ts';
const [, , cwd, ...folders] = process.argv;
const scenarios = folders.flatMap((folder) => readScenarios([folder], { cwd }).scenarios.map(({ scenario }) => scenario));
// The suggested actions of a lesson are not part of its digest.
const digests = scenarios.reverse().map((scenario) => [scenario.name, simulate(scenario, { tries: false, broadcast: true }).digest]);
console.log(JSON.stringify(digests));
`;
// A CommonJS package inside an ES module loads Node's own modules through \`require\`.
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);";

/** Returns digests by name, in order of names. */
export async function freshDigests(): Promise<Digests> {
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
    return new Map((JSON.parse(stdout) as [string, string][]).sort(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
