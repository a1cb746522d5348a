/** `ignoreNotFound` ignores a missing object, and no other refusal. */
import { expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const failuresOf = (step: string): readonly string[] =>
  simulate(
    scenarioIn(`
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: refused }
spec:
  cluster: { nodes: { count: 0 } }
  steps:
    - create: { apiVersion: v1, kind: Service, metadata: { name: here }, spec: { ports: [{ port: 80 }] } }
    - ${step}
`),
  ).failures.map(({ message }) => message.split(':', 2).join(':'));

it.each([
  ['a missing object', 'delete: Service/gone', ['the server refused it: 404 NotFound']],
  ['a missing object that may be missing', 'delete: { target: Service/gone, ignoreNotFound: true }', []],
  [
    'an invalid patch of an object that may be missing',
    'patch: { target: Service/here, type: json, patch: [{ op: remove, path: /spec/nothing }], ignoreNotFound: true }',
    ['the server refused it: 422 Invalid'],
  ],
])('%s', (_, step, expected) => {
  expect(failuresOf(step)).toEqual(expected);
});
