/** The catalogue of mutants of built-in controllers: each is planted, and one of each sort is killed. `npm run measures` judges all. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { shipped } from '../../../support/shipped.ts';
import { killerOf } from '../measures/controller-mutants.ts';
import { CONTROLLER_MUTANTS, planted } from './catalogue.ts';

const { scenarios } = shipped('scenarios');

const mutantOf = (name: string) => {
  const found = CONTROLLER_MUTANTS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no mutant ${name}`);
  return found;
};

describe('mutants of built-in controllers', () => {
  it('are over thirty, each in place of its controller, and asked of scenarios that exist', () => {
    const kinds = kindsFor(namesFor('orch.io'));
    expect(CONTROLLER_MUTANTS).toHaveLength(32);
    for (const mutant of CONTROLLER_MUTANTS) {
      expect(planted(mutant)(kinds).length, mutant.name).toBe(planted(CONTROLLER_MUTANTS[0] ?? mutant)(kinds).length);
      for (const folder of mutant.asks)
        expect(
          scenarios.some(({ file }) => file.includes(`scenarios/${folder}/`)),
          mutant.name,
        ).toBe(true);
    }
  });

  it('are killed by a shipped scenario as it is, where they forget to come back', () => {
    const asked = scenarios.filter(({ file }) => file.includes('scenarios/cron-job/01'));
    expect(killerOf(mutantOf('cron-job without requeue'), asked, 1, 1)).toMatch(/^scenario /);
  });
});
