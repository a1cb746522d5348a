/** The number of pods that a budget expects, by the scales of their controllers. */
import { describe, expect, it } from 'vitest';
import { kindsFor, type PodDisruptionBudget } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { type Covered, expectedPods } from '../../../../src/controlplane/controllers/disruption/controller.ts';
import type { CacheView } from '../../../../src/controlplane/runtime/index.ts';
import { barePod } from '../../../support/objects.ts';

const owner = (kind: string, name: string, uid = `uid-${name}`) => ({ apiVersion: 'apps/v1', kind, name, uid, controller: true });
const scaled = (kind: string, name: string, replicas: number, of?: ReturnType<typeof owner>) => ({
  kind,
  metadata: { name, namespace: 'default', uid: `uid-${name}`, ...(of === undefined ? {} : { ownerReferences: [of] }) },
  spec: { replicas },
});
const there = [
  scaled('Deployment', 'd', 10),
  scaled('ReplicaSet', 'old', 3, owner('Deployment', 'd')),
  scaled('ReplicaSet', 'new', 9, owner('Deployment', 'd')),
  scaled('ReplicaSet', 'alone', 7),
];
const around = {
  cache: { get: (kind: string, _: string, name: string) => there.find((each) => each.kind === kind && each.metadata.name === name) },
  registry: kindsFor(namesFor('k8s.io')),
} as unknown as { readonly cache: CacheView; readonly registry: ReturnType<typeof kindsFor> };

const asked = (spec: PodDisruptionBudget['spec'], ...owners: readonly ReturnType<typeof owner>[]) => {
  const pods = new Map(owners.map((each, at) => [`p${at}`, barePod(`p${at}`, 'Running', { meta: { ownerReferences: [each] } })]));
  const controllers = new Map(owners.map((each) => [each.uid, { owner: each, pods: 1 }]));
  const budget = { metadata: { namespace: 'default' }, spec } as unknown as PodDisruptionBudget;
  return expectedPods(budget, { pods, healthy: 0, controllers } as unknown as Covered, around);
};

describe('a percentage of the pods', () => {
  it('refers to the replicas of a Deployment, however many sets it has', () => {
    expect(asked({ maxUnavailable: '30%' }, owner('ReplicaSet', 'old'), owner('ReplicaSet', 'new'))).toEqual({ expected: 10, desired: 7 });
  });

  it('refers to the replicas of a set without an owner, rounded up', () => {
    expect(asked({ minAvailable: '50%' }, owner('ReplicaSet', 'alone'))).toEqual({ expected: 7, desired: 4 });
    expect(asked({ maxUnavailable: '50%' }, owner('ReplicaSet', 'alone'))).toEqual({ expected: 7, desired: 3 });
  });

  it('is unknown where the owner has another uid', () => {
    expect(asked({ maxUnavailable: 1 }, owner('ReplicaSet', 'alone', 'uid-before'))).toBe('found no controllers for pod "p0"');
  });
});

describe('a number of pods', () => {
  it('needs no scale', () => {
    expect(asked({ minAvailable: 2 }, owner('Widget', 'w'))).toEqual({ expected: 1, desired: 2 });
  });
});
