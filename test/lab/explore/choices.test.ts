/**
 * Random choices for a user's scenario: each drawn one is a scenario file, reaches its points, and a property over them shrinks to the
 * necessary ones.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chosenScenarios } from '../../../src/lab/explore/index.ts';
import { formatScenario } from '../../../src/lab/scenario/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { seeing } from '../../support/mutants.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { LATCH, latch } from '../search/incidents/latch.ts';

const making = { controllers: () => [latch] };

describe('a scenario with random choices', () => {
  it('is a file that makes them, each at its point, and holds without a bug', () => {
    let made = 0;
    const fixed = { controllers: () => [seeing(latch, (input) => ({ ...input, failures: 0 }))] };
    fc.assert(
      fc.property(chosenScenarios(LATCH, fixed), (scenario) => {
        const read = scenarioIn(formatScenario(scenario));
        expect(read.choices ?? []).toMatchObject(scenario.choices ?? []);
        const run = simulate(read, { ...fixed, digest: false });
        made += run.taken.length;
        return run.failures.length === 0;
      }),
      { numRuns: 30, seed: 1 },
    );
    expect(made).toBeGreaterThan(10);
  });

  it('shrinks to the choices that a property needs', () => {
    const { failed, counterexample } = fc.check(
      fc.property(chosenScenarios(LATCH, { ...making, faults: ['refuse', 'hold'], maxLength: 8 }), (scenario) =>
        simulate(scenario, { ...making, digest: false }).taken.every(({ injectedFault }) => injectedFault.do !== 'refuse'),
      ),
      { numRuns: 200, seed: 1 },
    );
    expect(failed).toBe(true);
    expect(counterexample?.[0].choices).toEqual([{ at: expect.stringMatching(/^write /), injectedFault: { do: 'refuse', code: 409 } }]);
  });

  it('says why a scenario cannot be', () => {
    expect(() => chosenScenarios({ ...LATCH, choices: [{ at: 'see a Pod b #1', injectedFault: { do: 'hold', ms: 1 } }] })).toThrow(
      'planted: it has choices already',
    );
  });
});
