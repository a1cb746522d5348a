/** What a walk shows at a stop: where it is, the beat's text, and what changed since the stop before. */
import { changesBetween, diffValues, formatChange, formatSince, shortKey, wordsFor, type ObjectChange } from '../../../lab/trace/index.ts';
import { count, type Palette } from '../../report/index.ts';
import { placeOf, stopBefore, type Session } from './session.ts';

/** Announcements and heartbeats are left to `state`. */
const QUIET: ReadonlySet<string> = new Set(['Event', 'Lease']);
const SHOWN = 12;
/** So many of a kind are told one by one. */
const EACH = 4;

/** A walk's place, in lines. */
export function showStop(session: Session, palette: Palette): readonly string[] {
  const {
    history: { trace, run },
    moment: { step, at },
    stops,
  } = session;
  const lines = ['', `${palette.strong(formatSince(at - trace.startAt))}  ${palette.dim(`#${step} · ${placeOf(session)}`)}`];
  const beat = session.beats.get(step);
  if (beat?.text !== undefined) lines.push(...beat.text.split('\n').map((line) => `  ${palette.accent('│')} ${line}`));
  else if (beat?.does !== undefined) lines.push(...beat.does.split('\n').map((line) => `  ${palette.dim(line)}`));
  const before = stopBefore(session);
  if (before !== undefined) lines.push(...changeLines(changesBetween(trace, before, step), palette));
  if (step === stops.at(-1) && run !== undefined) {
    lines.push(
      run.failures.length === 0 ? `  ${palette.good('everything held')}` : `  ${palette.bad(`${count(run.failures.length, 'failure')}:`)}`,
      ...run.failures.map(({ invariant, message }) => `    ${invariant === undefined ? message : `${invariant}: ${message}`}`),
    );
  }
  return lines;
}

/** Changes, a line each; many new objects of a kind share one. */
export function changeLines(changes: readonly ObjectChange[], palette: Palette): readonly string[] {
  const telling = changes.filter(({ kind }) => !QUIET.has(kind));
  const lines = [
    ...came(
      telling.filter(({ before }) => before === undefined),
      '+',
      palette.good,
    ),
    ...telling
      .filter(({ before, after }) => before !== undefined && after !== undefined)
      .map((change) => `  ${palette.warn('~')} ${changed(change, palette)}`),
    ...came(
      telling.filter(({ before, after }) => before !== undefined && after === undefined),
      '-',
      palette.bad,
    ),
  ];
  if (lines.length === 0) return [palette.dim('  nothing changed')];
  return lines.length <= SHOWN
    ? lines
    : [...lines.slice(0, SHOWN), palette.dim(`  and ${lines.length - SHOWN} more; state and diff show them`)];
}

function changed(change: ObjectChange, palette: Palette): string {
  const { kind, key, summary, before, after } = change;
  const words = wordsFor(change);
  if (words === undefined) return `${kind} ${palette.strong(shortKey(key))}: ${summary}`;
  // What is wanted of it is no matter of the words; where a pod went is.
  const wanted = kind === 'Pod' ? [] : diffValues(before?.['spec'], after?.['spec'], 'spec').slice(0, WANTED).map(formatChange);
  return `${kind}: ${[words, ...wanted].join('; ')}`;
}

/** So many changes of a spec are told. */
const WANTED = 2;

function came(changes: readonly ObjectChange[], sign: string, paint: (text: string) => string): readonly string[] {
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const keys = changes.filter((change) => change.kind === kind).map(({ key }) => shortKey(key));
    return keys.length <= EACH
      ? keys.map((key) => `  ${paint(`${sign} ${kind} ${key}`)}`)
      : [`  ${paint(`${sign} ${count(keys.length, kind)}`)}: ${keys.slice(0, EACH).join(', ')}, …`];
  });
}
