/**
 * A run as a log with vector clocks, for ShiViz: a column for the server and for each process, a line from cause to effect. The first line
 * of the file is the expression that parses the others. The second separates executions, and is empty.
 */
import { authorOf, formatSince, lineParts, type Entry, type Trace } from '../../lab/trace/index.ts';

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
