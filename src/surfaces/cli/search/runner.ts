/** Runs a search: rounds until the budget is spent or Ctrl-C; then findings are reduced. No finding is lost. */
import { byCause, isBroken } from '../../../lab/search/index.ts';
import type { Catch, Draw, Finding, Statistics, Outcome, Search } from '../../../lab/search/index.ts';
import { isSpent, runsOf, type Budget } from './options.ts';
import type { WorkerPool } from './worker-pool.ts';

export type ReducedFindings = Awaited<ReturnType<typeof reduceAll>>;

interface Interruptible {
  readonly interruption?: AbortSignal | undefined;
  report(text: string): void;
}

interface RunControl extends Interruptible {
  readonly budget: Budget;
  readonly untilFound: boolean;
  /** Milliseconds since the search began. */
  elapsed(): number;
}

const stopOf = ({ interruption }: Interruptible): Promise<'stopped'> =>
  new Promise((stop) => {
    if (interruption?.aborted === true) stop('stopped');
    interruption?.addEventListener('abort', () => stop('stopped'));
  });

/** Makes runs until the budget is spent or an interruption. */
export async function runRounds(search: Search, pool: WorkerPool, how: RunControl): Promise<void> {
  const stopped = stopOf(how);
  const { statistics } = search;
  const spent = (): boolean => isSpent(how.budget, search, how.elapsed()) || (how.untilFound && counted(statistics).length > 0);
  while (how.interruption?.aborted !== true && !spent()) {
    search.take(await round(search.round(runsOf(how.budget)), pool, stopped));
    how.report(progressText(search, how));
  }
}

/** The failures that count. */
export const counted = ({ catches }: Pick<Statistics, 'catches'>): readonly Catch[] =>
  [...catches.values()].filter(({ cause }) => isBroken([cause]));

function progressText({ statistics, sinceNewReason, coverage }: Search, { elapsed }: RunControl): string {
  const { runs, reached } = statistics;
  const { single } = coverage();
  const speed = Math.round(runs / Math.max(0.001, elapsed() / 1_000));
  const moments = single.of === 0 ? '' : `, ${Math.floor((single.tried / single.of) * 100)} % of single faults tried`;
  return `${runs} runs, ${speed} a second, ${counted(statistics).length} found${moments}, ${reached.size} reasons reached (none for ${sinceNewReason} runs)`;
}

export async function reduceAll({ catches }: Pick<Statistics, 'catches'>, pool: WorkerPool, how: Interruptible) {
  const stopped = stopOf(how);
  const isStopped = (): boolean => how.interruption?.aborted === true;
  const caughtOnes = counted({ catches });
  const findings: Finding[] = [];
  /** Failures that did not reproduce from their choices. */
  const lost: Catch[] = [];
  const open = new Set(caughtOnes);
  const jobs = caughtOnes.map(async (caught) => {
    const done = await pool.perform({ kind: 'shrink', caught });
    if (done.kind !== 'shrink' || isStopped()) return;
    open.delete(caught);
    if (done.findings.length === 0) lost.push(caught);
    else findings.push(...done.findings);
    how.report(`${caughtOnes.length - open.size} of ${caughtOnes.length} findings reduced`);
  });
  if (!isStopped()) await Promise.race([Promise.all(jobs), stopped]);
  const raw: readonly Catch[] = [...open];
  return { findings: byCause(findings), raw, lost: lost as readonly Catch[], interrupted: isStopped() };
}

/** The outcomes of a round; after an interruption, those that are ready. Batches become smaller towards its end, down to one run. */
async function round(draws: readonly Draw[], pool: WorkerPool, stopped: Promise<'stopped'>): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const part = async (some: readonly Draw[]): Promise<void> => {
    const done = await pool.perform({ kind: 'make', draws: some });
    if (done.kind === 'make') outcomes.push(...done.outcomes);
  };
  const parts: Promise<void>[] = [];
  for (let from = 0; from < draws.length;) {
    const to = from + Math.max(1, Math.floor((draws.length - from) / (pool.many * 2)));
    parts.push(part(draws.slice(from, to)));
    from = to;
  }
  await Promise.race([Promise.all(parts), stopped]);
  return outcomes.sort((a, b) => a.number - b.number);
}
