/** The report of a part of a search: a line of JSON that identifies the search, with its statistics. */
import { createHash } from 'node:crypto';
import { FORMAT, reportOf, type Report, type SearchIdentity } from './report-shape.ts';
import { compareText } from '../../../schema/values/index.ts';
import type { Statistics, Shard, Baseline } from '../../../lab/search/index.ts';
import type { PointChoice } from '../../../lab/scenario/index.ts';
import { BadInput } from '../exit.ts';
import { budgetText, type Budget } from './budget.ts';

interface Searched {
  readonly baseline: Baseline;
  readonly name: string;
  readonly seed: number;
  readonly faults: readonly string[];
  readonly budget: Budget;
  readonly corpus: readonly (readonly PointChoice[])[];
  readonly shard?: Shard | undefined;
}

/** The identity of a search. */
export const identityOf = ({ baseline, name, seed, faults, budget, corpus, shard }: Searched): SearchIdentity => ({
  scenario: name,
  print: printOf(baseline.quiescence.scenario),
  corpus: printOf(corpus),
  seed,
  faults: [...faults].sort(compareText),
  budget: budgetText(budget),
  of: shard?.of ?? 1,
});

const printOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** The report as one line. */
export function reportLine(
  identity: SearchIdentity,
  index: number,
  { reached, kept, tried, catches, idle, ...counts }: Statistics,
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
    idle: [...idle],
  })}\n`;
}

/**
 * Returns the reports in a text that may have other lines, such as the logs of several parts in one file. Throws BadInput if there is none,
 * or if one is malformed.
 */
export function readReports(text: string, file: string): readonly Report[] {
  const found = text.split('\n').flatMap((line, at) => (line.startsWith('{"report":"') ? [readLine(line, `${file}:${at + 1}`)] : []));
  if (found.length === 0) throw new BadInput(`${file}: it has no report of a search; search --shard 1/2 --report FILE writes one`);
  return found;
}

function readLine(line: string, where: string): Report {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new BadInput(`${where}: a report that is truncated or changed: it is not JSON`);
  }
  const report = reportOf(value);
  if (typeof report === 'string') throw new BadInput(`${where}: ${report}`);
  return report;
}

/** Refuses reports of different searches; returns the missing parts. */
export function missingIn(reports: readonly Report[]): readonly number[] {
  const [first] = reports;
  if (first === undefined) return [];
  const seen = new Set<number>();
  for (const each of reports) {
    for (const name of ['scenario', 'print', 'corpus', 'seed', 'faults', 'budget', 'of'] as const)
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
  budget: 'the budget is',
  of: 'the number of parts is',
};
