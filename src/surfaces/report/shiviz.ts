/**
 * A run as a log with vector clocks, as ShiViz draws it: a column for the server and for each process, a line from what led to what.
 * Its first line is the expression that reads the others, its second (what separates executions) is empty.
 */
import { formatSince, lineParts, type Entry, type Trace } from '../../lab/trace/index.ts';

/** How the viewer reads an event: two lines, whose it is with its clock, and what it was. */
const SHIVIZ_EVENT = String.raw`(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`;

type Clock = ReadonlyMap<string, number>;

/** The lines of the file. A host's own component begins at 1 and grows by 1; what led to an event is contained in its clock. */
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
    // Notes and checks bear the identity of the entry before them: nothing is caused by them.
    if (entry.type !== 'note' && entry.type !== 'check') entries.set(entry.id, clock);
    yield `${host} ${JSON.stringify(Object.fromEntries(clock))}`;
    yield eventOf(trace, index + 1);
  }
}

/** Names without spaces: the columns. */
function hostOf(entry: Entry): string {
  switch (entry.type) {
    case 'write':
    case 'refusal':
      return 'server';
    case 'reconcile':
    case 'timer':
    case 'delivery':
    case 'process':
      return entry.process.replaceAll(/\s+/g, '-');
    default:
      return 'scenario';
  }
}

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
