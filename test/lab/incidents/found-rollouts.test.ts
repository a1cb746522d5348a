/**
 * Two incidents about rollouts: from a scenario that holds, with a fixed seed and a few runs, a search of lagging caches finds a choice that breaks it,
 * and the choice of the shipped file breaks it too.
 */
import { expect, it } from 'vitest';
import { search } from '../../../src/lab/search/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/surfaces/cli/load.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const deployment = (name: string, image: string, more: string, pod = ''): string =>
  `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: ${name} }, spec: { ${more}, selector: { matchLabels: { app: ${name} } }, template: { metadata: { labels: { app: ${name} } }, spec: { ${pod}containers: [{ name: c, image: "${image}"${pod === '' ? '' : ', resources: { requests: { cpu: "1" } }'} }] } } } }`;
const rolled = (name: string, image: string): string =>
  `{ target: Deployment/${name}, type: strategic, patch: { spec: { template: { spec: { containers: [{ name: c, image: "${image}" }] } } } } }`;
const complete = (name: string): string =>
  `{ match: { kind: Deployment, metadata: { name: ${name} }, status: { replicas: 1, updatedReplicas: 1, availableReplicas: 1 } } }`;
const SURGES = 'strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }';
const PODS = 'podBehaviors: [{ startDelay: 500ms, readyDelay: 500ms, terminationDelay: 500ms }]';

const INNOCENT: Readonly<Record<string, string>> = {
  '07-a-budget-keeps-a-seat.yaml': `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: room-is-made }
spec:
  cluster:
    nodes:
      - { name: pool, capacity: { cpu: "2", memory: 8Gi, pods: "20" }, labels: { pool: special } }
      - { name: other, capacity: { cpu: "4", memory: 8Gi, pods: "20" } }
    ${PODS}
  steps:
    - apply:
        - { apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: web }, spec: { maxUnavailable: 1, selector: { matchLabels: { app: web } } } }
        - ${deployment('web', 'web:1', 'replicas: 2', 'terminationGracePeriodSeconds: 30, ')}
    - { at: 3s, apply: ${deployment('api', 'api:1', `progressDeadlineSeconds: 60, ${SURGES}`, 'nodeSelector: { pool: special }, ')} }
    - { at: 10s, patch: { target: Node/pool, type: merge, patch: { spec: { unschedulable: true } } } }
    - evict: { target: { kind: Pod, labels: { app: web }, cel: self.spec.nodeName == 'pool', nth: 1 }, ifAllowed: true }
    - { at: 15s, patch: { target: Node/pool, type: merge, patch: { spec: { unschedulable: null } } } }
    - patch: ${rolled('api', 'api:2')}
    - { when: settled, expect: ${complete('api')} }
`,
  '08-two-rollouts-one-spare.yaml': `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: one-after-the-other }
spec:
  invariants:
    - { name: no-surge-is-forbidden, foreach: ReplicaSet, always: "!has(self.status.conditions) || !self.status.conditions.exists(c, c.message.contains('exceeded quota'))" }
  cluster:
    nodes: { count: 1 }
    ${PODS}
  steps:
    - apply: { apiVersion: v1, kind: ResourceQuota, metadata: { name: three }, spec: { hard: { pods: "3" } } }
    - waitFor: { cel: "has(object('ResourceQuota/three').status.hard)", within: 10s }
    - apply: [${deployment('a', 'a:1', `replicas: 1, ${SURGES}`)}, ${deployment('b', 'b:1', `replicas: 1, ${SURGES}`)}]
    - { at: 10s, patch: ${rolled('a', 'a:2')} }
    - { at: 20s, patch: ${rolled('b', 'b:2')} }
    - { when: settled, expect: [${complete('a')}, ${complete('b')}] }
`,
};

/** As many runs as the search needs, because it reduces every finding of them. */
const RUNS: Readonly<Record<string, number>> = { '07-a-budget-keeps-a-seat.yaml': 4, '08-two-rollouts-one-spare.yaml': 8 };

it.each(Object.entries(INNOCENT))('%s', { timeout: 120_000 }, (file, text) => {
  const innocent = scenarioIn(text);
  expect(simulate(innocent).failures).toEqual([]);
  const found = search(innocent, { seed: 1, runs: RUNS[file] ?? 32, untilFound: true, faults: ['hold'] });
  if ('unfit' in found) throw new Error(found.messages.join('; '));
  const [incident] = readScenarios([`scenarios/incidents/${file}`], { cwd: process.cwd() }).scenarios;
  expect(found.findings).toHaveLength(1);
  const { choices = [] } = incident?.scenario ?? {};
  expect(choices).toHaveLength(1);
  expect(simulate({ ...innocent, choices }).failures).not.toEqual([]);
});
