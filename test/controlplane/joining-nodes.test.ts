/** Nodes that a client creates while a cluster runs. */
import { expect, it } from 'vitest';
import type { Node } from '../../src/apiserver/kinds/index.ts';
import { createCluster } from '../../src/controlplane/cluster.ts';

it('a new Node with the label of the agent gets an agent and becomes ready; another one is left alone', () => {
  const cluster = createCluster();
  const join = (name: string, labels: Readonly<Record<string, string>>): void => {
    const { ok } = cluster.request('test', {
      verb: 'create',
      kind: 'Node',
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } },
    });
    expect(ok).toBe(true);
  };
  join('late', { 'sim.orch.io/agent': 'true' });
  join('bare', { 'sim.orch.io/agent': 'false' });
  cluster.runUntil(cluster.startAt + 10_000);
  const readyOf = (name: string): string | undefined =>
    (cluster.store.get('Node', name) as Node | undefined)?.status.conditions?.find(({ type }) => type === 'Ready')?.status;
  expect(cluster.runtime.names()).toContain('agent/late');
  expect(cluster.runtime.names()).not.toContain('agent/bare');
  expect([readyOf('late'), readyOf('bare')]).toEqual(['True', undefined]);
});
