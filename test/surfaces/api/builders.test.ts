/** Builders, and functions that take a scenario or a run: what they say of wrong arguments, and what they return. */
import { describe, expect, it } from 'vitest';
import * as library from '../../../src/index.ts';
import { runArgument, scenarioArgument } from '../../../src/surfaces/api/options.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { saidOf } from './said.ts';

const wrongly = library as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
const why = 'it is needed';

describe('a builder', () => {
  it.each<[string, readonly unknown[], string]>([
    ['defineConfig', [1], 'definitions: expected { controllers, invariants, faults, kinds }, found 1'],
    ['defineController', [1], 'controller: expected { name, reconciles, reconcile, … }, found 1'],
    ['defineKind', [{ kind: 'A' }], 'definition: expected { kind, group, schema, … }, found an object without group, schema'],
    ['customKinds', ['', 1], 'file: expected a string, found 1'],
    ['create', [{ kind: 'Pod' }], 'object: expected an object, found an object without apiVersion, metadata'],
    ['create', [pod, 1], 'consequences: expected { then, otherwise, tolerate, resume, awaited }, found 1'],
    ['update', [{ kind: 'Pod' }, () => undefined], 'object: expected an object (from the cache), found an object without metadata'],
    ['update', [pod, 1], 'recipe: expected a function, found 1'],
    ['update', [pod, () => undefined, 1], 'consequences: expected { then, otherwise, tolerate, resume, awaited }, found 1'],
    ['writeStatus', [{}], 'object: expected an object (from the cache), found an object without kind, metadata'],
    ['remove', [pod, 1], 'options: expected an object of options, found 1'],
    ['record', [{ kind: 'Pod' }, 'Normal', 'A', 'b'], 'about: expected an object, found an object without metadata'],
    ['record', [pod, 'Loud', 'A', 'b'], 'type: expected Normal or Warning'],
    ['record', [pod, 'Warning', 1, 'b'], 'reason: expected a string, found 1'],
    ['record', [pod, 'Normal', 'A', 1], 'message: expected a string, found 1'],
    [
      'write',
      [why, { op: 'create' }, {}],
      'writes[1]: expected a write (create, update and remove return them), found an object without op',
    ],
    ['write', [1], 'why: expected a string, found 1'],
    ['idle', [1], 'why: expected a string, found 1'],
    ['wakeAt', [Number.NaN, why], 'at: expected milliseconds since the epoch, found NaN'],
    ['wakeAt', [0, 1], 'why: expected a string, found 1'],
    ['watch', [1], 'kind: expected a string, found 1'],
    ['watch', ['Pod', undefined, { only: 1 }], 'options.only: expected { index, value }, found 1'],
    ['watch', ['Pod', undefined, { renewals: true }], 'options.renewals: expected false'],
    ['watch', ['Pod', undefined, { predicate: 1 }], 'options.predicate: expected { fields, owners, has, whileThereAre }, found 1'],
    ['formatScenario', [{ name: 'a' }], 'scenario: expected a scenario, found an object without steps'],
    ['formatScenario', [{ name: 'a', steps: [] }, { comment: 1 }], 'options.comment: expected a string, found 1'],
    ['formatScenario', [{ name: 'a', steps: [] }, { faults: 1 }], 'options.faults: expected a list, found 1'],
    ['formatProblem', [{ path: 'a' }], 'problem: expected a problem (readScenarios returns them), found an object without expected'],
    ['assertHeld', [{ scenario: 1, verdict: 1, failures: 1 }, 1], 'file: expected a string, found 1'],
    ['describeFailures', [{ scenario: 1, verdict: 1, failures: 1 }, 1], 'file: expected a string, found 1'],
  ])('%s%j is refused', (name, given, said) => {
    expect(saidOf(() => wrongly[name]?.(...given))).toBe(`${name}: ${said}`);
  });

  it('returns what the function below returns', () => {
    const config = { controllers: [] };
    expect(library.defineConfig(config)).toBe(config);
    expect(library.idle(why)).toMatchObject({ why, writes: [] });
    expect(library.wakeAt(5, why)).toMatchObject({ why, wakeAt: 5 });
    const created = library.create(pod);
    expect(library.write(why, created)).toMatchObject({ why, writes: [created] });
    expect(library.remove(pod as never, { propagationPolicy: 'Background' })).toMatchObject({ op: 'delete', kind: 'Pod' });
    expect(library.record(pod as never, 'Warning', 'Late', 'it is late')).toBeDefined();
    expect(library.watch('Pod', undefined, { renewals: false })).toMatchObject({ kind: 'Pod' });
  });

  it('keeps the place of a failure, and a run that held passes', () => {
    const run = library.simulate(
      scenarioIn(
        '{ apiVersion: scenario.orch.io/v1, kind: Scenario, metadata: { name: a }, spec: { until: 1s, steps: [{ at: 1s, expect: { count: { of: { kind: Pod }, is: 0 } } }] } }',
      ),
    );
    expect(saidOf(() => library.assertHeld(run))).toBe('');
    expect(library.describeFailures(run)).toBe('');
  });
});

it('a scenario and a run have what functions need of them', () => {
  expect(scenarioArgument({ name: 1, steps: 1 }, 's')).toBe(
    's: expected a scenario (readScenarios returns them), found an object without cluster',
  );
  expect(scenarioArgument({ name: 1, steps: 1, cluster: 1 }, 's')).toBeUndefined();
  expect(runArgument({ scenario: 1 }, 'r')).toBe('r: expected a run (simulate returns it), found an object without verdict, failures');
  expect(runArgument({ scenario: 1, verdict: 1, failures: 1 }, 'r')).toBeUndefined();
});
