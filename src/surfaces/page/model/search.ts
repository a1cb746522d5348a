/** Searches the log: `kind:Pod by:job why:wanted web`. An entry must match all parts. */
import { authorOf, lineParts, shortKey, whyOf, type Entry, type Trace } from '../../../lab/trace/index.ts';
import type { Reported } from './log.ts';

export interface Query {
  readonly kind: readonly string[];
  readonly by: readonly string[];
  readonly why: readonly string[];
  readonly words: readonly string[];
}

/** Parses a query; undefined: it is empty. */
export function queryOf(text: string): Query | undefined {
  const query = { kind: [] as string[], by: [] as string[], why: [] as string[], words: [] as string[] };
  for (const [, field = '', quoted, bare] of text.toLowerCase().matchAll(/(?:(kind|by|why):)?(?:"([^"]*)"?|(\S+))/g)) {
    const value = quoted ?? bare ?? '';
    if (value === '') continue;
    if (field === 'kind' || field === 'by' || field === 'why') query[field].push(value);
    else query.words.push(value);
  }
  return Object.values(query).some((each) => each.length > 0) ? query : undefined;
}

/** Steps between two yields: less than a millisecond. */
const AT_ONCE = 128;

/** Finds matching log entries. It yields often, so that the caller can do other work. */
export function* matchesIn(trace: Trace, { steps }: Reported, query: Query): Generator<undefined, readonly number[]> {
  const found: number[] = [];
  for (let at = 0; at < steps.length; at++) {
    if (at % AT_ONCE === AT_ONCE - 1) yield undefined;
    const step = steps[at] ?? 0;
    const entry = trace.entries[step - 1];
    if (entry !== undefined && isMeant(trace, entry, step, query)) found.push(step);
  }
  return found;
}

function isMeant(trace: Trace, entry: Entry, step: number, { kind, by, why, words }: Query): boolean {
  // The most expensive check, the text of the line, comes last.
  if (!kind.every((each) => kindOf(entry).toLowerCase() === each)) return false;
  if (!by.every((each) => authorTextOf(entry).toLowerCase().includes(each))) return false;
  if (why.length > 0) {
    const sentence = (entry.type === 'reconcile' ? entry.why : whyOf(trace, entry)).toLowerCase();
    if (!why.every((each) => sentence.includes(each))) return false;
  }
  if (words.length === 0) return true;
  const parts = lineParts(trace, step);
  const line = parts === undefined ? '' : `${parts.who} ${parts.about} ${parts.what} ${keyOfEntry(entry)}`.toLowerCase();
  return words.every((each) => line.includes(each));
}

const kindOf = (entry: Entry): string => (entry.type === 'write' ? entry.change.kind : entry.type === 'delivery' ? entry.kind : entry.type);
const keyOfEntry = (entry: Entry): string => (entry.type === 'write' ? shortKey(entry.change.key) : '');

const authorTextOf = (entry: Entry): string => {
  const by = authorOf(entry);
  return by === undefined ? entry.type : `${by.process} ${by.controller ?? ''}`;
};
