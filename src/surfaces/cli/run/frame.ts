/** What stands around the results of several runs: the opening, folder headings, coverage, pages, and the commands to try next. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Scenario } from '../../../lab/scenario/index.ts';
import {
  count,
  coverageLines,
  type coverageReport,
  type Palette,
  type RunSummary,
  shellWord,
  table,
  type Unread,
} from '../../report/index.ts';
import { fitted, type Io } from '../io.ts';
import { type InCommon, type PageOptions, writePages } from '../page/recordings.ts';
import { ON_REQUEST } from '../paths.ts';
import type { Task } from './task.ts';

export interface BatchOptions {
  readonly format: 'text' | 'json' | 'junit';
  readonly coverage: boolean;
  readonly pages?: PageOptions;
  readonly unread: readonly Unread[];
}

/** Prints what follows the results: the coverage, and the paths of pages. A task without a run was interrupted. */
export function conclude(
  tasks: readonly { readonly task: Task; readonly run: RunSummary | undefined }[],
  covered: ReturnType<typeof coverageReport> | undefined,
  { format, pages }: BatchOptions,
  io: Io,
  common?: InCommon,
): void {
  if (covered !== undefined && format === 'text') io.out(fitted(coverageLines(covered, io.palette), io));
  const finished = tasks.flatMap(({ task, run }) => (run === undefined ? [] : [{ task, run }]));
  if (pages !== undefined) writePages(finished, pages, format, io, common);
}

const folderOf = ({ file }: Task): string => dirname(file);

export const openingLines = (tasks: readonly Task[], palette: Palette): readonly string[] => [
  `${count(tasks.length, 'scenario')}, each in a cluster of its own, on a virtual clock: ${palette.dim('the same seed gives the same run, byte for byte')}`,
  ...(inFolders(tasks) ? [] : ['']),
];

const inFolders = (tasks: readonly Task[]): boolean => tasks.some((task) => folderOf(task) !== '.');

/** The heading before the first scenario of a folder. */
export function folderLines(tasks: readonly Task[], at: number, palette: Palette): readonly string[] {
  const [task, before] = [tasks[at], tasks[at - 1]];
  if (task === undefined || !inFolders(tasks) || (before !== undefined && folderOf(before) === folderOf(task))) return [];
  return ['', palette.accent(folderOf(task))];
}

export const titleLines = ({ name, title, teaches }: Scenario, palette: Palette): readonly string[] => [
  '',
  palette.strong(`${name}${title === undefined ? '' : `: ${title}`}`),
  ...(teaches === undefined ? [] : [palette.dim(teaches)]),
  '',
];

function madeBy({ steps }: Scenario): string | undefined {
  for (const { object } of steps.flatMap((step) => (step.verb === 'apply' || step.verb === 'create' ? step.objects : []))) {
    const { kind, metadata } = object;
    const name = metadata?.['name'];
    if (kind !== undefined && typeof name === 'string' && (metadata?.['namespace'] ?? 'default') === 'default') return `${kind}/${name}`;
  }
  return undefined;
}

/** The folder of scenarios that are broken on purpose, which a run of its parent skips. */
const leftOut = (paths: readonly string[], cwd: string): string | undefined =>
  paths.map((path) => join(path, ON_REQUEST)).find((path) => existsSync(resolve(cwd, path)) && statSync(resolve(cwd, path)).isDirectory());

/** Commands to try after a list in which everything held. */
export function invitation(tasks: readonly Task[], paths: readonly string[], { palette, cwd }: Io): readonly string[] {
  const [first] = tasks;
  if (first === undefined) return [];
  const file = shellWord(first.file);
  const made = madeBy(first.scenario);
  const broken = leftOut(paths, cwd);
  const row = (command: string, shows: string): readonly string[] => [`  ${palette.strong(`npx orchsim ${command}`)}`, shows];
  const rows = [
    row(`run ${file} -v`, 'what happened and why, a line each'),
    row(`walk ${file}`, 'step by step: next, back, why, and "what if it crashed here?"'),
    ...(made === undefined ? [] : [row(`why ${shellWord(made)} ${file}`, 'what led to the state of an object')]),
    ...(broken === undefined ? [] : [row(`run ${shellWord(broken)}`, 'one that is broken on purpose, with the causes of its failure')]),
    row(`run ${shellWord(folderOf(first))} --seeds 1..20`, 'the same under twenty seeds'),
  ];
  return ['', 'where to go from here:', ...table(rows, '   ')];
}
