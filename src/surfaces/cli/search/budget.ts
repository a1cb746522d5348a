/** The budget of a search: a number of runs, a time, or until nothing new has been reached for some runs. */
import { formatDurationMs, parseDurationMs } from '../../../schema/values/index.ts';
import { ROUND, type Search } from '../../../lab/search/index.ts';
import { BadInput } from '../exit.ts';

export type Budget = { readonly runs: number } | { readonly ms: number } | 'plateau';

/** Runs without anything new, and at least as many in all, that are a plateau. */
const PLATEAU = 8 * ROUND;
const MOST_RUNS = 100_000_000;

/** `60s`, `500 runs`, `500`, `plateau`; throws BadInput for anything else. */
export function readBudget(text: string): Budget {
  if (text === 'plateau') return text;
  const runs = /^(\d{1,9}) ?(?:runs?)?$/.exec(text.trim());
  if (runs !== null) {
    const many = Number(runs[1]);
    if (many < 1 || many > MOST_RUNS) throw new BadInput(`--budget: expected from 1 to ${MOST_RUNS} runs, found ${many}`);
    return { runs: many };
  }
  const { value: ms } = parseDurationMs(text);
  if (ms !== undefined && ms > 0) return { ms };
  throw new BadInput(
    `--budget: expected a duration such as 60s, a number of runs such as "500 runs", or plateau, found ${JSON.stringify(text)}`,
  );
}

/** Whether the budget is spent after this many milliseconds. */
export const isSpent = (budget: Budget, { sinceNews, within }: Pick<Search, 'sinceNews' | 'within'>, ms: number): boolean =>
  budget === 'plateau' ? sinceNews >= PLATEAU : 'runs' in budget ? !within(budget.runs) : ms >= budget.ms;

/** The number of runs; undefined: the budget is not a number of runs. */
export const runsOf = (budget: Budget): number | undefined => (budget !== 'plateau' && 'runs' in budget ? budget.runs : undefined);

/** The budget as its option. */
export const budgetText = (budget: Budget): string =>
  budget === 'plateau' ? budget : 'runs' in budget ? `${budget.runs} runs` : formatDurationMs(budget.ms);
