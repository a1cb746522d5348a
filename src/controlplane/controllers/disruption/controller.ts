/**
 * Computes how many pods of a PodDisruptionBudget may be evicted now; the eviction sub-resource decrements the result. Models: v1.24
 * pkg/controller/disruption. Simplified: where several budgets cover a pod, all of them are reconciled; scales are those of StatefulSets,
 * ReplicaSets and Deployments.
 */
import { compareText } from '../../../schema/values/index.ts';
import type { PodDisruptionBudget } from '../../../apiserver/kinds/index.ts';
import {
  defineController,
  forKinds,
  idle,
  watchOnly,
  observing,
  record,
  watch,
  writeStatus,
  type Outcome,
  type Write,
} from '../../runtime/index.ts';
import { concerned, createBudgets, followBudget, followPod, type Budgets } from './budgets.ts';
import { expectedPods } from './expected.ts';
import { disruptedPods, failedStatus, healthyPods, statusOf } from './status.ts';

/** The update, if the status has changed; the time of a condition alone does not count. */
const updateOf = (budget: PodDisruptionBudget, status: PodDisruptionBudget['status']): readonly Write[] =>
  JSON.stringify(sorted(budget.status)) === JSON.stringify(sorted(status)) ? [] : [writeStatus(budget, status)];
const sorted = (status: object): unknown =>
  Object.entries(status)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => compareText(a, b));

export const disruption = forKinds((registry) => {
  const controller = defineController<'PodDisruptionBudget', never, Budgets>({
    name: 'disruption',
    component: 'controllermanager',
    reconciles: 'PodDisruptionBudget',
    writes: ['PodDisruptionBudget'],
    models:
      'v1.24 pkg/controller/disruption. Simplified: where several budgets select a pod, each of them is reconciled; only StatefulSets, ReplicaSets and Deployments have scales.',
    watches: [
      watch('Pod', (delta, { state }) => concerned(state, delta)),
      ...['StatefulSet', 'ReplicaSet', 'Deployment'].map((kind) => watch(kind, watchOnly)),
    ],
    start: createBudgets,
    describe: ({ byKey }) => [...byKey].map(([key, { pods }]) => [key, [...pods.keys()]]),
    observe: observing({
      PodDisruptionBudget: (delta, { state, cache }) => followBudget(state, delta, cache),
      Pod: (delta, { state }) => followPod(state, delta),
    }),
    reconcile({ self: budget, key, state, cache, now }): Outcome<never> {
      const covered = state.byKey.get(key);
      if (covered === undefined) return idle('the pods that it selects are not known yet');
      const { namespace = '' } = budget.metadata;
      const notices: Write[] = covered.pods.size === 0 ? [record(budget, 'Normal', 'NoPods', 'No matching pods found')] : [];
      const expected = expectedPods(budget, covered, { cache, registry });
      if (typeof expected === 'string') {
        const event = record(
          budget,
          'Warning',
          'CalculateExpectedPodCountFailed',
          `Failed to calculate the number of expected pods: ${expected}`,
        );
        return {
          why: `the expected number of pods is unknown, so no disruption is allowed: ${expected}`,
          writes: [...notices, event, ...updateOf(budget, failedStatus(budget, expected, now))],
        };
      }
      const { pods, overdue, nextAt } = disruptedPods(budget, covered, now);
      // Upstream prints the namespace in place of the name.
      for (const pod of overdue)
        notices.push(record(pod, 'Warning', 'NotDeleted', `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`));
      const healthy = healthyPods(covered, pods, now);
      const status = statusOf(budget, expected, healthy, pods, now);
      return {
        why: `${healthy} of ${expected.expected} pods healthy, ${expected.desired} required: disruptions allowed ${status.disruptionsAllowed}`,
        writes: [...notices, ...updateOf(budget, status)],
        ...(nextAt === undefined ? {} : { wakeAt: nextAt + 1 }),
      };
    },
  });
  return controller;
});
