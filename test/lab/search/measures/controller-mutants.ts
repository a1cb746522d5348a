/** Mutants of built-in controllers: killed by a shipped scenario as it is, by a search of one, or alive. */
import { replaying } from '../../../../src/lab/choices/index.ts';
import type { PointChoice } from '../../../../src/lab/scenario/index.ts';
import { baseline, beginSearch, make } from '../../../../src/lab/search/index.ts';
import { attempt } from '../../../../src/lab/search/reproduction.ts';
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
  const hunts = asked.flatMap(({ scenario }) => huntIn(scenario, making, runs, seed) ?? []);
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
function huntIn(scenario: Scenario, making: Making, runs: number, seed: number): Hunt | undefined {
  const base = baseline(scenario, making);
  if ('unfit' in base) return undefined;
  const search = beginSearch(base, { seed });
  return {
    upTo(most) {
      while (search.within(most)) {
        const outcomes = [];
        for (const draw of search.round(most)) {
          const outcome = make(search.ground, draw, making);
          outcomes.push(outcome);
          const first = outcome.broken.find(({ claim }) => !brokenByOriginal(scenario, runs, seed).has(claim));
          // A claim that the original breaks by the same choices does not kill a mutant either.
          if (first !== undefined && !breaksOriginal(search.ground.scenario, outcome.taken, first.claim))
            return `search of ${scenario.name}, run ${draw.number}: ${first.claim}`;
        }
        search.take(outcomes);
      }
      return undefined;
    },
  };
}

type Scenario = LoadedScenario['scenario'];
type Making = Pick<SimulateOptions, 'controllers'>;

const breaksOriginal = (scenario: Scenario, choices: readonly PointChoice[], claim: string): boolean =>
  attempt(scenario, {}, replaying(choices)).broken.some((each) => each.claim === claim);

const originals = new Map<Scenario, ReadonlySet<string>>();

/** The claims that a search of the original breaks: what it says of the original too does not kill a mutant. */
function brokenByOriginal(scenario: Scenario, runs: number, seed: number): ReadonlySet<string> {
  const known = originals.get(scenario);
  if (known !== undefined) return known;
  const claims = new Set<string>();
  const base = baseline(scenario, {});
  const search = 'unfit' in base ? undefined : beginSearch(base, { seed });
  while (search?.within(runs) === true) {
    const outcomes = search.round(runs).map((draw) => make(search.ground, draw, {}));
    for (const { broken } of outcomes) for (const { claim } of broken) claims.add(claim);
    search.take(outcomes);
  }
  originals.set(scenario, claims);
  return claims;
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
