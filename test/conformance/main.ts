/** `npm run conformance -- [FOLDER…] [--gates] [--only NAME] [--all]`: replays recorded cases and compares. */
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../../bench/arguments.ts';
import { readCases, type RecordedCase } from './recording.ts';
import { runCase } from './run-case.ts';
import { formatResult, replay, tally, type CaseResult } from './suite.ts';

const USAGE = `usage: npm run conformance -- [FOLDER…] [--gates] [--only NAME] [--all]
  FOLDER   a case, a folder of cases, or a folder that holds traces/ (default: the project's own recordings)
  --gates  the recordings were made with the gates on (implied by a path that says v1.24-gates)
  --only   cases whose names contain NAME
  --all    prints every difference`;

interface Source {
  readonly path: string;
  readonly folder: string;
  readonly gates: boolean;
}

process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  const parsed = readArguments(args, { gates: { type: 'boolean' }, only: { type: 'string' }, all: { type: 'boolean' } }, USAGE);
  if (typeof parsed === 'number') return parsed;
  const {
    values: { gates = false, only = '', all = false },
    positionals,
  } = parsed;
  const sources = positionals.length === 0 ? packedRecordings() : positionals.map((path) => sourceAt(path, gates));
  const results: CaseResult[] = [];
  for (const { path, folder, gates: on } of sources) {
    if (!existsSync(path)) {
      console.error(`there is no ${path}\n${USAGE}`);
      return 2;
    }
    for (const recorded of selected(readCases(path), only)) {
      const result = replay(recorded, runCase, { folder, gates: on });
      results.push(result);
      console.log(formatResult(folder, result, all ? Infinity : undefined));
    }
  }
  if (results.length === 0) {
    console.error(`no case ${only === '' ? '' : `named like ${only} `}in ${sources.map(({ path }) => path).join(', ')}`);
    return 2;
  }
  const { passed, failed } = tally(results);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function selected(cases: readonly RecordedCase[], only: string): readonly RecordedCase[] {
  return cases.filter(({ name }) => name.includes(only));
}

function sourceAt(path: string, gates: boolean): Source {
  const on = gates || resolve(path).includes('v1.24-gates');
  const folder = on ? 'v1.24-gates' : resolve(path).includes('v1.24-workloads') ? 'v1.24-workloads' : 'v1.24';
  return { path, folder, gates: on };
}

/** The packed recordings beside the tests; they are not in the published package. */
function packedRecordings(): Source[] {
  const here = dirname(fileURLToPath(import.meta.url));
  const root = basename(here) === 'dist' ? dirname(here) : resolve(here, '../..');
  return ['v1.24', 'v1.24-gates', 'v1.24-workloads'].map((folder) => ({
    path: resolve(root, 'test/oracle', folder, 'traces.jsonl.br'),
    folder,
    gates: folder.endsWith('-gates'),
  }));
}
