/** Compares two runs of one seed, entry by entry. The result has both forms of the first entry that differs. */
import {
  diffValues,
  entryLine,
  formatParts,
  formatSince,
  partsOf,
  type Entry,
  type PathChange,
  type Trace,
} from '../../../lab/trace/index.ts';

import type { LoadedScenario } from '../load.ts';

/** The parts of a run that must be equal every time. */
export interface Record {
  readonly digest: string;
  readonly trace: Trace;
}

/** Makes one run of a scenario. Tests pass one that is not deterministic. */
export type RunOnce = (loaded: LoadedScenario, seed: number) => Record;

/** The first entry that differs; a run that had already ended has no line. */
export interface FirstDifference {
  /** From 1; 0 and below are in the prologue. */
  readonly step: number;
  readonly time: string;
  readonly first?: string;
  readonly second?: string;
  readonly changes: readonly PathChange[];
}

export type Entries = Iterable<string>;

/** The lines of all entries, those of the prologue first. */
export function* entryLines({ prologue, entries }: Trace): Generator<string> {
  for (const entry of prologue) yield entryLine(entry);
  for (const entry of entries) yield entryLine(entry);
}

/** Compares a trace with the lines of another. Returns undefined if they are equal byte by byte. */
export function firstDifference(trace: Trace, other: Entries): FirstDifference | undefined {
  const lines = other[Symbol.iterator]();
  const before = trace.prologue.length;
  let step = -before;
  for (const mine of entryLines(trace)) {
    step++;
    const next = lines.next();
    const theirs = next.done === true ? undefined : next.value;
    if (mine !== theirs) return describe(trace, step, mine, theirs);
  }
  const more = lines.next();
  return more.done === true ? undefined : describe(trace, step + 1, undefined, more.value);
}

function describe({ startAt }: Trace, step: number, mine: string | undefined, theirs: string | undefined): FirstDifference {
  const [first, second] = [mine, theirs].map((text) => (text === undefined ? undefined : (JSON.parse(text) as Entry)));
  const at = first?.at ?? second?.at ?? startAt;
  const line = (entry: Entry | undefined): string | undefined =>
    entry === undefined ? undefined : formatParts(partsOf(entry, step, startAt, '')).trim();
  const [a, b] = [line(first), line(second)];
  return {
    step,
    time: formatSince(at - startAt),
    ...(a === undefined ? {} : { first: a }),
    ...(b === undefined ? {} : { second: b }),
    changes: first === undefined || second === undefined ? [] : diffValues(first, second),
  };
}
