/** One line for each entry of a trace: time, step, actor, subject, action and reason. Renderers put the parts in columns and colours. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { summarizeChange } from './change-text.ts';
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

/** The sort of an entry, by which a renderer chooses its colour. */
export type Tone =
  | 'created'
  | 'changed'
  | 'removed'
  | 'event'
  | 'refused'
  | 'decided'
  | 'seen'
  | 'fault'
  | 'held'
  | 'broken'
  | 'note'
  | 'operation';

/** The parts of a line, in the order of its columns. */
export interface LineParts {
  readonly time: string;
  readonly step: string;
  readonly who: string;
  readonly about: string;
  readonly what: string;
  /** `rv 87`, or the empty string. */
  readonly revision: string;
  readonly why: string;
  /** For a fault: its parameters, as the scenario writes them. */
  readonly given?: string;
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

// Many controllers run in this process, so the controller's name is more informative than the process's.
const MANAGER = 'controller-manager';
const whoOf = (process: string, controller: string | undefined): string =>
  process === MANAGER && controller !== undefined ? controller : process;

/** Shortens a key for display: the namespace `default` is omitted. */
export const shortKey = (key: string): string => (key.startsWith('default/') ? key.slice('default/'.length) : key);

/** Returns the key of the object that an Event is about. */
function eventSubject(object: ApiObject): string | undefined {
  const about = object['involvedObject'];
  if (typeof about !== 'object' || about === null || !('name' in about) || typeof about.name !== 'string') return undefined;
  return 'namespace' in about && typeof about.namespace === 'string' ? `${about.namespace}/${about.name}` : about.name;
}

/** `create Pod web-1`, `update Job: status.active 2 → 3`; the name is omitted where the line contains it already. */
function whatOf(change: Change, about: string | undefined): { readonly what: string; readonly tone: Tone } {
  const { object, kind, key } = change;
  const { reason, message } = object;
  if (eventSubject(object) !== undefined && change.type !== 'DELETED')
    return { what: `event ${String(reason)}: ${typeof message === 'string' ? message : ''}`, tone: 'event' };
  const name = key === about ? kind : `${kind} ${shortKey(key)}`;
  if (change.type === 'ADDED') return { what: `create ${name}`, tone: 'created' };
  if (change.type === 'DELETED') return { what: `delete ${name}`, tone: 'removed' };
  const marked = change.previous?.metadata.deletionTimestamp === undefined && object.metadata.deletionTimestamp !== undefined;
  return marked
    ? { what: `mark ${name} for deletion`, tone: 'removed' }
    : { what: `update ${name}: ${summarizeChange(change)}`, tone: 'changed' };
}

/** Returns the parts of a line; `why` is the reason of the decision behind the entry. */
export function partsOf(entry: Entry, step: number, startAt: number, why: string): LineParts {
  const blank: Blank = { time: formatSince(entry.at - startAt), step: `#${step}`, about: '', revision: '', why: '' };
  switch (entry.type) {
    case 'write':
      return writeParts(blank, entry, why);
    case 'refusal':
      return refusalParts(blank, entry);
    case 'delivery':
      return deliveryParts(blank, entry);
    case 'reconcile':
      return reconcileParts(blank, entry);
    case 'timer': {
      const who = whoOf(entry.process, entry.controller);
      return { ...blank, who, about: shortKey(entry.key), what: TIMERS[entry.because], tone: 'seen' };
    }
    case 'process': {
      const tone = entry.what === 'started' || entry.what === 'leads' ? 'operation' : 'fault';
      return { ...blank, who: entry.process, what: transitionText(entry), tone };
    }
    case 'operation':
      return { ...blank, who: 'scenario', what: entry.label, tone: 'operation' };
    case 'fault':
      return { ...blank, who: 'fault', about: entry.fault, what: entry.detail, ...givenOf(entry), tone: 'fault' };
    case 'check': {
      const [what, tone] = entry.held ? (['held', 'held'] as const) : (['BROKEN', 'broken'] as const);
      return { ...blank, who: 'check', about: entry.name, what, why: entry.detail, tone };
    }
    case 'note':
      return { ...blank, who: 'note', what: firstLine(entry.text), tone: 'note' };
    default: {
      const never: never = entry;
      return never;
    }
  }
}

const givenOf = ({ given }: EntryOf<'fault'>): Pick<LineParts, 'given'> =>
  given === undefined || given.text === '' ? {} : { given: `(${given.text})` };

/** The members that every line has in common. */
type Blank = Omit<LineParts, 'who' | 'what' | 'tone'>;
type EntryOf<T extends Entry['type']> = Extract<Entry, { readonly type: T }>;

function writeParts(blank: Blank, { key, change, actor, controller }: EntryOf<'write'>, why: string): LineParts {
  const about = key ?? change.key;
  return {
    ...blank,
    who: whoOf(actor, controller),
    about: shortKey(eventSubject(change.object) ?? about),
    ...whatOf(change, about),
    revision: `rv ${change.revision}`,
    why,
  };
}

const refusalParts = (blank: Blank, { actor, controller, key = '', status, request }: EntryOf<'refusal'>): LineParts => ({
  ...blank,
  who: whoOf(actor, controller),
  about: shortKey(key),
  what: `refused ${status.code ?? ''}: ${request}`,
  why: clipped(status.message ?? ''),
  tone: 'refused',
});

const deliveryParts = (blank: Blank, { process, key, kind, delta, revision }: EntryOf<'delivery'>): LineParts => ({
  ...blank,
  who: process,
  about: shortKey(key),
  what: `sees ${delta.toLowerCase()} ${kind}`,
  revision: `rv ${revision}`,
  tone: 'seen',
});

const reconcileParts = (blank: Blank, { process, controller, key, writes, why }: EntryOf<'reconcile'>): LineParts => ({
  ...blank,
  who: whoOf(process, controller),
  about: shortKey(key),
  what: writes === 0 ? 'decides to wait' : `decides on ${writes} ${writes === 1 ? 'write' : 'writes'}`,
  why,
  tone: 'decided',
});

const TIMERS = { backoff: 'its back-off ends', wake: 'wakes up', delay: 'its delay ends' } as const;
const LONGEST_REFUSAL = 160;
const clipped = (text: string): string => (text.length > LONGEST_REFUSAL ? `${text.slice(0, LONGEST_REFUSAL)}…` : text);
const firstLine = (text: string): string => text.trimStart().split('\n')[0] ?? '';

/** Returns the parts of a step's line; undefined: there is no such step. */
export function lineParts(trace: Trace, step: number): LineParts | undefined {
  const entry = trace.entries[step - 1];
  return entry === undefined ? undefined : partsOf(entry, step, trace.startAt, whyOf(trace, entry));
}

/** Formats parts as a line in columns, without colours. */
export const formatParts = ({ time, step, who, about, what, revision, why, given = '' }: LineParts): string =>
  `${time.padStart(9)}  ${step.padEnd(6)} ${who.padEnd(18)} ${about.padEnd(16)} ${what}${given === '' ? '' : ` ${given}`}${revision === '' ? '' : `  ${revision}`}${why === '' ? '' : `   ${why}`}`.trimEnd();

/** Returns the line of a step in columns; the empty string: there is no such step. */
export function formatLine(trace: Trace, step: number): string {
  const parts = lineParts(trace, step);
  return parts === undefined ? '' : formatParts(parts);
}

/** The transition of a process; with the reason why it did not start, or the feature gates in which it differs from its cluster. */
function transitionText({ what, refusal, gates = {} }: Extract<Entry, { readonly type: 'process' }>): string {
  if (refusal !== undefined) return `does not start: ${refusal}`;
  const differing = Object.entries(gates).map(([name, on]) => `${name} ${on ? 'on' : 'off'}`);
  return differing.length === 0 ? what : `${what}, with ${differing.join(', ')}`;
}
