/** `diff RUN RUN`: two seeds, a run and its fork, or two traces: what is common, where they diverge and why, how they end. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { cursorAt, entryAt, firstDivergence, formatParts, formatSince, type Trace } from '../../../lab/trace/index.ts';
import { count, paintParts, shellWord, type Palette } from '../../report/index.ts';
import type { History } from './history.ts';
import { whyStep } from './why.ts';

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

type TwoRuns = ReturnType<typeof twoRuns>;

const nameOf = ({ scenario, seed }: History): string => `${scenario} seed ${seed}`;

/** The names of the runs, with their files if the names are equal: two builds ran the same scenario. */
function namesOf(first: History, second: History, [{ path }, { path: otherPath }]: readonly [RunName, RunName]): readonly [string, string] {
  const [one, other] = [nameOf(first), nameOf(second)];
  return one === other && path !== otherPath ? [`${one} (${path})`, `${other} (${otherPath})`] : [one, other];
}

/**
 * Compares two runs entry by entry, and their final numbers of objects. A parting is the first entry of a run that the other does not have;
 * without `why` the run had ended. Identical runs have none, and no instant.
 */
export function twoRuns(first: History, second: History, names: readonly [RunName, RunName]) {
  const found = firstDivergence(first.trace, second.trace);
  const left = countsOf(first, second);
  const runs = namesOf(first, second, names);
  const sides =
    found === undefined
      ? []
      : [
          { history: first, step: found.first, path: names[0].path, run: runs[0] },
          { history: second, step: found.second, path: names[1].path, run: runs[1] },
        ];
  const partings = sides.map(({ history, step, path, run }) => {
    if (step === undefined) return { run };
    const more = `npx orchsim why '#${step}' ${shellWord(path)}${history.run === undefined ? '' : ` --seed ${history.seed}`}`;
    return { run, why: whyStep(history.trace, step, false), more };
  });
  const instants = sides.flatMap(({ history: { trace }, step }) => sinceStart(trace, step));
  const sinceStartMs = instants.length === 0 ? undefined : Math.min(...instants);
  return { runs, identical: found === undefined && areIdentical(first, second), alike: found?.common ?? 0, sinceStartMs, partings, left };
}

/** Divergences compare actions only: notes, checks and times may still differ. */
function areIdentical({ trace: a }: History, { trace: b }: History): boolean {
  const linesOf = ({ entries, startAt }: Trace) => entries.map(({ type, at }) => `${type} ${at - startAt}`);
  return linesOf(a).join('\n') === linesOf(b).join('\n');
}

function sinceStart(trace: Trace, step: number | undefined): readonly number[] {
  const at = step === undefined ? undefined : entryAt(trace, step)?.at;
  return at === undefined ? [] : [at - trace.startAt];
}

/** Kinds with different numbers of objects at the end. */
function countsOf(first: History, second: History) {
  const [one, other] = [first, second].map(({ trace }) => cursorAt(trace, trace.entries.length));
  return first.kinds.list().flatMap(({ kind }) => {
    const [here, there] = [one?.list(kind).length ?? 0, other?.list(kind).length ?? 0];
    return here === there ? [] : [{ kind, first: here, second: there }];
  });
}

const CAUSES = 4;

export function twoRunsLines({ runs, identical, alike, sinceStartMs, partings, left }: TwoRuns, palette: Palette): readonly string[] {
  const both = runs.join(' and ');
  if (sinceStartMs === undefined)
    return [`${palette.strong(both)} ${identical ? 'are identical' : 'do the same in the same order; times, notes or checks differ'}`];
  const lines = [
    palette.strong(`${both} diverge at ${formatSince(sinceStartMs)}, after ${count(alike, 'common entry', 'common entries')}`),
  ];
  for (const { run, why, more } of partings) {
    lines.push('', `  ${palette.accent(run)}${why === undefined ? ' had ended' : ''}`);
    if (why === undefined) continue;
    lines.push(paintParts({ ...why.line, why: '' }, palette));
    if (why.because !== '') lines.push(`  because  ${palette.strong(why.because)}`);
    lines.push(...why.causes.slice(0, CAUSES).map(({ line }) => paintParts(line, palette)), `  ${palette.dim(more)}`);
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
