/** `diff RUN RUN`: two seeds, a run and its fork, or two traces: what is common, where they diverge and why, how they end. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { cursorAt, entryAt, firstDivergence, formatParts, formatSince, type Trace } from '../../../lab/trace/index.ts';
import { count, paintParts, shellWord, type Palette } from '../../report/index.ts';
import type { History } from './history.ts';
import { whyStep, type Why } from './why.ts';

/** The name of a run: `a.yaml`, `a.yaml#7` for seed 7, or a trace. */
export interface RunName {
  readonly path: string;
  readonly seed?: string;
}

/** Parses the name of a run; undefined: there is no such file, so the text is a target. */
export function readRunName(text: string, cwd: string): RunName | undefined {
  if (existsSync(resolve(cwd, text))) return { path: text };
  const [, path = '', seed = ''] = /^(.+)#(\d+)$/.exec(text) ?? [];
  return path !== '' && existsSync(resolve(cwd, path)) ? { path, seed } : undefined;
}

/** The first entry of one run that the other does not have. */
export interface Divergence {
  readonly run: string;
  /** Absent: the run had ended. */
  readonly why?: Why;
  readonly more?: string;
}

export interface TwoRuns {
  readonly runs: readonly [string, string];
  readonly alike: number;
  /** Virtual milliseconds until they diverge; absent: they are identical. */
  readonly sinceStartMs?: number;
  readonly partings: readonly Divergence[];
  /** Kinds with different numbers of objects at the end. */
  readonly left: readonly { readonly kind: string; readonly first: number; readonly second: number }[];
}

const nameOf = ({ scenario, seed }: History): string => `${scenario} seed ${seed}`;

/** The names of the runs, with their files if the names are equal: two builds ran the same scenario. */
function namesOf(first: History, second: History, [{ path }, { path: otherPath }]: readonly [RunName, RunName]): TwoRuns['runs'] {
  const [one, other] = [nameOf(first), nameOf(second)];
  return one === other && path !== otherPath ? [`${one} (${path})`, `${other} (${otherPath})`] : [one, other];
}

/** Compares two runs entry by entry, and their final numbers of objects. */
export function twoRuns(first: History, second: History, names: readonly [RunName, RunName]): TwoRuns {
  const found = firstDivergence(first.trace, second.trace);
  const left = countsOf(first, second);
  const shared = found?.common ?? 0;
  const runs = namesOf(first, second, names);
  if (found === undefined) return { runs, alike: shared, partings: [], left };
  const sides = [
    { history: first, step: found.first, path: names[0].path, run: runs[0] },
    { history: second, step: found.second, path: names[1].path, run: runs[1] },
  ];
  const partings = sides.map(({ history, step, path, run }): Divergence =>
    step === undefined
      ? { run }
      : {
          run,
          why: whyStep(history.trace, step, false),
          more: `npx orchsim why '#${step}' ${shellWord(path)}${history.run === undefined ? '' : ` --seed ${history.seed}`}`,
        },
  );
  const instants = sides.flatMap(({ history: { trace }, step }) => sinceStart(trace, step));
  return { runs, alike: shared, sinceStartMs: Math.min(...instants), partings, left };
}

function sinceStart(trace: Trace, step: number | undefined): readonly number[] {
  const at = step === undefined ? undefined : entryAt(trace, step)?.at;
  return at === undefined ? [] : [at - trace.startAt];
}

function countsOf(first: History, second: History): TwoRuns['left'] {
  const [one, other] = [first, second].map(({ trace }) => cursorAt(trace, trace.entries.length));
  return first.kinds.list().flatMap(({ kind }) => {
    const [here, there] = [one?.list(kind).length ?? 0, other?.list(kind).length ?? 0];
    return here === there ? [] : [{ kind, first: here, second: there }];
  });
}

/** At most so many causes of each are listed. */
const CAUSES = 4;

export function twoRunsLines({ runs, alike, sinceStartMs, partings, left }: TwoRuns, palette: Palette): readonly string[] {
  const both = runs.join(' and ');
  if (sinceStartMs === undefined) return [`${palette.strong(both)} are identical`];
  const lines = [
    palette.strong(`${both} diverge at ${formatSince(sinceStartMs)}, after ${count(alike, 'common entry', 'common entries')}`),
  ];
  for (const { run, why, more } of partings) {
    lines.push('', `  ${palette.accent(run)}${why === undefined ? ' had ended' : ''}`);
    if (why === undefined) continue;
    lines.push(paintParts({ ...why.line, why: '' }, palette));
    if (why.because !== '') lines.push(`  because  ${palette.strong(why.because)}`);
    lines.push(...why.causes.slice(0, CAUSES).map(({ line }) => paintParts(line, palette)));
    if (more !== undefined) lines.push(`  ${palette.dim(more)}`);
  }
  if (left.length > 0)
    lines.push('', '  at the end:', ...left.map((each) => `    ${count(each.first, each.kind)} and ${count(each.second, each.kind)}`));
  return lines;
}

export const twoRunsJson = ({ partings, ...rest }: TwoRuns): object => ({
  ...rest,
  partings: partings.map(({ run, why, more }) => ({
    run,
    ...(why === undefined
      ? { ended: true }
      : {
          step: why.step,
          line: formatParts(why.line).trimStart(),
          because: why.because,
          causes: why.causes.map(({ line }) => formatParts(line).trimStart()),
          more,
        }),
  })),
});
