/** Reads the lines of audit logs: of several files, rotated ones too, in any order, with doubles, with a last line that is cut. */
import { isMapping, bump, compareText, membersOf, present, pushTo } from '../../schema/values/index.ts';
import type { Problem } from '../../schema/yaml/index.ts';
import { parseInstant } from '../scenario/index.ts';
import { componentOf } from './authors.ts';
import type { WatchRead } from './watch.ts';
import { parseLine } from './read-line.ts';
import { type LeftOut, type LogRecord, recordOf, type Ref, textIn } from './records.ts';

/** The longest line that is read, characters: a request is at most 3 MB upstream, and a response not much more. */
const LONGEST = 32 * 1024 * 1024;
/** So many problems are said. */
const MOST_PROBLEMS = 100;

/** What the lines of a log had. */
export interface AuditLog {
  /** In the order in which the requests were received. */
  readonly records: readonly LogRecord[];
  readonly lines: number;
  /** The first and last instant of the log, milliseconds since the epoch; absent: it has none. */
  readonly from?: number;
  readonly to?: number;
  /** When nodes renewed their leases, milliseconds since the epoch, in order. */
  readonly renewals: ReadonlyMap<string, readonly number[]>;
  /** How many lines were left out, by why. */
  readonly leftOut: ReadonlyMap<LeftOut | 'doubles', number>;
  /** Lines that could not be read; the rest was. */
  readonly problems: readonly Problem[];
  /** Its groups are those of the neutral domain. */
  readonly isNeutral: boolean;
}

type Reading = ReturnType<typeof beginReading>;

const beginReading = (kindOf: (ref: Ref) => string | undefined) => ({
  records: new Map<string, LogRecord>(),
  renewals: new Map<string, number[]>(),
  leftOut: new Map<LeftOut | 'doubles', number>(),
  problems: [] as Problem[],
  kindOf,
  lines: 0,
  first: '',
  last: '',
  isNeutral: false,
});

/** Creates a reader of lines. `kindOf`: the kind of a resource; undefined: it is not known. */
export function createLogReader(kindOf: (ref: Ref) => string | undefined) {
  const reading = beginReading(kindOf);
  return {
    line(text: string, file: string, line: number): void {
      if (text.trim() === '') return;
      reading.lines++;
      const refuse = (expected: string, found: string, col = 1): void => {
        if (reading.problems.length < MOST_PROBLEMS) reading.problems.push({ file, line, col, path: '', expected, found });
      };
      if (text.length > LONGEST) return refuse(`a line of at most ${LONGEST} characters`, `${text.length}`);
      const value = parseLine(text, kindOf);
      if (value === undefined) return refuse('a line of JSON', isCut(text) ? 'a line that is cut' : 'something else', text.length);
      const { items } = membersOf(value);
      for (const event of Array.isArray(items) ? (items as readonly unknown[]) : [value]) take(reading, event, `${file}:${line}`, refuse);
    },
    end(): AuditLog {
      for (const times of reading.renewals.values()) times.sort((a, b) => a - b);
      const { records, renewals, leftOut, problems, lines, first, last, isNeutral } = reading;
      const sorted = [...records.values()].sort((a, b) => a.at - b.at || compareText(a.time, b.time));
      const [from, to] = [parseInstant(first), parseInstant(last)];
      return { records: sorted, renewals, lines, ...present({ from, to }), leftOut, problems, isNeutral };
    },
  };
}

function noteRenewal({ renewals }: Reading, event: Readonly<{ [name: string]: unknown }>, time: string): void {
  const by = componentOf(textIn(membersOf(event['user']), 'username') ?? '', '');
  const at = parseInstant(time);
  if (by?.sort === 'node' && at !== undefined) pushTo(renewals, by.node, at);
}

const isCut = (text: string): boolean => text.startsWith('{') && !text.trimEnd().endsWith('}');

function take(reading: Reading, event: unknown, place: string, refuse: (expected: string, found: string) => void): void {
  const { records, leftOut, kindOf } = reading;
  const read = recordOf(event, place, kindOf);
  if (typeof read === 'object' && 'wrong' in read) {
    refuse(read.wrong, isMapping(event) ? `an object of kind ${JSON.stringify(textIn(event, 'kind') ?? '')}` : 'something else');
    return;
  }
  const time = textIn(membersOf(event), 'stageTimestamp') ?? '';
  if (time !== '' && (reading.first === '' || time < reading.first)) reading.first = time;
  if (time > reading.last) reading.last = time;
  if (typeof read === 'string') {
    bump(leftOut, read);
    if (read === 'renewals of leases') noteRenewal(reading, membersOf(event), time);
    return;
  }
  if (/(?:^|\.)orch\.io$/.test(read.ref.group) || Object.values(membersOf(membersOf(event)['annotations'])).includes('orch.io'))
    reading.isNeutral = true;
  const id = textIn(membersOf(event), 'auditID') ?? place;
  const before = records.get(id);
  if (before !== undefined) bump(leftOut, 'doubles');
  // Servers behind one another log a request with the same id; the one that knows more counts.
  if (before === undefined || (before.isBare && !read.isBare)) records.set(id, read);
}

/** Adds the records of watches to a log: one incident. */
export function withRecords(log: AuditLog, { records, events, problems }: WatchRead): AuditLog {
  const times = [...records.map(({ at }) => at), ...[log.from, log.to].filter((at) => at !== undefined)];
  const [from, to] = times.reduce(([first, last], at) => [Math.min(first, at), Math.max(last, at)], [Infinity, -Infinity]);
  return {
    ...log,
    records: [...log.records, ...records].sort((a, b) => a.at - b.at),
    lines: log.lines + events,
    problems: [...log.problems, ...problems],
    isNeutral: log.isNeutral || records.some(({ ref }) => /(?:^|\.)orch\.io$/.test(ref.group)),
    ...(times.length === 0 ? {} : { from, to }),
  };
}
