/** A run as text for a terminal: a line with counts, each failure with place and causes, and the command that replays it. */
import type { Run, RunFailure, FirstWrite } from '../../lab/simulation/index.ts';
import { formatSince, shortKey } from '../../lab/trace/index.ts';
import { explain, type Explanation, replayCommand, walkCommand, whyCommand } from './explain.ts';
import type { Unread } from './json.ts';
import { summarize, type RunSummary } from './summary.ts';
import { paintParts, type Palette, PLAIN, printable } from './terminal.ts';
import { count, firstLines, pad, table, firstWords } from './table.ts';

const NAME = 34;
const TIME = 13;

const marks = { held: '✓', broken: '✗', unsettled: '…' } as const;
const mark = ({ verdict }: RunSummary, palette: Palette): string => (verdict === 'held' ? palette.good : palette.bad)(marks[verdict]);

function invariantText({ invariants }: RunSummary): string {
  if (invariants.length === 0) return 'no invariants';
  const held = invariants.filter((each) => each.held);
  const seen = held.reduce((sum, { exercised }) => sum + exercised, 0);
  return `${count(held.filter(({ exercised }) => exercised > 0).length, 'invariant')} held, exercised ${count(seen, 'time')}`;
}

/** The line of a scenario: verdict, virtual duration, title. `width`: of the name column. */
export const runLine = (run: RunSummary, palette: Palette, width = NAME): string =>
  `${mark(run, palette)} ${pad(palette.strong(run.scenario), Math.max(width, NAME))} ${palette.dim(formatSince(run.lengthMs).padStart(TIME))}  ${run.title ?? ''}`.trimEnd();

export function factsLine(run: RunSummary, palette: Palette): string {
  const facts = [
    count(run.counters.commits, 'write'),
    count(run.counters.reconciles, 'decision'),
    invariantText(run),
    `seed ${run.seed}`,
    `digest ${run.digest}`,
  ];
  return `  ${palette.dim(facts.join(' · '))}`;
}

/** Parts of its files that have no effect. */
export const lintWarningLines = ({ lintWarnings = [] }: RunSummary, palette: Palette): readonly string[] =>
  lintWarnings.map(
    ({ file, line, col, text }) => `  ${palette.warn('note')} ${file === undefined ? '' : `${file}:${line ?? 1}:${col ?? 1}: `}${text}`,
  );

/** The livelock of a run, and the command that shows it. */
export const livenessLines = ({ liveness, file, seed, flags }: RunSummary, palette: Palette): readonly string[] =>
  liveness === undefined
    ? []
    : [
        `  ${palette.warn('note')} ${liveness.message}`,
        ...liveness.detail.map((line) => `    ${line}`),
        `    see it: ${palette.strong(walkCommand(file, seed, liveness, flags))}`,
      ];

const HEADS: Readonly<Record<RunFailure['kind'], (failure: RunFailure) => string>> = {
  invariant: ({ invariant = '' }) => `invariant ${invariant} is broken`,
  controller: ({ controller = '' }) => `controller ${controller} failed`,
  expectation: () => 'expectation failed',
  step: () => 'a step failed',
  limit: () => 'the run did not come to an end',
};

/** A failure in full: message, place, blockers, causes. */
export function failureLines(run: RunSummary, failure: RunFailure, explanation: Explanation | undefined, palette: Palette) {
  const place = failure.source === undefined ? run.file : `${failure.source.file}:${failure.source.line}:${failure.source.col}`;
  const lines = [
    '',
    `  ${palette.bad(`${HEADS[failure.kind](failure)}: ${failure.message}`)}`,
    ...failure.detail.map((line) => `  ${line}`),
    `    ${palette.dim(`at ${formatSince(failure.sinceStartMs)}, step #${failure.traceStep}, ${place}`)}`,
  ];
  const waits = explanation?.waits ?? failure.waits ?? [];
  if (waits.length > 0) lines.push('', '  what it waits for:', ...waits.map((line) => `    ${line}`));
  if (explanation !== undefined && explanation.chain.length > 0) {
    lines.push('', '  causes, the latest first:', ...explanation.chain.map((parts) => `  ${paintParts(parts, palette)}`));
    const { cacheView } = explanation;
    if (cacheView !== undefined) {
      lines.push(`    ${palette.bad(`when this was decided, ${cacheView.unseen}`)}`);
      if (cacheView.reasons !== '') lines.push(`    ${palette.bad(cacheView.reasons)}`);
    }
    if (explanation.more > 0) lines.push(`             ${palette.dim(`and ${count(explanation.more, 'earlier cause')}`)}`);
  }
  const busiest = (explanation?.busiest ?? []).map(({ who, key, decisions, lastWhy }) => [
    `    ${who}`,
    shortKey(key),
    count(decisions, 'decision'),
    `last reason: ${lastWhy}`,
  ]);
  if (busiest.length > 0) lines.push('', '  most active near the end:', ...table(busiest));
  return lines;
}

export function replayLines({ file, seed, failures, flags }: RunSummary, palette: Palette): readonly string[] {
  const asked = failures.find(({ about }) => about !== undefined);
  const again = ['', `  see it again: ${palette.strong(replayCommand(file, seed, flags))}`];
  // Without a file there is nothing that why could read.
  return asked?.about === undefined || file === ''
    ? again
    : [...again, `  or ask why:   ${palette.strong(whyCommand(file, seed, asked.about, asked.traceStep, flags))}`];
}

/** What held, and what is to be looked at. `failed`: scenarios, with what is said of each. */
export function verdictLines(
  verdict: string,
  failed: readonly (readonly [scenario: string, said: string])[],
  unread: readonly Unread[],
  palette: Palette,
): readonly string[] {
  const names = failed.map(([scenario, said]) => `${scenario}  ${palette.dim(said)}`);
  const files = unread.map(({ file }) => file);
  const bad = files.length === 0 ? '' : `, ${count(files.length, 'file')} could not be read`;
  return [
    '',
    names.length + files.length === 0 ? palette.good(verdict) : palette.bad(verdict + bad),
    ...named('did not hold', names),
    ...named('could not be read', files),
  ];
}

/** Of a list more are counted, not named. */
const MOST_NAMED = 20;

const named = (what: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`  ${what}:`, ...firstLines(names, MOST_NAMED).map((name) => `    ${name}`)];

/** The closing lines of several runs. `tookMs` is the reader's own time: no part of what is the same for the same seed. */
export function totalsLines(runs: readonly RunSummary[], palette: Palette, tookMs?: number, unread: readonly Unread[] = []) {
  const held = runs.filter(({ verdict }) => verdict === 'held').length;
  const sum = (of: (run: RunSummary) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const exercised = sum(({ invariants }) => invariants.reduce((seen, each) => seen + each.exercised, 0));
  const commits = sum(({ counters }) => counters.commits);
  const facts = [
    `${formatSince(sum(({ lengthMs }) => lengthMs))} of virtual time${tookMs === undefined ? '' : `, in ${(tookMs / 1000).toFixed(1)} s of real time`}`,
    count(commits, 'write'),
    `invariants exercised ${count(exercised, 'time')}`,
  ];
  const failed = runs
    .filter((run) => run.verdict !== 'held')
    .map(({ scenario, file, seed }) => [scenario, `${file}, seed ${seed}`] as const);
  const verdict = `${count(held, 'scenario')} held, ${failed.length} did not`;
  return [...verdictLines(verdict, failed, unread, palette), palette.dim(facts.join(' · '))];
}

/**
 * Returns what went wrong in a run, in words; empty when the run held. A run with a trace includes the causes. `file` is the path of the
 * scenario; without it there is no command that replays the run.
 */
export function describeFailures(run: Run, file?: string): string {
  const summary = summarize(run, file ?? run.scenario.source?.file ?? run.scenario.name);
  if (run.failures.length === 0) return '';
  const lines = run.failures.flatMap((failure) =>
    failureLines(summary, failure, run.trace === undefined ? undefined : explain(run.trace, failure), PLAIN),
  );
  const again =
    file === undefined ? ['', `  see it again: simulate(scenario, { seed: ${run.seed}, trace: true })`] : replayLines(summary, PLAIN);
  return printable([...lines, ...again].join('\n'));
}

const NAMED = 3;

/** Nothing where the run begins with an empty cluster. */
export function firstWriteLines({ firstWrites }: RunSummary, palette: Palette): readonly string[] {
  if (firstWrites === undefined) return [];
  if (firstWrites.length === 0) return [`  ${palette.good('at rest')}: the restored cluster writes nothing by itself in its first minute`];
  const groups = new Map<string, { readonly first: FirstWrite; readonly objects: string[] }>();
  for (const write of firstWrites) {
    const { author, request, object, why = '' } = write;
    // What is particular to one object does not make another reason.
    const key = [author, request.split(' ', 2).join(' '), object.kind, why.replaceAll(/\d+/g, '#')].join('\n');
    const group = groups.get(key) ?? { first: write, objects: [] };
    groups.set(key, group);
    group.objects.push(`${object.namespace === undefined ? '' : `${object.namespace}/`}${object.name}`);
  }
  return [
    `  ${palette.warn('not at rest')}: ${count(firstWrites.length, 'write')} of the restored cluster by itself in its first minute`,
    ...[...groups.values()].map(({ first, objects }) => {
      const names = firstWords([...new Set(objects)], NAMED);
      return `    ${first.author}: ${objects.length} × ${first.object.kind} (${names})${first.why === undefined ? '' : `, because ${first.why}`}`;
    }),
  ];
}
