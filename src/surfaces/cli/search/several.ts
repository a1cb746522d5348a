/** Searches of several scenarios: those that a change concerns, from git, one after the other; their results as one text, list or JUnit document. */
import { junitDocument, type JunitSuite, PLAIN, shellWord } from '../../report/index.ts';
import { EXIT, BadInput } from '../exit.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import { type LoadedScenario, readScenarios } from '../load.ts';
import { also } from './files.ts';
import type { SearchOptions } from './options.ts';
import { type Story, storyDocument, storyLines } from './report-lines.ts';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { realPath } from '../paths.ts';

/** The result of a search: its story, or why the scenario cannot be searched. */
export type SearchResult =
  | { readonly loaded: LoadedScenario; readonly code: number; readonly tookMs: number; readonly story: Story }
  | { readonly loaded: LoadedScenario; readonly code: number; readonly unfit: string; readonly messages: readonly string[] };

/** The suite of a search: a case that fails once for each finding. */
function suiteOf(result: SearchResult): JunitSuite {
  const { scenario, file, flags } = result.loaded;
  if ('unfit' in result) {
    const error = { message: result.unfit, text: [result.unfit, ...result.messages].join('\n') };
    return { name: file, cases: [{ name: scenario.name, tookMs: 0, failures: [], error }] };
  }
  const { story, tookMs } = result;
  const failures = story.findings.map(({ claim, words, file: written }) => ({
    type: 'finding',
    message: claim,
    text: [...words, ...(written === undefined ? [] : [`see it again: npx orchsim run ${shellWord(written)}${also(flags)}`])].join('\n'),
  }));
  return { name: file, cases: [{ name: `search ${scenario.name}`, tookMs, failures, says: storyLines(story, PLAIN).join('\n') }] };
}

const documentOf = (result: SearchResult): unknown =>
  'story' in result
    ? storyDocument(result.story, result.code)
    : { exitCode: result.code, scenario: result.loaded.scenario.name, runs: 0, unfit: result.unfit, messages: result.messages };

/** The result of one search in a format. */
export function printSearch(result: SearchResult, format: SearchOptions['format'], io: Io): void {
  if (format === 'junit') io.out(junitDocument([suiteOf(result)]));
  else if ('story' in result) io.out(format === 'json' ? jsonText(documentOf(result)) : fitted(storyLines(result.story, io.palette), io));
}

/** Searches all; the exit code is the worst. */
export async function searchEach(
  all: readonly LoadedScenario[],
  format: SearchOptions['format'],
  io: Io,
  one: (loaded: LoadedScenario, present: (result: SearchResult) => void) => Promise<number>,
): Promise<number> {
  const results: SearchResult[] = [];
  let code: number = EXIT.held;
  for (const loaded of all) {
    const next = await one(loaded, (result) => {
      results.push(result);
      if (format === 'text') printSearch(result, format, io);
    });
    code = next === EXIT.held ? code : next;
    if (next === EXIT.interrupted) break;
  }
  if (format === 'junit') io.out(junitDocument(results.map(suiteOf)));
  if (format === 'json') io.out(jsonText(results.map(documentOf)));
  return code;
}

const MOST_BYTES = 64 * 1024 * 1024;

function git(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: MOST_BYTES });
  if (error !== undefined) throw new BadInput(`--since: git cannot be run: ${error.message}`);
  if (status !== 0) throw new BadInput(`--since: git ${args[0] ?? ''}: ${stderr.trim().split('\n')[0] ?? 'it failed'}`);
  return stdout;
}

/** Returns the full paths of files that differ from where a branch left a commit, in commits or not yet. */
function changedSince(ref: string, cwd: string): ReadonlySet<string> {
  if (ref === '' || ref.startsWith('-')) throw new BadInput(`--since: expected a commit, a branch or a tag, found ${JSON.stringify(ref)}`);
  const root = git(cwd, 'rev-parse', '--show-toplevel').trim();
  const commit = git(cwd, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).trim();
  const base = git(cwd, 'merge-base', commit, 'HEAD').trim();
  const names = [
    git(root, 'diff', '--name-only', '-z', '--no-ext-diff', base, '--'),
    git(root, 'ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return new Set(names.flatMap((text) => text.split('\0').filter((name) => name !== '')).map((name) => resolve(root, name)));
}

/**
 * Returns the scenarios under a path whose file has changed, or one of the files of their definitions. A change of a file that scenarios
 * refer to concerns all of them. A scenario with choices is the finding of a search, and is left out.
 */
export function concernedSince(ref: string, path: string, io: Io) {
  const changed = changedSince(ref, io.cwd);
  const { scenarios, files, problems, skipped } = readScenarios([path], io);
  if (problems.length > 0 || skipped.length > 0) throw new BadInput([...problems, ...skipped]);
  // Git reports paths without symbolic links.
  const isChanged = (file: string): boolean => changed.has(resolve(io.cwd, file)) || changed.has(realPath(resolve(io.cwd, file)));
  const own = new Set(scenarios.map(({ file }) => resolve(io.cwd, file)));
  const shared = files.filter((file) => !own.has(resolve(io.cwd, file)));
  const fit = scenarios.filter(({ scenario: { choices = [] } }) => choices.length === 0);
  return { all: fit.length, concerned: shared.some(isChanged) ? fit : fit.filter(({ file }) => isChanged(file)) };
}
