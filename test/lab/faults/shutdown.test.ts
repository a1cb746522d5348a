/** A node that is shut down: an agent with shutdownGracePeriod stops later, any other at once. */
import { expect, it } from 'vitest';
import { runScenario } from '../../support/scenarios.ts';

const POD = '{ apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: i }] } } }';
const states = (agent: string, fault: string) => {
  const { cluster, failures } = runScenario(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec: { until: 12s, cluster: { podBehaviors: [{ terminationDelay: 8s }], nodes: [{ name: a, ${agent} }] }, steps: [${POD}, { at: 10s, fault: ${fault} }] }\n`,
  );
  const ready = cluster.store.get('Node', 'a')?.status.conditions?.find(({ type }) => type === 'Ready')?.status;
  return [failures.map(({ message }) => message), cluster.runtime.process('agent/a')?.up, ready];
};
const GRACE = 'agent: { shutdownGracePeriod: 20s }';

it.each<readonly [string, string, string, boolean, string]>([
  ['goes on while its pods end', GRACE, '{ nodeDown: a, shutdown: true }', true, 'False'],
  ['stops at once, where it has no grace period', 'agent: {}', '{ nodeDown: a, shutdown: true }', false, 'True'],
  ['stops at once, where the machine fails', GRACE, '{ nodeDown: a, shutdown: false }', false, 'True'],
  ['goes on, where the node only reports that it is not ready', GRACE, '{ nodeNotReady: a }', true, 'False'],
])('an agent %s', (_what, agent, fault, up, ready) => {
  expect(states(agent, fault)).toEqual([[], up, ready]);
});

it('an agent that is down is not shut down', () => {
  expect(states(GRACE, '{ crash: agent/a } }, { fault: { nodeDown: a, shutdown: true }')).toEqual([
    [expect.stringMatching(/^agent\/a is down already/)],
    false,
    'True',
  ]);
});
