/** One line an entry, for eyes: time, step, who, about what, what was done, and why. Renderers put the parts in columns and colours. */
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

/** What kind of thing happened: what a renderer gives a colour. */
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

export interface LineParts {
  readonly time: string;
  readonly step: string;
  readonly who: string;
  readonly about: string;
  readonly what: string;
  /** `rv 87`, or nothing. */
  readonly revision: string;
  readonly why: string;
  /** Of a fault: its parameters, as the scenario gives them. */
  readonly given?: string;
  readonly tone: Tone;
}

/** The decision that an entry carries out, if it is one's write. */
export function whyOf(trace: Trace, entry: Entry): string {
  for (const id of entry.causes) {
    const step = stepOf(trace, id);
    const cause = step === undefined ? undefined : trace.entries[step - 1];
    if (cause?.type === 'reconcile') return cause.why;
  }
  return '';
}

// The process in which many controllers live: there the controller says more than the process.
const MANAGER = 'controller-manager';
const whoOf = (process: string, controller: string | undefined): string =>
  process === MANAGER && controller !== undefined ? controller : process;

/** A key as people say it: the namespace `default` goes without saying. */
export const shortKey = (key: string): string => (key.startsWith('default/') ? key.slice('default/'.length) : key);

/** The key of the object that an announcement (an Event) is about. */
function announced(object: ApiObject): string | undefined {
  const about = object['involvedObject'];
  if (typeof about !== 'object' || about === null || !('name' in about) || typeof about.name !== 'string') return undefined;
  return 'namespace' in about && typeof about.namespace === 'string' ? `${about.namespace}/${about.name}` : about.name;
}

/** `create Pod web-1`, `update Job: status.active 2 → 3`; the name is left out where the line names it already. */
function whatOf(change: Change, about: string | undefined): { readonly what: string; readonly tone: Tone } {
  const { object, kind, key } = change;
  const { reason, message } = object;
  if (announced(object) !== undefined && change.type !== 'DELETED')
    return { what: `event ${String(reason)}: ${typeof message === 'string' ? message : ''}`, tone: 'event' };
  const name = key === about ? kind : `${kind} ${shortKey(key)}`;
  if (change.type === 'ADDED') return { what: `create ${name}`, tone: 'created' };
  if (change.type === 'DELETED') return { what: `delete ${name}`, tone: 'removed' };
  const marked = change.previous?.metadata.deletionTimestamp === undefined && object.metadata.deletionTimestamp !== undefined;
  return marked
    ? { what: `mark ${name} for deletion`, tone: 'removed' }
    : { what: `update ${name}: ${summarizeChange(change)}`, tone: 'changed' };
}

/** The parts of a line; `why` is the sentence of the decision behind it. */
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
      return { ...blank, who: entry.process, what: standingText(entry), tone };
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

/** What the line of every entry begins with. */
type Blank = Omit<LineParts, 'who' | 'what' | 'tone'>;
type EntryOf<T extends Entry['type']> = Extract<Entry, { readonly type: T }>;

function writeParts(blank: Blank, { key, change, actor, controller }: EntryOf<'write'>, why: string): LineParts {
  const about = key ?? change.key;
  return {
    ...blank,
    who: whoOf(actor, controller),
    about: shortKey(announced(change.object) ?? about),
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

/** The parts of a step's line; undefined when there is no such step. */
export function lineParts(trace: Trace, step: number): LineParts | undefined {
  const entry = trace.entries[step - 1];
  return entry === undefined ? undefined : partsOf(entry, step, trace.startAt, whyOf(trace, entry));
}

/** Parts as a line in columns, without colours. */
export const formatParts = ({ time, step, who, about, what, revision, why, given = '' }: LineParts): string =>
  `${time.padStart(9)}  ${step.padEnd(6)} ${who.padEnd(18)} ${about.padEnd(16)} ${what}${given === '' ? '' : ` ${given}`}${revision === '' ? '' : `  ${revision}`}${why === '' ? '' : `   ${why}`}`.trimEnd();

/** The line of a step, in columns. */
export function formatLine(trace: Trace, step: number): string {
  const parts = lineParts(trace, step);
  return parts === undefined ? '' : formatParts(parts);
}

/** What became of a process; with why it did not start, or the gates in which it is not like its cluster. */
function standingText({ what, refusal, gates = {} }: Extract<Entry, { readonly type: 'process' }>): string {
  if (refusal !== undefined) return `does not start: ${refusal}`;
  const own = Object.entries(gates).map(([name, on]) => `${name} ${on ? 'on' : 'off'}`);
  return own.length === 0 ? what : `${what}, with ${own.join(', ')}`;
}
