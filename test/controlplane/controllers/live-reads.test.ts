/**
 * Irreversible decisions must not be based on a cache alone: each controller that reads live in upstream does so here. In every scenario a
 * cache lags, and deciding from it would be wrong.
 */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

interface Story {
  readonly cluster?: string;
  readonly namespaces?: string;
  readonly steps: readonly string[];
}

const TEMPLATE = (rest = '') =>
  `template: { metadata: { labels: { app: web } }, spec: { ${rest}containers: [{ name: c, image: "c:1" }] } }`;
const workload = (apiVersion: string, kind: string, spec: string): string =>
  `apply: { apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: web }, spec: { ${spec} } }`;
const SELECTOR = 'selector: { matchLabels: { app: web } }';

/** An owner is deleted; its controller, whose cache does not show that, must not adopt a later object that matches its selector. */
const adopting = (owner: string, kind: string, orphan: string): Story => ({
  steps: [
    'apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: None, selector: { app: web } } }',
    owner,
    `at: 10s, fault: { lag: controller-manager, kinds: [${kind}], by: 40s, for: 2m }`,
    `at: 15s, delete: { target: ${kind}/web, propagationPolicy: Background }`,
    `at: 16s, ${orphan}`,
    `at: 40s, expect: [{ cel: "objects('${kind}').size() == 0" }, { cel: "objects('${orphan === ORPHAN ? 'Pod' : 'ReplicaSet'}').exists(o, o.metadata.name == 'web-7' && !has(o.metadata.ownerReferences))" }]`,
  ],
});
const ORPHAN =
  'apply: { apiVersion: v1, kind: Pod, metadata: { name: web-7, labels: { app: web } }, spec: { nodeName: node-0, restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } }';

const CLAIM =
  'apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }';
const pod = (name: string, node: string, rest = ''): string =>
  `apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { nodeName: ${node}, containers: [{ name: c, image: "c:1" }]${rest} } }`;

const STORIES: Readonly<Record<string, Story>> = {
  'a ReplicaSet adopts': adopting(workload('apps/v1', 'ReplicaSet', `replicas: 1, ${SELECTOR}, ${TEMPLATE()}`), 'ReplicaSet', ORPHAN),
  'a Deployment adopts': adopting(
    workload('apps/v1', 'Deployment', `replicas: 1, ${SELECTOR}, ${TEMPLATE()}`),
    'Deployment',
    workload('apps/v1', 'ReplicaSet', `replicas: 1, ${SELECTOR}, ${TEMPLATE()}`).replace('name: web', 'name: web-7, labels: { app: web }'),
  ),
  'a StatefulSet adopts': adopting(
    workload('apps/v1', 'StatefulSet', `replicas: 1, serviceName: web, ${SELECTOR}, ${TEMPLATE()}`),
    'StatefulSet',
    ORPHAN,
  ),
  'a DaemonSet adopts': adopting(workload('apps/v1', 'DaemonSet', `${SELECTOR}, ${TEMPLATE()}`), 'DaemonSet', ORPHAN),
  'a Job adopts': adopting(
    workload('batch/v1', 'Job', `manualSelector: true, ${SELECTOR}, ${TEMPLATE('restartPolicy: Never, ')}`),
    'Job',
    ORPHAN,
  ),
  'a claim goes': {
    cluster: 'storageDrivers: [{ name: disks.example, provisionDelay: 200ms, storageClasses: [{ name: disks }] }]',
    steps: [
      CLAIM,
      'at: 2s, fault: { lag: controller-manager, kinds: [Pod], by: 10s, for: 1m }',
      `at: 3s, ${pod('user', 'node-0', ', volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }]')}`,
      'at: 5s, delete: PersistentVolumeClaim/data',
      `at: 40s, expect: { cel: "objects('PersistentVolumeClaim').size() == 1" }`,
      'delete: { target: Pod/user, gracePeriodSeconds: 0 }',
      `waitFor: { absent: PersistentVolumeClaim/data, within: 30s }`,
    ],
  },
  'a finished Job goes': {
    cluster: 'podBehaviors: [{ runFor: 2s }]',
    steps: [
      workload('batch/v1', 'Job', `ttlSecondsAfterFinished: 20, ${TEMPLATE('restartPolicy: Never, ')}`),
      'at: 5s, fault: { lag: controller-manager, kinds: [Job], by: 1m, for: 3m }',
      'at: 10s, patch: { target: Job/web, patch: { spec: { ttlSecondsAfterFinished: 100 } } }',
      `at: 50s, expect: { cel: "objects('Job').size() == 1" }`,
      'waitFor: { absent: Job/web, within: 2m }',
    ],
  },
  'pods of a missing node go': {
    steps: [
      'at: 1s, fault: { lag: controller-manager, kinds: [Node], by: 3m, for: 5m }',
      pod('early', 'late'),
      'at: 10s, apply: { apiVersion: v1, kind: Node, metadata: { name: late } }',
      `at: 2m30s, expect: { cel: "objects('Pod').size() == 1" }`,
    ],
  },
  'a namespace goes': {
    namespaces: 'namespaces: [team]',
    steps: [
      'at: 1s, fault: { lag: controller-manager, kinds: [Secret], by: 30s, for: 2m }',
      'at: 2s, apply: { apiVersion: v1, kind: Secret, metadata: { name: unseen, namespace: team } }',
      'at: 3s, delete: Namespace/team',
      `at: 20s, expect: { cel: "objects('Namespace').exists(n, n.metadata.name == 'team')" }`,
      'waitFor: { absent: Namespace/team, within: 2m }',
      `expect: { cel: "objects('Secret', 'team').size() == 0" }`,
    ],
  },
};

function run({ cluster = '', namespaces = 'namespaces: []', steps }: Story) {
  const nodes = `nodes: { count: 1 }`;
  const read = readScenarios(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: live }\nspec:\n  ${namespaces}\n  cluster: { ${nodes}, ${cluster} }\n  steps:\n${steps.map((step) => `    - { ${step} }`).join('\n')}\n`,
  );
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('no scenario');
  return simulate(scenario, { trace: true });
}

describe('a live read comes before', () => {
  it.each(Object.entries(STORIES))('%s', (_, story) => {
    const { verdict, failures } = run(story) as { verdict: string; failures?: unknown };
    expect({ verdict, failures: verdict === 'held' ? undefined : failures }).toEqual({ verdict: 'held', failures: undefined });
  });

  it('a node becomes Unknown, so that a lagging cache costs refusals and no time', () => {
    const unknownAt = (...lag: readonly string[]) => {
      const { trace } = run({
        steps: [
          ...lag,
          'at: 6s, patch: { target: Node/node-0, patch: { metadata: { labels: { a: b } } } }',
          'at: 10s, fault: { nodeDown: node-0 }',
          'at: 70s, note: It is silent.',
        ],
      });
      const written = trace?.entries.flatMap((entry) =>
        entry.type === 'write' && entry.change.kind === 'Node' && JSON.stringify(entry.change.object).includes('NodeStatusUnknown')
          ? [entry.at]
          : [],
      );
      return written?.[0];
    };
    const usual = unknownAt();
    expect(usual).toBeDefined();
    // With a lagging cache the last renewal may count from a later pass, but never from a much later one.
    const late = unknownAt('at: 5s, fault: { lag: controller-manager, kinds: [Node], by: 1m, for: 5m }');
    expect(Math.abs((late ?? 0) - (usual ?? 0))).toBeLessThanOrEqual(10_000);
  });
});
