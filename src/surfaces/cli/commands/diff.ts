/** `diff TARGET PATH`: changes of an object between two moments, and by which writes. `diff RUN RUN`: where two runs diverge, and why. */
import { diffValues, entryAt, formatChange, formatParts, lineParts, writesOf } from '../../../lab/trace/index.ts';
import type { ObjectName, PathChange } from '../../../lab/trace/index.ts';
import { count, paintParts, type Palette } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { BadInput } from '../exit.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import { missing } from '../paths.ts';
import { readRunName, twoRuns, twoRunsJson, twoRunsLines, type RunName } from '../question/two-runs.ts';
import { lastRenewal, renewedBy } from '../question/why.ts';
import { openHistory, type History } from '../question/history.ts';
import { formatMoment, readMoment, type Moment, worldAt } from '../question/world.ts';
import { formatName, readTarget } from '../question/target.ts';
import { QUESTION, HISTORY_PATH } from '../options.ts';

const options = [['--from <moment>', '5s, #212, start', 'start'], ['--to <moment>', '5s, #212, end', 'end'], ...QUESTION] as const;
type Options = OptionsOf<typeof options>;

/** The changes of an object and the writes in between, oldest first; of a lease the last renewal in between, which is not in the trace. */
export function difference(history: History, target: ObjectName, from: Moment, to: Moment) {
  const { kind, namespace, name } = target;
  const before = worldAt(history, from).get(kind, namespace, name);
  const after = worldAt(history, to).get(kind, namespace, name);
  const writes = writesOf(history.trace, target).filter((step) => step > from.step && step <= to.step);
  // An object that was created in between is compared with its first version: all its fields would be changes otherwise.
  const born = entryAt(history.trace, writes[0] ?? 0);
  const first = before ?? (born?.type === 'write' ? born.change.object : undefined);
  return {
    renewed: lastRenewal(history.trace, target, Number(before?.metadata.resourceVersion ?? 0), to.at),
    existed: before !== undefined,
    exists: after !== undefined,
    changes: after === undefined ? [] : diffValues(first ?? {}, after),
    writes: writes.map((step) => lineParts(history.trace, step)).filter((parts) => parts !== undefined),
  };
}

export function differenceLines(
  { existed, exists, changes, writes, renewed }: ReturnType<typeof difference>,
  about: string,
  palette: Palette,
): readonly string[] {
  const head = palette.strong(
    existed === exists ? about : `${about}: ${exists ? palette.good('it was created; since then') : palette.bad('it was deleted')}`,
  );
  const lines = [head];
  if (!existed && !exists) lines.push('  it existed at neither moment');
  else if (exists && changes.length === 0) lines.push('  nothing changed');
  const paint = (change: PathChange): string => {
    const text = formatChange(change);
    return change.before === undefined
      ? palette.good(`+ ${text}`)
      : change.after === undefined
        ? palette.bad(`- ${text}`)
        : `${palette.warn('~')} ${text}`;
  };
  lines.push(...changes.map((change) => `  ${paint(change)}`));
  if (renewed !== undefined) lines.push('', `  renewed ${renewedBy(renewed)} (rv ${renewed.revision}), without entries in the trace`);
  return writes.length === 0
    ? lines
    : [...lines, '', `  ${count(writes.length, 'write')} in between:`, ...writes.map((parts) => paintParts(parts, palette))];
}

export const command = defineCommand({
  arguments: [
    ['<target>', 'an object such as Job/pi; or a run: a scenario, a.yaml#7 for its seed 7, a trace'],
    ['<path>', `${HISTORY_PATH}; or the run to compare with`],
  ],
  options,
  act({ io }, given, text, path) {
    const runs = runsIn(text, path, io);
    if (runs !== undefined) return compareRuns(runs, given, io);
    const history = openHistory(path, given, io);
    const { trace } = history;
    const target = readTarget(text, history);
    const [from, to] = [readMoment(given.from, trace, '--from'), readMoment(given.to, trace, '--to')];
    if (from.step > to.step)
      throw new BadInput(`--to: expected a moment from ${formatMoment(from, trace)} on, found ${formatMoment(to, trace)}`);
    const found = difference(history, target, from, to);
    const writes = found.writes.map((parts) => ({ ...parts, text: formatParts(parts).trimStart() }));
    const about = `${formatName(target)} between ${formatMoment(from, trace)} and ${formatMoment(to, trace)}`;
    io.out(given.json ? jsonText({ target, from, to, ...found, writes }) : fitted(differenceLines(found, about, io.palette), io));
  },
});

/** Returns the names of two runs, or undefined: a target is never a file. */
function runsIn(text: string, path: string, { cwd }: Io): readonly [RunName, RunName] | undefined {
  const first = readRunName(text, cwd);
  if (first === undefined) {
    if (/#\d+$/.test(text) || /\.(?:ya?ml|json|jsonl)$/.test(text)) throw new BadInput(missing(text.replace(/#\d+$/, ''), cwd));
    return undefined;
  }
  const second = readRunName(path, cwd);
  if (second === undefined) throw new BadInput(missing(path.replace(/#\d+$/, ''), cwd));
  return [first, second];
}

function compareRuns(names: readonly [RunName, RunName], options: Options, io: Io): void {
  if (options.from !== 'start' || options.to !== 'end')
    throw new BadInput('--from and --to are for the moments of an object; two runs are compared from beginning to end');
  const open = ({ path, seed }: RunName): History => openHistory(path, { ...options, ...(seed === undefined ? {} : { seed }) }, io);
  const [first, second] = [open(names[0]), open(names[1])];
  const found = twoRuns(first, second, names);
  io.out(options.json ? jsonText(twoRunsJson(found)) : fitted(twoRunsLines(found, io.palette), io));
}
