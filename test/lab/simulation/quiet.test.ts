/** A run whose entries nobody reads makes no records of deliveries and decisions; otherwise it is the same run. */
import { describe, expect, it } from 'vitest';
import { simulate, stage, type Run } from '../../../src/lab/simulation/index.ts';
import { shipped } from '../../support/shipped.ts';

const { scenarios } = shipped('scenarios');
/** The broken one, and a few that hold. */
const chosen = [...shipped('scenarios/broken').scenarios, ...scenarios.filter((_, at) => at % 40 === 0)];

const outcomeOf = ({ verdict, digest, failures, invariants, counters, steps, settled }: Run) => ({
  verdict,
  digest,
  // Only a run with a trace can say what objects wait for.
  failures: failures.map(({ waits: _, ...failure }) => failure),
  invariants,
  counters,
  steps,
  settled,
});

describe.each(chosen.map(({ scenario }) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
  it('is the same, observed or not', () => {
    let entries = 0;
    const observed = simulate(scenario, { onEntry: () => entries++, tries: false });
    const staged = stage(scenario);
    let next = staged.passing.next();
    while (next.done !== true) next = staged.passing.next();
    const quiet = staged.end(next.value);
    expect(outcomeOf(quiet)).toEqual(outcomeOf(observed));
    expect(staged.entries()).toBe(entries);
  });
});
