/** `npm run conformance:api -- [FOLDER] [--http] [--only TEXT] [--all]`: replays recorded API transcripts, a row for each file. */
import { brotliDecompressSync } from 'node:zlib';
import { compareText } from '../../../src/schema/values/index.ts';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../../../bench/arguments.ts';
import { parseLine } from './json.ts';
import { API_SUITES, type SuiteResult } from './suites.ts';

const USAGE = `usage: npm run conformance:api -- [FOLDER] [--http] [--only TEXT] [--all]
  FOLDER   recordings: v1.24/, v1.24/api/, or a file (default: the project's own)
  --http   over a socket instead of in this process
  --only   records whose id contains TEXT
  --all    prints every difference`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, { http: { type: 'boolean' }, only: { type: 'string' }, all: { type: 'boolean' } }, USAGE);
  if (typeof parsed === 'number') return parsed;
  const {
    values: { http = false, only = '', all = false },
    positionals,
  } = parsed;
  const files = (positionals.length === 0 ? packedRecordings() : positionals).flatMap(filesAt);
  if (files.length === 0) {
    console.error(`no recordings of the API in ${positionals.join(', ') || packedRecordings().join(', ')}\n${USAGE}`);
    return 2;
  }
  const totals: SuiteResult[] = [];
  for (const file of files) {
    const suite = API_SUITES.find(({ name }) => nameOf(file) === name);
    if (suite === undefined) continue;
    const result = await suite.run(linesOf(file), { http, only });
    if (result.total === 0) continue;
    totals.push(result);
    for (const text of all ? result.differences : result.differences.slice(0, 3)) console.log(text);
    if (!all && result.differences.length > 3)
      console.log(`  … ${result.differences.length - 3} more in ${result.name} (--all shows them)`);
  }
  if (totals.length === 0) {
    console.error(`no record ${only === '' ? '' : `with an id like ${only} `}in ${files.join(', ')}`);
    return 2;
  }
  console.log(table(totals));
  const failed = totals.reduce((sum, result) => sum + result.failed, 0);
  const passed = totals.reduce((sum, result) => sum + result.passed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function nameOf(file: string): string {
  return basename(file).replace(/\.jsonl(?:\.br)?$/, '');
}

function table(results: readonly SuiteResult[]): string {
  const rows = results.map(
    ({ name, total, passed, deviations, failed }) =>
      `${name.padEnd(12)} ${String(total).padStart(7)} ${String(passed).padStart(7)} ${String(deviations).padStart(11)} ${String(failed).padStart(7)}`,
  );
  return [
    `${'file'.padEnd(12)} ${'records'.padStart(7)} ${'passed'.padStart(7)} ${'deviations'.padStart(11)} ${'failed'.padStart(7)}`,
    ...rows,
  ].join('\n');
}

/** The recordings at a path: a file, a folder of them, or a folder with `api/` and its siblings. */
function filesAt(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const folders = [path, ...['api', 'rbac', 'kubectl', 'v1.24/api', 'v1.24/rbac', 'v1.24/kubectl'].map((name) => join(path, name))].filter(
    (folder) => existsSync(folder),
  );
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.jsonl(?:\.br)?$/.test(name))
      .sort(compareText)
      .map((name) => join(folder, name)),
  );
}

function linesOf(file: string): readonly unknown[] {
  const bytes = readFileSync(file);
  const text = file.endsWith('.br') ? brotliDecompressSync(bytes).toString('utf8') : bytes.toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseLine);
}

/** The packed recordings beside the tests; they are not in the published package. */
function packedRecordings(): readonly string[] {
  const here = dirname(fileURLToPath(import.meta.url));
  const root = basename(here) === 'dist' ? dirname(here) : resolve(here, '../../..');
  return ['v1.24', 'v1.24-workloads'].map((folder) => join(root, 'test/oracle', folder));
}
