/** Conducts a search: rounds until the budget is spent or somebody interrupts, then what was found is made small. Nothing that was found is lost. */
import { byCause, type Catch, type Draw, type Finding, type Outcome, type Search } from '../../../lab/search/index.ts';
import { isSpent, type Budget } from './budget.ts';
import type { Hands } from './hands.ts';

export interface Conducted {
  /** Small, by cause. */
  readonly findings: readonly Finding[];
  /** Found, and not made small any more. */
  readonly raw: readonly Catch[];
  /** Found once, and not again when it was made from its choices. */
  readonly lost: readonly Catch[];
  readonly interrupted: boolean;
}

interface Conducting {
  readonly budget: Budget;
  readonly untilFound: boolean;
  readonly interruption?: AbortSignal | undefined;
  /** Milliseconds since the search began. */
  elapsed(): number;
  tell(text: string): void;
}

export async function conduct(search: Search, hands: Hands, how: Conducting): Promise<Conducted> {
  const stopped = new Promise<'stopped'>((stop) => {
    how.interruption?.addEventListener('abort', () => stop('stopped'));
  });
  const isStopped = (): boolean => how.interruption?.aborted === true;
  const spent = (): boolean =>
    isSpent(how.budget, { runs: search.runs, lastNews: search.progress.lastNews, ms: how.elapsed() }) ||
    (how.untilFound && search.catches.length > 0);
  while (!isStopped() && !spent()) {
    search.take(await round(search, hands, stopped));
    const { reached, lastNews } = search.progress;
    how.tell(`${search.runs} runs, ${search.catches.length} found, ${reached.size} reasons reached (the last in run ${lastNews})`);
  }
  const findings: Finding[] = [];
  const lost: Catch[] = [];
  const open = new Set(search.catches);
  const jobs = search.catches.map(async (caught) => {
    const done = await hands.perform({ ask: 'shrink', caught });
    if (done.ask !== 'shrink' || isStopped()) return;
    open.delete(caught);
    if (done.finding === undefined) lost.push(caught);
    else findings.push(done.finding);
    how.tell(`${findings.length} of ${search.catches.length} findings made small`);
  });
  if (!isStopped()) await Promise.race([Promise.all(jobs), stopped]);
  return { findings: byCause(findings), raw: [...open], lost, interrupted: isStopped() };
}

/** What came of a round; of one that is broken off, what had come by then. */
async function round(search: Search, hands: Hands, stopped: Promise<'stopped'>): Promise<readonly Outcome[]> {
  const draws = search.round();
  const size = Math.max(1, Math.ceil(draws.length / (hands.many * 4)));
  const outcomes: Outcome[] = [];
  const part = async (some: readonly Draw[]): Promise<void> => {
    const done = await hands.perform({ ask: 'make', draws: some });
    if (done.ask === 'make') outcomes.push(...done.outcomes);
  };
  const parts: Promise<void>[] = [];
  for (let from = 0; from < draws.length; from += size) parts.push(part(draws.slice(from, from + size)));
  await Promise.race([Promise.all(parts), stopped]);
  return outcomes.sort((a, b) => a.number - b.number);
}
