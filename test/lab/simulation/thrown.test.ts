/** Exceptions of a user's definitions: with their files known they are failures of the run, else they reach the caller. */
import { expect, it } from 'vitest';
import type { Definitions } from '../../../src/lab/definitions/index.ts';
import type { Invariant } from '../../../src/lab/invariants/index.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { runScenario } from '../../support/scenarios.ts';

const TEXT = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: one-map }
spec:
  steps:
    - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: c } }
`;

const careless: Invariant = {
  name: 'mine/careless',
  temporal: 'always',
  description: 'It throws.',
  kinds: ['ConfigMap'],
  check: () => ({
    exercised: 0,
    onChange() {
      throw new RangeError('no such map');
    },
  }),
};
const runWith = (more: Definitions): Run => runScenario(TEXT, { with: { invariants: [careless], ...more } });

it('an exception of an invariant reaches the caller, who has its stack, where no files of a user are known', () => {
  expect(() => runWith({})).toThrow(new RangeError('no such map'));
});

it('an exception with a position in a file of a user is a failure of the run there, and any other reaches the caller', () => {
  const source = { file: 'mine.ts', line: 3, col: 7 };
  const { verdict, failures } = runWith({ locate: () => source });
  expect(verdict).toBe('broken');
  expect(failures).toMatchObject([{ kind: 'controller', message: 'a definition of yours threw RangeError: no such map', source }]);
  expect(() => runWith({ locate: () => undefined })).toThrow(new RangeError('no such map'));
});
