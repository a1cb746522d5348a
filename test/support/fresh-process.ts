/**
 * Runs scenarios in a process of their own, made from the sources as they are now: what a digest must not depend on is everything a process
 * brings along.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const PROGRAM = `
import { readScenarios } from './src/surfaces/cli/load.ts';
import { simulate } from './src/lab/simulation/index.ts';
const { scenarios } = readScenarios([process.argv[2]], { cwd: process.argv[3] });
console.log(JSON.stringify(Object.fromEntries(scenarios.map(({ scenario }) => [scenario.name, simulate(scenario).digest]))));
`;
// A CommonJS package inside an ES module still asks for node's own modules through \`require\`.
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);";

/** Digests by the scenario's name. */
export async function freshDigests(root: string, path: string): Promise<Readonly<Record<string, string>>> {
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
    const { stdout } = await promisify(execFile)(process.execPath, [outfile, path, root], { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout) as Readonly<Record<string, string>>;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
