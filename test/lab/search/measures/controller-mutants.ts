/** Mutants of built-in controllers: killed by a shipped scenario as it is, by a search of one, or alive. */
import { baseline, beginSearch, causeText, make } from '../../../../src/lab/search/index.ts';
import { simulate, type SimulateOptions } from '../../../../src/lab/simulation/index.ts';
import type { LoadedScenario } from '../../../../src/surfaces/cli/load.ts';
import { shipped } from '../../../support/shipped.ts';
import { CONTROLLER_MUTANTS, type ControllerMutant, planted } from '../controller-mutants/catalogue.ts';

type Rows = readonly (readonly string[])[];

/** What killed a mutant: `scenario NAME`, `search of NAME, run 12: CLAIM`; undefined: it lives. */
export function killerOf(mutant: ControllerMutant, asked: readonly LoadedScenario[], runs: number, seed: number): string | undefined {
  const making = { controllers: planted(mutant) };
  for (const { scenario } of asked)
    if (simulate(scenario, { ...making, digest: false }).failures.length > 0) return `scenario ${scenario.name}`;
  for (const { scenario } of asked) {
    const found = searchedFor(scenario, making, runs, seed);
    if (found === undefined) continue;
    // What a search says of the original too does not kill a mutant.
    const usual = new Set(found.all.map(causeText));
    const innocent = usual.size === 0 ? undefined : searchedFor(scenario, {}, found.run, seed, usual);
    if (innocent === undefined) return `search of ${scenario.name}, run ${found.run}: ${found.all[0]?.claim ?? ''}`;
  }
  return undefined;
}

/** The first run in which something breaks, of these causes if they are given. */
function searchedFor(
  scenario: LoadedScenario['scenario'],
  making: Pick<SimulateOptions, 'controllers'>,
  runs: number,
  seed: number,
  causes?: ReadonlySet<string>,
) {
  const base = baseline(scenario, making);
  if ('unfit' in base) return undefined;
  const search = beginSearch(base, { seed });
  while (search.within(runs)) {
    const outcomes = [];
    for (const draw of search.round(runs)) {
      const outcome = make(search.ground, draw, making);
      const broken = outcome.broken.filter((cause) => causes === undefined || causes.has(causeText(cause)));
      if (broken.length > 0) return { run: draw.number, all: broken };
      outcomes.push(outcome);
    }
    search.take(outcomes);
  }
  return undefined;
}

/** Of each mutant: who killed it. */
export function controllerMutantRows(word: string, runs: number, seed: number, print: (line: string) => void): Rows {
  const { scenarios } = shipped('scenarios');
  const rows: string[][] = [];
  let killed = 0;
  for (const mutant of CONTROLLER_MUTANTS.filter(({ name }) => name.includes(word))) {
    const asked = scenarios.filter(({ file }) => mutant.asks.some((path) => file.includes(`scenarios/${path}/`)));
    const killer = killerOf(mutant, asked, runs, seed);
    if (killer !== undefined) killed++;
    rows.push([mutant.name, killer === undefined ? 'alive' : 'killed', killer ?? '']);
    print(rows.at(-1)?.join('  ') ?? '');
  }
  return [['MUTANT', 'VERDICT', 'BY'], ...rows, [`${killed} of ${rows.length} killed`, '', '']];
}
