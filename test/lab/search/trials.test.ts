/**
 * A reduction whose trials go on from moments is the one whose trials are whole runs: the same finding after as many runs. Failures of
 * incidents without functions of a user, as searches of several seeds meet them; the seeds are in the names.
 */
import { describe, expect, it } from 'vitest';
import { baseline, beginSearch, findingOf, make, type Catch, type Finding, type Ground } from '../../../src/lab/search/index.ts';
import { momentsProduct } from '../../support/moments.ts';
import { INCIDENTS } from './incidents/catalogue.ts';

const { trialsOf } = await momentsProduct();
/** Trials that went on from moments. */
let went = 0;
const trials: typeof trialsOf = (...given) => {
  const begun = trialsOf(...given);
  return (
    begun && {
      ...begun,
      reproduction(choices) {
        went++;
        return begun.reproduction(choices);
      },
    }
  );
};
const isWhole = process.env['MOMENTS'] === 'all';
const SEEDS = isWhole ? [1, 2, 3] : [1];
const MOST_RUNS = 96;

const plain = INCIDENTS.filter(
  ({ making: { with: own, controllers, invariants, alter }, rare }) =>
    rare === undefined && [own, controllers, invariants, alter].every((each) => each === undefined),
);

function caught({ scenario, making }: (typeof plain)[number], seed: number): readonly [Ground, Catch] | undefined {
  const looked = baseline(scenario, {});
  if ('unfit' in looked) throw new Error(looked.unfit);
  const search = beginSearch(looked, { seed, faults: making.faults });
  while (search.within(MOST_RUNS)) {
    search.take(search.round().map((draw) => make(search.ground, draw, {})));
    const [first] = search.statistics.catches.values();
    if (first !== undefined) return [search.ground, first];
  }
  return undefined;
}

/** What must be equal, as text. */
const textOf = (finding: Finding | undefined): string => JSON.stringify(finding, null, 1);

describe.each(SEEDS)('seed %d', (seed) => {
  it.each(plain.map((incident) => [incident.name, incident] as const))(
    '%s',
    (_name, incident) => {
      const found = caught(incident, seed);
      if (found === undefined) return;
      const [ground, first] = found;
      expect(textOf(findingOf(ground, first, {}, trials))).toBe(textOf(findingOf(ground, first, {})));
    },
    isWhole ? 600_000 : 120_000,
  );
});

it('and long reductions have such trials', () => {
  expect(went).toBeGreaterThan(20);
});
