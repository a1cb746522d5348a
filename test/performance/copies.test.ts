/** A write creates one new object: unchanged parts are the same objects as before. */
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/apiserver/store/index.ts';
import { createJob, openCluster } from './workloads.ts';

describe('revisions of pods', () => {
  const changes: Change[] = [];
  const cluster = openCluster(3);
  cluster.store.onChange((change) => {
    if (change.kind === 'Pod') changes.push(change);
  });
  createJob(cluster, 'shared', 30, 30);
  cluster.runUntilSettled(cluster.now + 60_000);
  const updates = changes.filter(({ type }) => type === 'MODIFIED');

  it('share what a write did not change', () => {
    expect(updates.length).toBe(30 * 4);
    for (const { object, previous } of updates) {
      expect(object.metadata.labels).toBe(previous?.metadata.labels);
      expect(object.metadata.ownerReferences).toBe(previous?.metadata.ownerReferences);
      // Either the pod was bound, or its spec is unchanged.
      const { nodeName } = (previous?.['spec'] ?? {}) as { readonly nodeName?: string };
      if (nodeName !== undefined) expect(object['spec']).toBe(previous?.['spec']);
    }
  });

  it('share what all pods of a template have in common', () => {
    const created = changes.filter(({ type }) => type === 'ADDED').map(({ object }) => object);
    for (const part of ['spec', 'status'] as const) expect(new Set(created.map((pod) => pod[part])).size, part).toBe(1);
    for (const part of ['labels', 'ownerReferences', 'finalizers'] as const)
      expect(new Set(created.map(({ metadata }) => metadata[part])).size, part).toBe(1);
  });

  it('share a spec by node once they are bound', () => {
    const pods = [...cluster.store.values('Pod')];
    expect(new Set(pods.map((pod) => pod['spec'])).size).toBeLessThanOrEqual(3);
  });

  it('share conditions where they took the same step at the same time', () => {
    const pods = [...cluster.store.values('Pod')];
    expect(new Set(pods.map((pod) => (pod['status'] as { conditions?: unknown }).conditions)).size).toBeLessThanOrEqual(3);
  });
});
