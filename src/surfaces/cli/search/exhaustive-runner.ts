/** Runs an exhaustive search, and writes its findings: reduced while there is time, and as they were found otherwise. */
import { byCause, findingOf, type Catch, type Finding, type Baseline } from '../../../lab/search/index.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { trialsFor } from '../moments.ts';
import { progressOn } from '../run/progress.ts';
import type { Budget, SearchOptions } from './options.ts';
import { rawOne, smallOne, writeFound, type Reported } from './files.ts';

const PAUSE_MS = 50;

/** Continues until everything has been tried, the budget is spent, or Ctrl-C. Returns the last result, and why it stopped early. */
export async function runToEnd<T extends { readonly runs: number }>(
  steps: Generator<T, T>,
  budget: Budget,
  io: Io,
  onStep: (latest: T) => { readonly enough: boolean; readonly text: string },
): Promise<{ readonly latest: T | undefined; readonly stopped?: 'spent' | 'interrupted' }> {
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  const startedAt = Date.now();
  let [latest, yieldedAt]: [T | undefined, number] = [undefined, startedAt];
  try {
    for (;;) {
      const { done, value } = steps.next();
      latest = value;
      if (done === true) return { latest };
      const { enough, text } = onStep(value);
      if (enough) return { latest, stopped: 'spent' };
      progress.show(text);
      const now = Date.now();
      if (isUsedUp(budget, value.runs, now - startedAt)) return { latest, stopped: 'spent' };
      if (now - yieldedAt < PAUSE_MS) continue;
      yieldedAt = now;
      await new Promise((go) => setImmediate(go));
      if (interruption?.aborted === true) return { latest, stopped: 'interrupted' };
    }
  } finally {
    progress.clear();
  }
}

/** A plateau is reached when everything has been tried. */
const isUsedUp = (budget: Budget, runs: number, ms: number): boolean =>
  budget !== 'plateau' && ('runs' in budget ? runs >= budget.runs : ms >= budget.ms);

/** Reduces findings and writes them. After Ctrl-C they are written as they were found: each reproduces, with more faults than needed. */
export async function reduceAndWrite(
  catches: readonly Catch[],
  base: Baseline,
  loaded: LoadedScenario,
  { seed, faults, judge, out }: Pick<SearchOptions, 'seed' | 'faults' | 'judge' | 'out'>,
  io: Io,
): Promise<readonly Reported[]> {
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  const { definitions } = loaded.plugins;
  const trials = trialsFor(definitions);
  const ground = { scenario: base.quiescence.scenario, field: { ...base.field, seed, faults } };
  const small: Finding[] = [];
  const raw: Catch[] = [];
  for (const caught of catches) {
    await new Promise((go) => setImmediate(go));
    const finding = interruption?.aborted === true ? undefined : findingOf(ground, caught, { with: definitions, judge }, trials);
    if (finding === undefined) raw.push(caught);
    else small.push(finding);
    progress.show(`${small.length} of ${catches.length} findings reduced`);
  }
  progress.clear();
  const found = [...byCause(small).map(smallOne), ...raw.map((caught) => rawOne(caught, ground))];
  const files = writeFound(found, loaded, seed, out, io.cwd);
  return found.map((each, at): Reported => ({ ...each, file: files[at] }));
}
