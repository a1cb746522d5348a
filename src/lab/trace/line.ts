/** One line an entry, for eyes: time, step, who, about what, what was done, and why. */
import type { ApiObject } from '../../cluster/api/index.ts';
import { diffValues, type PathChange } from './diff.ts';
import { stepOf, type Entry, type Trace } from './trace.ts';

/** Virtual time since the start: `   5.000s`, `1h02m05.000s`, negative before it. */
export function formatSince(ms: number): string {
  const sign = ms < 0 ? '-' : '';
  const whole = Math.abs(ms);
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const rest = `${Math.floor(whole / 1000) % 60}.${String(whole % 1000).padStart(3, '0')}s`;
  if (hours === 0 && minutes === 0) return sign + rest;
  const padded = rest.padStart(7, '0');
  return hours === 0 ? `${sign}${minutes}m${padded}` : `${sign}${hours}h${String(minutes).padStart(2, '0')}m${padded}`;
}

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

/** A change as `status.active 2 → 3`. */
export const formatChange = ({ path, before, after }: PathChange): string =>
  before === undefined ? `${path} = ${short(after)}` : after === undefined ? `${path} removed (was ${short(before)})` : `${path} ${short(before)} → ${short(after)}`;

const summary = (previous: ApiObject | undefined, object: ApiObject): string => {
  if (previous === undefined) return '';
  const changes = diffValues(previous, object).filter((change) => !/lastProbeTime|lastTransitionTime|lastHeartbeatTime/.test(change.path));
  const shown = changes.slice(0, 3).map(formatChange).join(', ');
  return changes.length > 3 ? `${shown}, and ${changes.length - 3} more` : shown;
};

export interface LineParts { readonly time: string; readonly step: string; readonly who: string; readonly about: string; readonly what: string; readonly why: string }

/** The why of the decision that led to an entry, if one did. */
export function whyOf(trace: Trace, entry: Entry): string {
  for (const id of entry.causes) {
    const step = stepOf(trace, id);
    const cause = step === undefined ? undefined : trace.entries[step - 1];
    if (cause?.type === 'reconcile') return cause.why;
  }
  return '';
}

/** The parts of an entry's line. */
export function lineParts(trace: Trace, step: number): LineParts | undefined {
  const entry = trace.entries[step - 1];
  if (entry === undefined) return undefined;
  const base = { time: formatSince(entry.at - trace.startAt), step: `#${step}` };
  switch (entry.type) {
    case 'write': {
      const { change } = entry;
      const verb = change.type === 'ADDED' ? 'create' : change.type === 'DELETED' ? 'delete' : 'update';
      const changed = change.type === 'MODIFIED' ? `: ${summary(change.previous, change.object)}` : '';
      return { ...base, who: entry.controller ?? entry.actor, about: entry.key ?? change.key, what: `${verb} ${change.kind} ${change.object.metadata.name}${changed}  rv ${change.revision}`, why: whyOf(trace, entry) };
    }
    case 'refusal': return { ...base, who: entry.controller ?? entry.actor, about: entry.key ?? '', what: `refused: ${entry.request}`, why: entry.status.message ?? '' };
    case 'delivery': return { ...base, who: entry.process, about: entry.key, what: `sees ${entry.delta.toLowerCase()} ${entry.kind}  rv ${entry.revision}`, why: '' };
    case 'reconcile': return { ...base, who: entry.controller, about: entry.key, what: entry.writes === 0 ? 'decides: nothing to write' : `decides: ${entry.writes} ${entry.writes === 1 ? 'write' : 'writes'}`, why: entry.why };
    case 'timer': return { ...base, who: entry.controller, about: entry.key, what: entry.because === 'backoff' ? 'its back-off ends' : entry.because === 'wake' ? 'wakes up' : 'its delay ends', why: '' };
    case 'process': return { ...base, who: entry.process, about: '', what: entry.what, why: '' };
    case 'operation': return { ...base, who: 'scenario', about: '', what: entry.label, why: '' };
    case 'fault': return { ...base, who: 'fault', about: '', what: entry.fault, why: entry.detail };
    case 'check': return { ...base, who: 'check', about: entry.name, what: entry.held ? 'held' : 'BROKEN', why: entry.detail };
    case 'note': return { ...base, who: 'note', about: '', what: entry.text.split('\n')[0] ?? '', why: '' };
    default: { const never: never = entry; return never; }
  }
}

/** The line of a step, in columns. */
export function formatLine(trace: Trace, step: number): string {
  const parts = lineParts(trace, step);
  if (parts === undefined) return '';
  const { time, step: number, who, about, what, why } = parts;
  return `${time.padStart(9)}  ${number.padEnd(6)} ${who.padEnd(20)} ${about.padEnd(24)} ${what}${why === '' ? '' : `   ${why}`}`.trimEnd();
}
