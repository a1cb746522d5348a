/** The report of a part of a search: a line of JSON that identifies the search, with its statistics. */
import { faultKinds } from '../../../lab/choices/index.ts';
import { EDITED, EDITS, SORTS, type InjectedFault, type PointChoice } from '../../../lab/scenario/index.ts';
import { type Catch, catchName, type Cause, type Sample, type Statistics, type Tally, type Baseline } from '../../../lab/search/index.ts';
import { createHash } from 'node:crypto';
import { compareText } from '../../../schema/values/index.ts';
import { BadInput } from '../exit.ts';
import { budgetText, type SearchOptions } from './options.ts';

const FORMAT = 'orchsim-search/v3';

/** The fields that the parts of one search share. */
export interface SearchIdentity {
  readonly scenario: string;
  /** The fingerprint of the scenario that is searched. */
  readonly print: string;
  readonly corpus: string;
  readonly seed: number;
  readonly faults: readonly string[];
  readonly judge: string;
  readonly budget: string;
  readonly of: number;
}

export interface Report extends SearchIdentity {
  /** The number of the part, from 1. */
  readonly index: number;
  readonly statistics: Statistics;
}

/** At most so many entries of a list are read; a search writes fewer by orders of magnitude. */
const MOST = 1_000_000;

class Malformed extends Error {}

type Read<T> = (value: unknown, at: string) => T;

const refuse = (at: string, expected: string): never => {
  throw new Malformed(`${at}: expected ${expected}`);
};
const text: Read<string> = (value, at) => (typeof value === 'string' ? value : refuse(at, 'a text'));
const whole: Read<number> = (value, at) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : refuse(at, 'a whole number');
const count: Read<number> = (value, at) => (whole(value, at) >= 0 ? whole(value, at) : refuse(at, 'a number from 0'));
const list =
  <T>(each: Read<T>): Read<readonly T[]> =>
  (value, at) => {
    const items: readonly unknown[] = Array.isArray(value) && value.length <= MOST ? value : refuse(at, `a list of at most ${MOST}`);
    return items.map((item, index) => each(item, `${at}[${index}]`));
  };
const pair =
  <A, B>(first: Read<A>, second: Read<B>): Read<readonly [A, B]> =>
  (value, at) => {
    const [a, b] = list<unknown>((item) => item)(value, at);
    return [first(a, `${at}[0]`), second(b, `${at}[1]`)];
  };

/** Reads an own property of an object; undefined: it has none. */
const member = (value: unknown, name: string, at: string): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(at, 'an object');
  return Object.getOwnPropertyDescriptor(value, name)?.value;
};
const inside = <T>(value: unknown, name: string, at: string, read: Read<T>): T => read(member(value, name, at), `${at}.${name}`);

/** The members that are there; what must be there is refused by its reader. */
const record =
  <T extends object>(members: { readonly [K in keyof T]-?: Read<T[K]> }): Read<T> =>
  (value, at) =>
    Object.fromEntries(
      Object.entries<Read<unknown>>(members)
        .map(([name, read]) => [name, inside(value, name, at, read)] as const)
        .filter(([, read]) => read !== undefined),
    ) as T;
const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : read(value, at);
const mark: Read<true | undefined> = (value) => (value === true ? true : undefined);
/** Numeric parameters of a fault, by name: milliseconds, or a code. */
const NUMBERS = ['ms', 'code', 'restartAfterMs', 'arrivesAfterMs', 'staleByMs', 'frozenMs', 'forMs', 'untilMs', 'undoMs'] as const;
const CHOSEN: Readonly<Record<string, readonly string[]>> = { when: ['before', 'after', 'during'], edit: EDITS, of: EDITED };
const NEEDED: Readonly<Record<InjectedFault['do'], readonly string[]>> = {
  hold: ['ms'],
  late: ['ms'],
  refuse: ['code'],
  lose: [],
  crash: ['when', 'restartAfterMs'],
  relist: [],
  'old-relist': ['staleByMs'],
  freeze: ['ms'],
  gap: ['ms'],
  meddle: ['edit', 'of'],
  unlabel: ['of'],
  scale: ['of'],
  recreate: ['of'],
  cut: ['ms'],
  skew: ['ms', 'forMs'],
  hang: [],
  slow: ['ms'],
};

const injectedFault: Read<InjectedFault> = (value, at) => {
  const names = faultKinds.map(({ name }) => name);
  const kind = names.find((name) => name === member(value, 'do', at)) ?? refuse(`${at}.do`, `one of ${names.join(', ')}`);
  const asOf = member(value, 'asOf', at);
  const found = {
    do: kind,
    ...(typeof asOf === 'string' ? { asOf } : {}),
    ...Object.fromEntries(
      Object.entries(CHOSEN).flatMap(([name, words]) =>
        words.filter((word) => word === member(value, name, at)).map((word) => [name, word]),
      ),
    ),
    ...Object.fromEntries(
      NUMBERS.flatMap((name) => {
        const number = member(value, name, at);
        return number === undefined ? [] : [[name, whole(number, `${at}.${name}`)]];
      }),
    ),
  };
  for (const name of NEEDED[kind]) if (!(name in found)) refuse(`${at}.${name}`, `what ${kind} needs`);
  return found as InjectedFault;
};

const choice: Read<PointChoice> = (value, at) => {
  const address = inside(value, 'at', at, text);
  if (!SORTS.some((sort) => address.startsWith(`${sort} `))) refuse(`${at}.at`, 'the address of a point');
  return { at: address, injectedFault: inside(value, 'injectedFault', at, injectedFault) };
};
const choices = list(choice);

const cause = record<Cause>({
  claim: text,
  message: text,
  process: optional(text),
  controller: optional(text),
  action: optional(text),
  why: optional(text),
  own: mark,
  gaveUp: optional(text),
  elsewhere: mark,
});

const sample = record<Sample>({ run: whole, choices });
const caught = record<Catch>({ cause, choices, run: whole, firstRun: whole, seen: count, others: optional(list(sample)) });
const names: Read<Set<string>> = (value, at) => new Set(list(text)(value, at));
const moments = record<Statistics['moments']>({ single: names, pairs: names });

const tally = record<Tally>({ injectedFault: text, whom: text, times: count, news: count, broke: count, nothing: count });

const counts = record<Pick<Statistics, 'runs' | 'replayed' | 'stuck'>>({ runs: count, replayed: count, stuck: count });

const identity = record<Omit<SearchIdentity, 'of'>>({
  scenario: text,
  print: text,
  corpus: text,
  seed: count,
  faults: list(text),
  judge: text,
  budget: text,
});

const statistics: Read<Statistics> = (value, at) => ({
  ...counts(value, at),
  reached: new Map(inside(value, 'reached', at, list(pair(text, whole)))),
  kept: new Map(inside(value, 'kept', at, list(pair(whole, choices)))),
  tried: new Map(inside(value, 'tried', at, list(tally)).map((one) => [`${one.injectedFault} ${one.whom}`, one] as const)),
  catches: new Map(inside(value, 'catches', at, list(caught)).map((one) => [catchName(one), one] as const)),
  moments: inside(value, 'moments', at, moments),
  idle: new Set(inside(value, 'idle', at, list(text))),
});

const report: Read<Report> = (value, at) => {
  if (member(value, 'report', at) !== FORMAT) refuse(`${at}.report`, `${FORMAT}: another version of orchsim wrote it`);
  const of = inside(value, 'of', at, count);
  const index = inside(value, 'index', at, count);
  if (index < 1 || index > of) refuse(`${at}.index`, `from 1 to ${of}`);
  return {
    ...identity(value, at),
    of,
    index,
    statistics: statistics(value, at),
  };
};

interface Searched extends Pick<SearchOptions, 'seed' | 'faults' | 'judge' | 'budget' | 'shard'> {
  readonly baseline: Baseline;
  readonly name: string;
  readonly corpus: readonly (readonly PointChoice[])[];
}

export const identityOf = ({ baseline, name, seed, faults, judge, budget, corpus, shard }: Searched): SearchIdentity => ({
  scenario: name,
  print: printOf(baseline.quiescence.scenario),
  corpus: printOf(corpus),
  seed,
  faults: [...faults].sort(compareText),
  judge,
  budget: budgetText(budget),
  of: shard?.of ?? 1,
});

const printOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

export function reportLine(
  identity: SearchIdentity,
  index: number,
  { reached, kept, tried, catches, moments, idle, ...counts }: Statistics,
  partial: boolean,
): string {
  return `${JSON.stringify({
    report: FORMAT,
    ...identity,
    index,
    ...(partial ? { partial } : {}),
    runs: counts.runs,
    replayed: counts.replayed,
    stuck: counts.stuck,
    reached: [...reached],
    kept: [...kept],
    tried: [...tried.values()],
    catches: [...catches.values()],
    moments: { single: [...moments.single], pairs: [...moments.pairs] },
    idle: [...idle],
  })}\n`;
}

/** Returns the reports in a text that may have other lines. Throws BadInput if there is none, or one is malformed. */
export function readReports(text: string, file: string): readonly Report[] {
  const found = text.split('\n').flatMap((line, at) => (line.startsWith('{"report":"') ? [readLine(line, `${file}:${at + 1}`)] : []));
  if (found.length === 0) throw new BadInput(`${file}: it has no report of a search; search --shard 1/2 --report FILE writes one`);
  return found;
}

function readLine(line: string, where: string): Report {
  try {
    return report(JSON.parse(line), 'report');
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadInput(`${where}: a report that is truncated or changed: it is not JSON`);
    throw error instanceof Malformed ? new BadInput(`${where}: ${error.message}`) : error;
  }
}

/** Refuses reports of different searches; returns the missing parts. */
export function missingIn(reports: readonly Report[]): readonly number[] {
  const [first] = reports;
  if (first === undefined) return [];
  const seen = new Set<number>();
  for (const each of reports) {
    for (const name of ['scenario', 'print', 'corpus', 'seed', 'faults', 'judge', 'budget', 'of'] as const)
      if (String(each[name]) !== String(first[name]))
        throw new BadInput(
          `--merge: parts of two searches: ${WORDS[name]} ${String(first[name])} in part ${first.index}, ${String(each[name])} in part ${each.index}`,
        );
    if (seen.has(each.index)) throw new BadInput(`--merge: part ${each.index} of ${each.of} comes twice`);
    seen.add(each.index);
  }
  return Array.from({ length: first.of }, (_, at) => at + 1).filter((index) => !seen.has(index));
}

const WORDS: Readonly<Record<keyof SearchIdentity, string>> = {
  scenario: 'the scenario is',
  print: 'the fingerprint of the scenario is',
  corpus: 'the fingerprint of the corpus is',
  seed: 'the seed is',
  faults: 'the faults are',
  judge: 'what is judged is',
  budget: 'the budget is',
  of: 'the number of parts is',
};
