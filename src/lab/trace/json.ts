/**
 * Traces as JSON lines: a head, the renewals that have no entry, then one line for each entry, those before the start first. A write
 * contains its object once; the previous revision follows from earlier writes. The reader takes one line at a time, so a file may be larger
 * than the longest string.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { RenewalInterval } from '../../controlplane/runtime/index.ts';
import { isMapping, jsonIn } from '../../schema/values/index.ts';
import { isEntryType } from './entries.ts';
import type { NarrationStep, Entry, Trace } from './trace.ts';

/** The first line of a trace file. */
export interface TraceHead {
  readonly trace: 'orchsim/v1';
  readonly scenario: string;
  readonly seed: number;
  /** Milliseconds since the epoch. */
  readonly startAt: number;
  /** The domain of API groups and labels: `orch.io` or `k8s.io`. */
  readonly domain: string;
}

/** The type of a line that is no entry: the renewals of a lease in closed form. */
const RENEWAL_INTERVAL = 'pulse';

export function entryLine(entry: Entry): string {
  if (entry.type !== 'write') return JSON.stringify(entry);
  const { previous: _, ...change } = entry.change;
  return JSON.stringify({ ...entry, change });
}

/** Whether a line of a trace is an entry: the head and the lines of renewals are not. */
export const isEntryLine = (line: string): boolean => line.startsWith('{"id":');

/** Returns the lines of a trace file: its head, then one for each entry. */
export function* traceLines(head: TraceHead, trace: Trace): Generator<string> {
  yield JSON.stringify({ ...head, ...(trace.narrationSteps === undefined ? {} : { narrationSteps: trace.narrationSteps }) });
  for (const renewalInterval of trace.renewalIntervals ?? []) yield renewalIntervalLine(renewalInterval);
  for (const entry of trace.prologue) yield entryLine(entry);
  for (const entry of trace.entries) yield entryLine(entry);
}

export interface ReadTrace {
  readonly head: TraceHead;
  readonly trace: Trace;
  /**
   * The number (from 1) of an incomplete last line: its writer was stopped. The lines before it are complete. Absent: the file is complete.
   */
  readonly torn?: number;
}

export const renewalIntervalLine = (renewalInterval: RenewalInterval): string =>
  JSON.stringify({ type: RENEWAL_INTERVAL, ...renewalInterval });

/** The contents of one line after the head; undefined: the line is neither an entry nor a renewal interval. */
export type TraceLine = { readonly entry: Entry } | { readonly renewalInterval: RenewalInterval } | undefined;

/** Creates a reader of single lines, which are passed in their order. */
export function createLineReader(): (line: string) => TraceLine {
  const contentsOf = createReader();
  return (line) => {
    const value = jsonIn(line);
    const contents = isMapping(value) ? contentsOf(value) : undefined;
    return contents === undefined || 'error' in contents ? undefined : contents;
  };
}

/** Creates a reader of the values of lines after the head; an error is what was expected. */
function createReader(): (value: Readonly<Record<string, unknown>>) => NonNullable<TraceLine> | { readonly error: string } {
  const last = new Map<string, ApiObject>();
  return (value) => {
    if (value['type'] === RENEWAL_INTERVAL) {
      const renewalInterval = renewalIntervalOf(value);
      return renewalInterval === undefined
        ? { error: 'expected the renewals of a lease (order, lease, firstAt, everyMs, delayMs)' }
        : { renewalInterval };
    }
    const entry = entryOf(value);
    return entry === undefined ? { error: 'expected a trace entry with id, at and a known type' } : { entry: withPrevious(entry, last) };
  };
}

const NO_OBJECT = 'expected one JSON object for each line';

/** Reads lines made by `traceLines`. An error contains the line number (from 1) and the expected contents. */
export function readTrace(lines: Iterable<string>): ReadTrace | { readonly error: string; readonly line: number } {
  const prologue: Entry[] = [];
  const entries: Entry[] = [];
  const renewalIntervals: RenewalInterval[] = [];
  const contentsOf = createReader();
  let head: (TraceHead & { readonly narrationSteps?: unknown }) | undefined;
  let line = 0;
  let torn: number | undefined;
  for (const text of lines) {
    line++;
    if (text === '') continue;
    if (torn !== undefined) return { error: NO_OBJECT, line: torn };
    const value = jsonIn(text);
    if (!isMapping(value)) {
      if (head === undefined || !text.startsWith('{')) return { error: NO_OBJECT, line };
      torn = line;
      continue;
    }
    if (head === undefined) {
      if (value['trace'] !== 'orchsim/v1' || typeof value['startAt'] !== 'number')
        return { error: 'expected the head of a trace ({"trace":"orchsim/v1",…}), as run --trace writes it', line };
      head = value as unknown as TraceHead;
      continue;
    }
    const contents = contentsOf(value);
    if ('error' in contents) return { ...contents, line };
    if ('renewalInterval' in contents) renewalIntervals.push(contents.renewalInterval);
    else (contents.entry.at < head.startAt ? prologue : entries).push(contents.entry);
  }
  if (head === undefined) return { error: 'expected the head of a trace, found nothing', line: 1 };
  const { narrationSteps, ...rest } = head;
  return {
    head: rest,
    ...(torn === undefined ? {} : { torn }),
    trace: {
      startAt: head.startAt,
      prologue,
      entries,
      renewalIntervals,
      ...(Array.isArray(narrationSteps) ? { narrationSteps: narrationSteps.filter(isNarrationStep) } : {}),
    },
  };
}

const entryOf = (value: Readonly<Record<string, unknown>>): Entry | undefined =>
  isEntryType(value['type']) && typeof value['id'] === 'number' && typeof value['at'] === 'number'
    ? (value as unknown as Entry)
    : undefined;

function renewalIntervalOf(value: Readonly<Record<string, unknown>>): RenewalInterval | undefined {
  const { order, process, controller, lease, firstAt, everyMs, delayMs, until } = value;
  if (typeof process !== 'string' || typeof controller !== 'string' || typeof lease !== 'string') return undefined;
  if (typeof order !== 'number' || typeof firstAt !== 'number' || typeof delayMs !== 'number') return undefined;
  if (typeof everyMs !== 'number' || everyMs <= 0) return undefined;
  return { order, process, controller, lease, firstAt, everyMs, delayMs, ...(typeof until === 'number' ? { until } : {}) };
}

const isNarrationStep = (value: unknown): value is NarrationStep =>
  isMapping(value) && typeof value['traceStep'] === 'number' && typeof value['does'] === 'string';

function withPrevious(entry: Entry, last: Map<string, ApiObject>): Entry {
  if (entry.type !== 'write') return entry;
  const { change } = entry;
  const place = `${change.kind} ${change.key}`;
  const previous = last.get(place);
  if (change.type === 'DELETED') last.delete(place);
  else last.set(place, change.object);
  return previous === undefined ? entry : { ...entry, change: { ...change, previous } };
}
