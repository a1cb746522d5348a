/**
 * Runs for viewers. For ShiViz a log with vector clocks: a column for the server and for each process, a line from cause to effect; the
 * first line of the file is the expression that parses the others, the second separates executions, and is empty. For Perfetto
 * (ui.perfetto.dev) and chrome://tracing the trace event format, as a JSON object: a process for each process of the cluster, a thread for
 * each controller, entries as slices, causes as arrows, phases of pods as bars; times are microseconds since the start of the run.
 */
import { authorOf, type Entry, formatSince, lineParts, stepOf, type Trace } from '../../lab/trace/index.ts';

/** The expression that the viewer applies to an event: two lines, with host and clock, then the text. */
const SHIVIZ_EVENT = String.raw`(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`;

type Clock = ReadonlyMap<string, number>;

/** Returns the lines of the file. The clock of an event has its host's own component, from 1 on, and includes the clocks of its causes. */
export function* shivizLines(trace: Trace): Generator<string> {
  yield SHIVIZ_EVENT;
  yield '';
  const hosts = new Map<string, Clock>();
  const entries = new Map<number, Clock>();
  for (const [index, entry] of trace.entries.entries()) {
    const host = hostOf(entry);
    const clock = new Map(hosts.get(host));
    for (const cause of entry.causes)
      for (const [other, at] of entries.get(cause) ?? []) if (at > (clock.get(other) ?? 0)) clock.set(other, at);
    clock.set(host, (hosts.get(host)?.get(host) ?? 0) + 1);
    hosts.set(host, clock);
    // Notes and checks have the id of the entry before them, and they cause nothing.
    if (entry.type !== 'note' && entry.type !== 'check') entries.set(entry.id, clock);
    yield `${host} ${JSON.stringify(Object.fromEntries(clock))}`;
    yield eventOf(trace, index + 1);
  }
}

/** The column of an entry: a name without spaces. */
const hostOf = (entry: Entry): string =>
  entry.type === 'write' || entry.type === 'refusal' ? 'server' : (authorOf(entry)?.process.replaceAll(/\s+/g, '-') ?? 'scenario');

function eventOf(trace: Trace, step: number): string {
  const entry = trace.entries[step - 1];
  const parts = lineParts(trace, step);
  const said = parts === undefined ? [entry?.type ?? ''] : [parts.who, parts.about, parts.what, parts.why === '' ? '' : `(${parts.why})`];
  const time = formatSince((entry?.at ?? trace.startAt) - trace.startAt);
  return [time, `#${step}`, ...said]
    .filter((word) => word !== '')
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

/** An event of the format, with the fields that all events have. */
export interface TraceEvent {
  /** X: a slice, M: a name, s and f: the ends of an arrow. */
  readonly ph: 'X' | 'M' | 's' | 'f';
  readonly name: string;
  readonly ts: number;
  readonly pid: number;
  readonly tid: number;
  readonly [more: string]: unknown;
}

/** Microseconds of a millisecond. The entries of one instant are spread over it, in order. */
const MICROS = 1000;
const STORY = 'scenario';
const SERVER = 'server';
const PODS = 'pods';

/** The parts of the file, in order: an object whose `traceEvents` is a list of events, one a line. */
export function* perfettoText(trace: Trace, about: Readonly<Record<string, unknown>>): Generator<string> {
  yield `{"displayTimeUnit":"ms","otherData":${JSON.stringify(about)},"traceEvents":[`;
  let between = '\n';
  for (const event of perfettoEvents(trace)) {
    yield between + JSON.stringify(event);
    between = ',\n';
  }
  yield '\n]}\n';
}

interface Place {
  readonly pid: number;
  readonly tid: number;
}

/** The events of a trace, without the prologue. */
export function* perfettoEvents(trace: Trace): Generator<TraceEvent> {
  const { place, names } = placesOf();
  const placeOfEntry = trace.entries.map((entry) => place(...trackOf(entry)));
  const times = timesOf(trace);
  for (const [index, entry] of trace.entries.entries()) {
    const where = placeOfEntry[index];
    const time = times[index];
    if (where === undefined || time === undefined) continue;
    const parts = lineParts(trace, index + 1);
    const { about = '', what = entry.type, why = '' } = parts ?? {};
    yield {
      ph: 'X',
      cat: entry.type,
      name: `${about}${about === '' ? '' : ': '}${what}`,
      ts: time.at,
      dur: time.lasts,
      ...where,
      args: { step: index + 1, ...(why === '' ? {} : { why }) },
    };
    for (const cause of entry.causes) {
      const step = stepOf(trace, cause);
      const from = step === undefined || step > index ? undefined : { where: placeOfEntry[step - 1], time: times[step - 1] };
      if (from?.where === undefined || from.time === undefined) continue;
      const arrow = { name: 'led to', cat: 'cause', id: `${step ?? 0}-${index + 1}` };
      yield { ph: 's', ...arrow, ts: from.time.at, ...from.where };
      yield { ph: 'f', bp: 'e', ...arrow, ts: time.at, ...where };
    }
  }
  yield* podPhases(trace, place);
  yield* names();
}

/** Start and length of each entry, in microseconds. Entries of one instant follow each other without overlap. */
function timesOf({ entries, startAt }: Trace): readonly { readonly at: number; readonly lasts: number }[] {
  const times: { at: number; lasts: number }[] = [];
  for (let from = 0; from < entries.length;) {
    const at = entries[from]?.at ?? 0;
    let to = from;
    while (to < entries.length && entries[to]?.at === at) to++;
    const lasts = MICROS / (to - from + 1);
    for (let index = from; index < to; index++) times.push({ at: (at - startAt) * MICROS + lasts * (index - from), lasts: lasts * 0.8 });
    from = to;
  }
  return times;
}

/** Returns the process and thread of an entry. A write belongs to the server, in the thread of its author. */
function trackOf(entry: Entry): readonly [process: string, thread: string] {
  const by = authorOf(entry);
  if (by === undefined) return [STORY, entry.type];
  if (entry.type === 'write' || entry.type === 'refusal') return [SERVER, by.controller ?? by.process];
  return [by.process, by.controller ?? (entry.type === 'delivery' ? 'cache' : 'life')];
}

type PlaceOf = ReturnType<typeof placesOf>['place'];

/** Assigns numbers to names in the order of their first use, and yields the events that name them in the viewer. */
function placesOf() {
  const pids = new Map<string, number>();
  const tids = new Map<string, Place & { readonly thread: string }>();
  const pidOf = (process: string): number => {
    let pid = pids.get(process);
    if (pid === undefined) pids.set(process, (pid = pids.size + 1));
    return pid;
  };
  for (const process of [STORY, SERVER]) pidOf(process);
  return {
    place(process: string, thread: string): Place {
      const key = `${process}\n${thread}`;
      let found = tids.get(key);
      if (found === undefined) tids.set(key, (found = { pid: pidOf(process), tid: tids.size + 1, thread }));
      return { pid: found.pid, tid: found.tid };
    },
    *names(): Generator<TraceEvent> {
      for (const [process, pid] of pids) {
        yield { ph: 'M', name: 'process_name', ts: 0, pid, tid: 0, args: { name: process } };
        yield { ph: 'M', name: 'process_sort_index', ts: 0, pid, tid: 0, args: { sort_index: process === PODS ? pids.size + 1 : pid } };
      }
      for (const { pid, tid, thread } of tids.values()) yield { ph: 'M', name: 'thread_name', ts: 0, pid, tid, args: { name: thread } };
    },
  };
}

/** Yields the phases of each pod as bars. */
function* podPhases({ entries, startAt, prologue }: Trace, place: PlaceOf): Generator<TraceEvent> {
  const open = new Map<string, { readonly at: number; readonly phase: string; readonly name: string }>();
  const last = entries.at(-1)?.at ?? startAt;
  const bar = (from: number, to: number, phase: string, name: string): TraceEvent => ({
    ph: 'X',
    cat: 'pod',
    name: phase,
    ts: (from - startAt) * MICROS,
    dur: Math.max(0, to - from) * MICROS,
    ...place(PODS, name),
  });
  for (const entry of [...prologue, ...entries]) {
    if (entry.type !== 'write' || entry.change.kind !== 'Pod') continue;
    const { object, type, key } = entry.change;
    const { uid, deletionTimestamp } = object.metadata;
    const { phase } = (object['status'] ?? {}) as { readonly phase?: unknown };
    const now = deletionTimestamp === undefined ? String(phase ?? 'Pending') : 'Terminating';
    const before = open.get(uid);
    const at = Math.max(startAt, entry.at);
    if (before !== undefined && (before.phase !== now || type === 'DELETED')) yield bar(before.at, at, before.phase, before.name);
    if (type === 'DELETED') open.delete(uid);
    else if (before?.phase !== now) open.set(uid, { at, phase: now, name: key });
  }
  for (const { at, phase, name } of open.values()) yield bar(at, last, phase, name);
}
