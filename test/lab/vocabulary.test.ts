/** The names that a scenario may use: those of the registries, with those of a user. */
import { expect, it } from 'vitest';
import { GATES, namesFor } from '../../src/apiserver/machinery/index.ts';
import { kindsFor } from '../../src/apiserver/kinds/index.ts';
import { faults } from '../../src/lab/faults/index.ts';
import type { Invariant } from '../../src/lab/invariants/index.ts';
import { readScenarios, schemaOf, vocabulary } from '../../src/lab/vocabulary.ts';

const mine: Invariant = {
  name: 'mine/holds',
  temporal: 'always',
  description: 'It holds.',
  kinds: ['Pod'],
  check: () => ({ exercised: 1 }),
};
const file = (spec: string): string => `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec: ${spec}\n`;

it('are those of the registries', () => {
  const names = vocabulary();
  const kinds = kindsFor(namesFor('orch.io'))
    .list()
    .map(({ kind }) => kind);
  expect(names.kinds).toEqual(kinds);
  expect(names.faults.map(({ name }) => name)).toEqual(faults.map(({ name }) => name));
  expect(names.featureGates).toEqual([...GATES.keys()]);
  expect(names.invariants).toEqual(expect.arrayContaining(['job/finished-is-final']));
  expect(names.invariants).not.toContain('mine/holds');
  expect(names.kindsOf?.(undefined).names.domain).toBe('orch.io');
  expect(names.kindsOf?.('k8s.io').names.domain).toBe('k8s.io');
});

it('of kinds have their schemas, in the words of a domain', () => {
  expect([schemaOf('Pod')?.type, schemaOf('Policy')]).toEqual(['object', undefined]);
  expect(schemaOf('Pod', 'k8s.io')).toBe(kindsFor(namesFor('k8s.io')).byKind('Pod')?.schema);
  expect(schemaOf('Pod')).toBe(kindsFor(namesFor('orch.io')).byKind('Pod')?.schema);
  expect(vocabulary().schemaOf?.('Pod', 'k8s.io')).toBe(schemaOf('Pod', 'k8s.io'));
});

it('are also those of a user', () => {
  const own = { invariants: [mine] };
  expect(vocabulary(own).invariants).toEqual([...vocabulary().invariants, 'mine/holds']);
  const text = file('{ invariants: [mine/holds] }');
  const problems = (options: Parameters<typeof readScenarios>[1]) => {
    const read = readScenarios(text, options);
    return 'problems' in read ? read.problems.map((problem) => `${problem.file}:${problem.line}: ${problem.path}`) : [];
  };
  expect([problems({ with: own }), problems({}), problems({ file: 'x.yaml' })]).toEqual([
    [],
    ['<text>:4: spec.invariants[0]'],
    ['x.yaml:4: spec.invariants[0]'],
  ]);
});
