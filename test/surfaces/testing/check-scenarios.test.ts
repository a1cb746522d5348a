/** Searches inside tests: what they return, what they write where a scenario breaks, and what they say. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrchsimError } from '../../../src/engine/error.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { type CheckOptions, checkScenarios } from '../../../src/surfaces/testing/index.ts';
import { forgetful } from '../../support/canary.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { folderWith } from '../cli/cli.ts';

/** A scenario that expects so many ConfigMaps of its own, and makes one. */
const expecting = (many: number) =>
  scenarioIn(`{ apiVersion: scenario.orch.io/v1, kind: Scenario, metadata: { name: one }, spec: { until: 2s, cluster: { nodes: { count: 0 } }, steps: [
    { apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: a, labels: { of: test } } } },
    { at: 1s, expect: { count: { of: { kind: ConfigMap, labels: { of: test } }, is: ${many} } } }] } }`);
const HOLDS = fc.constant(expecting(1));
const BREAKS = fc.constant(expecting(2));

/** The error of a check that finds something. */
function errorOf(how: CheckOptions, scenarios = BREAKS): OrchsimError {
  try {
    checkScenarios(scenarios, how);
  } catch (error) {
    if (error instanceof OrchsimError) return error;
    throw error;
  }
  throw new Error('nothing was found');
}
const messageOf = (how: CheckOptions): string => errorOf(how).message.replace(/\nORCH_\w+: npx orchsim help .*$/, '');

describe('scenarios that hold', () => {
  it('are counted, and nothing is written', () => {
    const out = join(folderWith({}), 'found.yaml');
    const { runs, finding } = checkScenarios(HOLDS, { runs: 3, out });
    expect([runs, finding, existsSync(out)]).toEqual([3, undefined, false]);
    expect(checkScenarios(HOLDS, { runs: 1, seed: -5, simulate: { seed: 3 } }).runs).toBe(1);
  });

  it('are a hundred where nothing else is asked for', () => {
    let seen = 0;
    checkScenarios(HOLDS, { wrong: () => (seen++ < 0 ? ['never'] : []) });
    expect(seen).toBe(100);
  });
});

describe('a scenario that breaks', () => {
  it('is written as a file that breaks in the same way; the error has the run', () => {
    const out = join(folderWith({}), 'deep/found.yaml');
    const error = errorOf({ runs: 3, seed: 7, out });
    expect(error).toMatchObject({ code: 'ORCH_COUNTEREXAMPLE', cause: { verdict: 'broken', seed: expecting(1).seed } });
    const read = readScenarios(readFileSync(out, 'utf8'));
    expect('scenarios' in read ? read.scenarios.map(({ steps }) => steps.length) : read).toEqual([2]);
  });

  it('is named by its path: relative to the folder, unless it is outside', () => {
    const out = join(folderWith({}), 'found.yaml');
    expect(messageOf({ runs: 3, seed: 7, out }).split('\n').at(-1)).toBe(`see it again: npx orchsim run ${out} -v`);
    const [before, folder] = [process.cwd, folderWith({})];
    process.cwd = () => folder;
    try {
      expect(messageOf({ runs: 3, seed: 7, out: join(folder, 'in/found.yaml') })).toBe(
        'a property broke (search seed 7); shrunk 0 times to 2 steps\n  expected 2 of ConfigMap with of=test, found 1\nsee it again: npx orchsim run in/found.yaml -v',
      );
    } finally {
      process.cwd = before;
    }
  });

  it('keeps files of users: the next free number is taken, and the same finding is written once', () => {
    const folder = folderWith({ 'found.yaml': 'mine', bare: 'mine' });
    const file = (how: CheckOptions): string =>
      messageOf({ runs: 3, seed: 7, ...how })
        .split('\n')
        .at(-1)
        ?.replace(`see it again: npx orchsim run ${folder}/`, '') ?? '';
    expect(file({ out: join(folder, 'found.yaml') })).toBe('found-2.yaml -v');
    expect(file({ out: join(folder, 'found.yaml') })).toBe('found-2.yaml -v');
    writeFileSync(join(folder, 'found-2.yaml'), 'mine too');
    expect(file({ out: join(folder, 'found.yaml') })).toBe('found-3.yaml -v');
    expect(file({ out: join(folder, 'bare') })).toBe('bare-2 -v');
    expect(readFileSync(join(folder, 'found.yaml'), 'utf8')).toBe('mine');
  });

  it('needs the definitions of its test, where it has some', () => {
    const out = join(folderWith({}), 'found.yaml');
    const hint = /\nthe replay needs the definitions of this test too: from orchsim\.config\.ts /;
    expect(messageOf({ runs: 3, out })).not.toMatch(hint);
    expect(messageOf({ runs: 3, out, simulate: { seed: 3 } })).not.toMatch(hint);
    expect(messageOf({ runs: 3, out, simulate: { with: { controllers: [] } } })).toMatch(hint);
    expect(messageOf({ runs: 3, out, simulate: { controllers: forgetful } })).toMatch(hint);
  });

  it('is what a test says it is', () => {
    const out = join(folderWith({}), 'found.yaml');
    expect(errorOf({ runs: 2, out, broken: () => true }, HOLDS).code).toBe('ORCH_COUNTEREXAMPLE');
    expect(errorOf({ runs: 2, out, wrong: () => ['it is \u001B[31mred'] }, HOLDS).message).toContain(String.raw`it is \u001b[31mred`);
    expect(checkScenarios(BREAKS, { runs: 2, out, broken: () => false }).finding).toBeUndefined();
  });
});

it('wrong arguments are refused', () => {
  const said = (how: object, scenarios: unknown = HOLDS): string => {
    try {
      checkScenarios(scenarios as never, how);
    } catch (error) {
      return error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    }
    return '';
  };
  expect(said({}, {})).toBe('checkScenarios: scenarios: expected an arbitrary of fast-check, found an object without generate, shrink');
  expect(said({ runs: 0 })).toBe('checkScenarios: options.runs: expected an integer of at least 1, found 0');
  expect(said({ seed: 1.5 })).toBe(`checkScenarios: options.seed: expected an integer of at least ${Number.MIN_SAFE_INTEGER}, found 1.5`);
  expect(said({ out: 1 })).toBe('checkScenarios: options.out: expected a string, found 1');
  expect(said({ broken: 1 })).toBe('checkScenarios: options.broken: expected a function, found 1');
  expect(said({ wrong: 1 })).toBe('checkScenarios: options.wrong: expected a function, found 1');
  expect(said({ simulate: { sed: 1 } })).toBe(
    'checkScenarios: options.options.sed: no such option; did you mean "seed"?'.replace('options.options', 'options.simulate'),
  );
  expect(said({ run: 1 })).toBe('checkScenarios: options.run: no such option; did you mean "runs"?');
});
