/** The catalogue of mutants of built-in controllers: each is planted, and one of each sort is killed. `npm run measures` judges all. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { shipped } from '../../../support/shipped.ts';
import { simulate } from '../../../../src/lab/simulation/index.ts';
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
    expect(CONTROLLER_MUTANTS).toHaveLength(31);
    for (const mutant of CONTROLLER_MUTANTS) {
      expect(planted(mutant)(kinds).length, mutant.name).toBe(planted(CONTROLLER_MUTANTS[0] ?? mutant)(kinds).length);
      for (const folder of mutant.asks)
        expect(
          scenarios.some(({ file }) => file.includes(`scenarios/${folder}/`)),
          mutant.name,
        ).toBe(true);
    }
  });

  const asking = (path: string) => scenarios.filter(({ file }) => file.includes(`scenarios/${path}`));

  it.each([
    ['cron-job without requeue', 'cron-job/01'],
    ['cron-job without uid', 'cron-job/14'],
    ['deployment without uid', 'deployment/15'],
    ['replica-set without live read', 'replica-set/05'],
    ['replica-set without uid', 'replica-set/06'],
    ['daemon-set without live read', 'daemon-set/11'],
    ['daemon-set without uid', 'daemon-set/12'],
    ['stateful-set without live read', 'stateful-set/15'],
    ['stateful-set without uid of deletion', 'stateful-set/16'],
    ['stateful-set without uid of adoption', 'stateful-set/17'],
    ['job without live read', 'job/20'],
    ['job without uid', 'job/21'],
    ['garbage-collector without live read', 'regressions/038'],
    ['claim-protection without revision', 'storage/02'],
    ['node-lifecycle without revision', 'node/17'],
  ])('%s is killed by scenario %s as it is', (name, path) => {
    expect(killerOf(mutantOf(name), asking(path), 1, 1)).toMatch(/^scenario /);
  });

  it('leave a scenario alone that has nothing of them, with the configuration of its controllers', () => {
    const asked = asking('lessons/16');
    expect(asked).not.toEqual([]);
    for (const { scenario } of asked)
      expect(simulate(scenario, { controllers: planted(mutantOf('claim-protection without revision')), digest: false }).failures).toEqual(
        [],
      );
  });
});
