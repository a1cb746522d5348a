/** Small clusters for tests that ask about one: objects alone, without machines. */
import type { Cluster } from '../../../src/controlplane/cluster.ts';
import { runScenario } from '../../support/scenarios.ts';

/** A cluster without nodes in which these objects were created, a second after its start. */
export function clusterWith(objects: readonly string[], spec = ''): Cluster {
  const steps = objects.map((object) => `    - create: ${object}\n`).join('');
  const { cluster, failures } = runScenario(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: world }\nspec:\n  until: 1s\n  namespaces: [other]\n  cluster: { nodes: { count: 0 } }\n${spec}  steps:\n${steps}`,
  );
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return cluster;
}

export const map = (name: string, more = ''): string => `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}${more} } }`;
export const node = (name: string): string => `{ apiVersion: v1, kind: Node, metadata: { name: ${name} } }`;
export const pod = (name: string, more = ''): string =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { containers: [{ name: c, image: i }]${more} } }`;
