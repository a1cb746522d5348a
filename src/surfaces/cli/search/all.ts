/**
 * How a search of all there is goes on, and what becomes of what it finds: made small while there is time, and written down in any case.
 */
import { byCause, findingOf, type Catch, type Finding, type Baseline } from '../../../lab/search/index.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { progressOn } from '../run/progress.ts';
import type { Budget } from './budget.ts';
import { rawOne, smallOne } from './counted.ts';
import { writeFound } from './files.ts';
import type { Reported } from './tell.ts';
import type { SearchOptions } from './wishes.ts';

const PAUSE_MS = 50;

/**
 * Goes on until everything has been looked at, the budget is spent or somebody interrupts; answers what there is then, and which of these
 * it was.
 */
export async function goThrough<T extends { readonly runs: number }>(
  going: Generator<T, T>,
  budget: Budget,
  io: Io,
  hear: (so: T) => { readonly enough: boolean; readonly text: string },
): Promise<{ readonly so: T | undefined; readonly stopped?: 'spent' | 'interrupted' }> {
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  const startedAt = Date.now();
  let [so, breathedAt]: [T | undefined, number] = [undefined, startedAt];
  try {
    for (;;) {
      const { done, value } = going.next();
      so = value;
      if (done === true) return { so };
      const { enough, text } = hear(value);
      if (enough) return { so, stopped: 'spent' };
      progress.show(text);
      const now = Date.now();
      if (isUsedUp(budget, value.runs, now - startedAt)) return { so, stopped: 'spent' };
      if (now - breathedAt < PAUSE_MS) continue;
      breathedAt = now;
      await new Promise((go) => setImmediate(go));
      if (interruption?.aborted === true) return { so, stopped: 'interrupted' };
    }
  } finally {
    progress.clear();
  }
}

/** A plateau is the end of what there is. */
const isUsedUp = (budget: Budget, runs: number, ms: number): boolean =>
  budget !== 'plateau' && ('runs' in budget ? runs >= budget.runs : ms >= budget.ms);

/** Makes catches small and writes them. Whoever interrupts has them as they were found: each breaks by itself, of more than it needs. */
export async function keepAll(
  catches: readonly Catch[],
  looked: Baseline,
  loaded: LoadedScenario,
  { seed, faults, out }: Pick<SearchOptions, 'seed' | 'faults' | 'out'>,
  io: Io,
): Promise<readonly Reported[]> {
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  const ground = { scenario: looked.quiescence.scenario, field: { ...looked.field, seed, faults } };
  const small: Finding[] = [];
  const raw: Catch[] = [];
  for (const caught of catches) {
    await new Promise((go) => setImmediate(go));
    const finding = interruption?.aborted === true ? undefined : findingOf(ground, caught, { with: loaded.own.definitions });
    if (finding === undefined) raw.push(caught);
    else small.push(finding);
    progress.show(`${small.length} of ${catches.length} findings reduced`);
  }
  progress.clear();
  const found = [...byCause(small).map(smallOne), ...raw.map((caught) => rawOne(caught, ground))];
  const files = writeFound(found, loaded, seed, out, io.cwd);
  return found.map((each, at): Reported => ({ ...each, file: files[at] }));
}
