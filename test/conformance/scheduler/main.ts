/**
 * `npm run conformance:scheduler -- [FOLDER…] [--only TEXT] [--all]`: replays recorded decisions and queues of a scheduler, a row for each
 * file.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { compareText } from '../../../src/schema/values/index.ts';
import { readArguments } from '../../../bench/arguments.ts';
import { type DecisionCase, decisionDifferences, type QueueCase, queueDifferences, RACES } from './index.ts';

const USAGE = `usage: npm run conformance:scheduler -- [FOLDER…] [--only TEXT] [--all]
  FOLDER   recordings: a file of decisions or of queues (.jsonl, .jsonl.br), a folder of them, or one that holds scheduler/ (default: the project's own)
  --only   cases whose id contains TEXT
  --all    prints every difference`;

/** At most so many differences of a file are shown without --all. */
const SHOWN = 12;

interface Row {
  readonly file: string;
  total: number;
  deviations: number;
  failed: number;
  readonly differences: string[];
}

process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  const parsed = readArguments(args, { only: { type: 'string' }, all: { type: 'boolean' } }, USAGE);
  if (typeof parsed === 'number') return parsed;
  const {
    values: { only = '', all = false },
    positionals,
  } = parsed;
  const paths = positionals.length === 0 ? [packedRecordings()] : positionals;
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length > 0) {
    console.error(`there is no ${missing.join(', ')}\n${USAGE}`);
    return 2;
  }
  const rows = paths.flatMap(filesAt).map((file) => replayFile(file, only));
  if (rows.every(({ total }) => total === 0)) {
    console.error(`no case ${only === '' ? '' : `with an id like ${only} `}in ${paths.join(', ')}\n${USAGE}`);
    return 2;
  }
  for (const { differences, file } of rows) {
    for (const text of all ? differences : differences.slice(0, SHOWN)) console.log(text);
    if (!all && differences.length > SHOWN) console.log(`  … ${differences.length - SHOWN} more in ${file} (--all shows them)`);
  }
  console.log(table(rows));
  const sum = (count: (row: Row) => number): number => rows.reduce((total, row) => total + count(row), 0);
  const failed = sum((row) => row.failed);
  console.log(`${sum((row) => row.total) - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** The fields of a line show its format. */
function isDecision(line: object): line is DecisionCase {
  return 'outcome' in line && 'nodes' in line;
}
function isQueue(line: object): line is QueueCase {
  return 'actions' in line && 'attempts' in line;
}

function replayFile(file: string, only: string): Row {
  const row: Row = { file: basename(file).replace(/\.jsonl(?:\.br)?$/, ''), total: 0, deviations: 0, failed: 0, differences: [] };
  for (const line of linesOf(file)) {
    if (!(isDecision(line) || isQueue(line)) || !line.id.includes(only)) continue;
    row.total++;
    const found = differencesOf(line);
    if (found.length === 0) continue;
    if (RACES[line.id] !== undefined) row.deviations++;
    else {
      row.failed++;
      row.differences.push(...found.map((text) => `${row.file} ${line.id}: ${text}`));
    }
  }
  return row;
}

/** A case that cannot be replayed counts as a difference, and the others still run. */
function differencesOf(line: DecisionCase | QueueCase): readonly string[] {
  try {
    return isDecision(line) ? decisionDifferences(line) : queueDifferences(line);
  } catch (error) {
    return [`cannot be played: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function table(rows: readonly Row[]): string {
  const line = (file: string, ...cells: readonly (string | number)[]): string =>
    `${file.padEnd(20)} ${cells.map((cell) => String(cell).padStart(10)).join(' ')}`;
  return [
    line('file', 'cases', 'passed', 'deviations', 'failed'),
    ...rows.map(({ file, total, deviations, failed }) => line(file, total, total - failed, deviations, failed)),
  ].join('\n');
}

/** The recordings at a path: a file, a folder of them, or a folder with one called `scheduler`. */
function filesAt(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  const folders = ['', 'scheduler', 'v1.24/scheduler'].map((name) => join(path, name)).filter((folder) => existsSync(folder));
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.jsonl(?:\.br)?$/.test(name))
      .sort(compareText)
      .map((name) => join(folder, name)),
  );
}

function linesOf(file: string): readonly object[] {
  const bytes = readFileSync(file);
  const text = file.endsWith('.br') ? brotliDecompressSync(bytes).toString('utf8') : bytes.toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as object);
}

/** The packed recordings beside the tests; they are not in the published package. */
function packedRecordings(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const root = basename(here) === 'dist' ? dirname(here) : resolve(here, '../../..');
  return join(root, 'test/oracle/v1.24');
}
