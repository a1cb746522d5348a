/** One line for each entry of a trace: time, step, actor, subject, action and reason. Renderers put the parts in columns and colours. */
import { saidIn, type Said, toneOf, type Tone } from './entries.ts';
import { stepOf, type Entry, type Trace } from './trace.ts';

/** Virtual time since the start: `5.000s`, `1h02m05.000s`, negative before it. */
export function formatSince(ms: number): string {
  const feature = ms < 0 ? '-' : '';
  const whole = Math.abs(ms);
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const rest = `${Math.floor(whole / 1000) % 60}.${String(whole % 1000).padStart(3, '0')}s`;
  if (hours === 0 && minutes === 0) return feature + rest;
  const padded = rest.padStart(7, '0');
  return hours === 0 ? `${feature}${minutes}m${padded}` : `${feature}${hours}h${String(minutes).padStart(2, '0')}m${padded}`;
}

/** The parts of a line. */
export interface LineParts extends Required<Omit<Said, 'given'>>, Pick<Said, 'given'> {
  readonly time: string;
  readonly step: string;
  readonly tone: Tone;
}

/** Returns the reason of the decision that an entry carries out; the empty string where there is none. */
export function whyOf(trace: Trace, entry: Entry): string {
  for (const id of entry.causes) {
    const step = stepOf(trace, id);
    const cause = step === undefined ? undefined : trace.entries[step - 1];
    if (cause?.type === 'reconcile') return cause.why;
  }
  return '';
}

/** Returns the parts of a line; `why` is the reason of the decision behind the entry. */
export const partsOf = (entry: Entry, step: number, startAt: number, why: string): LineParts => ({
  time: formatSince(entry.at - startAt),
  step: `#${step}`,
  about: '',
  revision: '',
  why: '',
  ...saidIn(entry, why),
  tone: toneOf(entry),
});

/** Returns the parts of a step's line; undefined: there is no such step. */
export function lineParts(trace: Trace, step: number): LineParts | undefined {
  const entry = trace.entries[step - 1];
  return entry === undefined ? undefined : partsOf(entry, step, trace.startAt, whyOf(trace, entry));
}

/** Formats parts as a line in columns, without colours. */
export const formatParts = ({ time, step, who, about, what, revision, why, given = '' }: LineParts): string =>
  `${time.padStart(9)}  ${step.padEnd(6)} ${who.padEnd(18)} ${about.padEnd(16)} ${what}${given === '' ? '' : ` ${given}`}${revision === '' ? '' : `  ${revision}`}   ${why}`.trimEnd();

/** Returns the line of a step in columns; the empty string: there is no such step. */
export function formatLine(trace: Trace, step: number): string {
  const parts = lineParts(trace, step);
  return parts === undefined ? '' : formatParts(parts);
}
