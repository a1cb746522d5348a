/** The output of `kubectl get -o yaml` as initial manifests. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const META = (uid: string, version: number, rest = '') =>
  `uid: 6c1f1c1e-0000-4000-8000-00000000000${uid}, resourceVersion: "${version}", creationTimestamp: "2024-01-01T00:00:00Z"${rest}`;
const OWNER = (kind: string, name: string, uid: string) =>
  `, ownerReferences: [{ apiVersion: apps/v1, kind: ${kind}, name: ${name}, uid: 6c1f1c1e-0000-4000-8000-00000000000${uid}, controller: true }]`;
const TEMPLATE = 'spec: { containers: [{ name: c, image: "c:1" }] }';
const DUMP = `apiVersion: v1
kind: List
metadata: { resourceVersion: "" }
items:
- { apiVersion: v1, kind: Node, metadata: { name: prod-1, labels: { zone: a }, ${META('1', 100)} }, status: { capacity: { cpu: "2", memory: 4Gi, pods: "7" } } }
- { apiVersion: apps/v1, kind: Deployment, metadata: { name: web, namespace: default, generation: 3, ${META('2', 200)} }, spec: { replicas: 2, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, ${TEMPLATE} } }, status: { replicas: 2 } }
- { apiVersion: apps/v1, kind: ReplicaSet, metadata: { name: web-1, namespace: default, ${META('3', 201, OWNER('Deployment', 'web', '2'))} }, spec: { replicas: 2, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, ${TEMPLATE} } } }
- { apiVersion: v1, kind: Pod, metadata: { name: web-1-a, namespace: default, ${META('4', 202, OWNER('ReplicaSet', 'web-1', '3'))} }, ${TEMPLATE}, status: { phase: Running } }
- { apiVersion: v1, kind: Pod, metadata: { name: alone, namespace: default, ${META('5', 203)} }, ${TEMPLATE}, status: { phase: Running } }
`;

const runOf = (text: string) => {
  const read = readScenarios(text, { file: 'dump.yaml', plain: 'dump' });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('no scenario');
  return simulate(scenario);
};

describe('manifests that a cluster printed', () => {
  it('are the initial objects: fields of the server are set again, objects of controllers are created again', () => {
    const { verdict, lintWarnings, cluster } = runOf(DUMP);
    expect(verdict).toBe('held');
    expect(lintWarnings.map(({ text }) => text)).toContain(
      'the manifests come from a cluster: uid, resourceVersion, status and other fields of the server are set again, 2 objects that controllers made are left to them, 1 Node is a machine of the cluster',
    );
    expect([...cluster.store.values('Node')].map(({ metadata }) => metadata.name)).toEqual(['prod-1']);
    expect(cluster.store.get('Node', 'prod-1')).toMatchObject({
      metadata: { labels: { zone: 'a' } },
      status: { capacity: { cpu: '2', pods: '7' } },
    });
    expect(cluster.store.get('Deployment', 'default/web')).toMatchObject({ metadata: { generation: 1 }, status: { readyReplicas: 2 } });
    expect([...cluster.store.values('ReplicaSet')]).toHaveLength(1);
    expect([...cluster.store.values('Pod')]).toHaveLength(3);
    expect(cluster.store.get('Pod', 'default/alone')).toMatchObject({ status: { phase: 'Running' } });
  });

  it('leave a scenario its own nodes', () => {
    const head = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: dump }
spec: { domain: k8s.io, cluster: { nodes: { count: 2 } } }
---
`;
    expect([...runOf(head + DUMP).cluster.store.values('Node')].map(({ metadata }) => metadata.name)).toEqual(['node-0', 'node-1']);
  });

  it('are kept unchanged where no cluster printed them', () => {
    const { lintWarnings } = runOf('{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }');
    expect(lintWarnings).toEqual([]);
  });
});
