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
  const hunts = asked.flatMap(({ scenario }) => huntIn(scenario, making, seed) ?? []);
  // Few runs of all scenarios come before many of one.
  for (let most = Math.min(FIRST_RUNS, runs); ; most = Math.min(most * 2, runs)) {
    for (const hunt of hunts) {
      const found = hunt.upTo(most);
      if (found !== undefined) return found;
    }
    if (most === runs) return undefined;
  }
}

const FIRST_RUNS = 16;

interface Hunt {
  /** Searches on until so many runs are made; returns what killed the mutant. */
  upTo(runs: number): string | undefined;
}

/** A search of a scenario with a mutant; undefined: the scenario cannot be searched. */
function huntIn(scenario: LoadedScenario['scenario'], making: Making, seed: number): Hunt | undefined {
  const base = baseline(scenario, making);
  if ('unfit' in base) return undefined;
  const search = beginSearch(base, { seed });
  const usual = new Set<string>();
  return {
    upTo(runs) {
      while (search.within(runs)) {
        const outcomes = [];
        for (const draw of search.round(runs)) {
          const outcome = make(search.ground, draw, making);
          outcomes.push(outcome);
          const causes = outcome.broken.filter((cause) => !usual.has(causeText(cause)));
          const [first] = causes;
          if (first === undefined) continue;
          // What a search says of the original too does not kill a mutant.
          if (!saysOfOriginal(scenario, new Set(causes.map(causeText)), draw.number, seed))
            return `search of ${scenario.name}, run ${draw.number}: ${first.claim}`;
          for (const cause of causes) usual.add(causeText(cause));
        }
        search.take(outcomes);
      }
      return undefined;
    },
  };
}

type Making = Pick<SimulateOptions, 'controllers'>;

/** Whether a search of the original breaks one of these causes within so many runs. */
function saysOfOriginal(scenario: LoadedScenario['scenario'], causes: ReadonlySet<string>, runs: number, seed: number): boolean {
  const base = baseline(scenario, {});
  if ('unfit' in base) return false;
  const search = beginSearch(base, { seed });
  while (search.within(runs)) {
    const outcomes = search.round(runs).map((draw) => make(search.ground, draw, {}));
    if (outcomes.some(({ broken }) => broken.some((cause) => causes.has(causeText(cause))))) return true;
    search.take(outcomes);
  }
  return false;
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
