import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../../src/apiserver/machinery/index.ts';
import type { Pod, PodDisruptionBudget } from '../../../../src/apiserver/kinds/index.ts';
import { concerned, createBudgets, followBudget, followPod } from '../../../../src/controlplane/controllers/disruption/controller.ts';
import type { Budgets } from '../../../../src/controlplane/controllers/disruption/controller.ts';
import type { CacheView, Delta, DeltaType } from '../../../../src/controlplane/runtime/index.ts';
import { barePod } from '../../../support/objects.ts';

const budgetOf = (app: string): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b', namespace: 'default', uid: 'uid-b', resourceVersion: '1', creationTimestamp: '' },
  spec: { selector: { matchLabels: { app } } },
  status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
});
const podOf = (name: string, app: string, owner?: string, phase = 'Running'): Pod =>
  barePod(name, phase, {
    meta: {
      labels: { app },
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: owner, uid: `uid-${owner}`, controller: true }] }),
    },
  });

function following(...pods: readonly Pod[]) {
  const state: Budgets = createBudgets();
  const cache = { by: () => pods } as unknown as CacheView;
  const pod = (type: DeltaType, object: Pod, old?: Pod): Delta<'Pod'> => ({ type, kind: 'Pod', key: keyOf(object), object, old });
  return {
    state,
    budget: (type: DeltaType, object: PodDisruptionBudget) =>
      followBudget(state, { type, kind: 'PodDisruptionBudget', key: keyOf(object), object, old: undefined }, cache),
    pod(type: DeltaType, object: Pod, old?: Pod): readonly string[] {
      followPod(state, pod(type, object, old));
      return concerned(state, pod(type, object, old));
    },
    covered: () => {
      const covered = state.byKey.get('default/b');
      return covered === undefined
        ? undefined
        : {
            pods: [...covered.pods.keys()],
            healthy: covered.healthy,
            controllers: [...covered.controllers].map(([uid, { pods: number }]) => `${uid} ${number}`),
          };
    },
  };
}

describe('what a budget covers', () => {
  it('follows added and deleted pods', () => {
    const { budget, pod, covered } = following(podOf('p', 'a', 's'), podOf('other', 'x'));
    budget('ADDED', budgetOf('a'));
    expect(covered()).toEqual({ pods: ['p'], healthy: 1, controllers: ['uid-s 1'] });
    pod('ADDED', podOf('q', 'a', 's', 'Pending'));
    pod('ADDED', podOf('r', 'x', 's'));
    expect(covered()).toEqual({ pods: ['p', 'q'], healthy: 1, controllers: ['uid-s 2'] });
    pod('MODIFIED', podOf('q', 'a', 's'), podOf('q', 'a', 's', 'Pending'));
    pod('MODIFIED', podOf('p', 'x', 's'), podOf('p', 'a', 's'));
    expect(covered()).toEqual({ pods: ['q'], healthy: 1, controllers: ['uid-s 1'] });
    pod('DELETED', podOf('q', 'a', 's'));
    expect(covered()).toEqual({ pods: [], healthy: 0, controllers: [] });
  });

  it('is computed again when the selector changes, and dropped with the budget', () => {
    const { budget, covered, state } = following(podOf('p', 'a'), podOf('q', 'x'), podOf('r', 'x'));
    budget('ADDED', budgetOf('a'));
    budget('MODIFIED', budgetOf('x'));
    expect(covered()?.pods).toEqual(['q', 'r']);
    budget('DELETED', budgetOf('x'));
    expect([state.byKey.size, state.byNamespace.size]).toEqual([0, 0]);
  });

  it('changes only with relevant changes', () => {
    const { budget, pod } = following();
    budget('ADDED', budgetOf('a'));
    const before = podOf('p', 'a');
    expect(pod('ADDED', before)).toEqual(['default/b']);
    expect(pod('MODIFIED', { ...before, status: { ...before.status, message: 'x' } }, before)).toEqual([]);
    expect(pod('MODIFIED', { ...before, metadata: { ...before.metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } }, before)).toEqual([
      'default/b',
    ]);
    expect(pod('ADDED', podOf('q', 'x'))).toEqual([]);
    expect(pod('DELETED', before)).toEqual(['default/b']);
  });
});
