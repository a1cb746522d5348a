/** The schema of PodDisruptionBudgets: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, int32, int64, intOrString, map, mapList, obj, ptr, req, time, field } from '../../../schema/shape/index.ts';
import { condition, labelSelector, type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const podDisruptionBudgetSchema = obj('PodDisruptionBudget', 'How many pods may be evicted at a time.', {
  ...typeMeta,
  spec: field(
    2,
    always(
      obj('PodDisruptionBudgetSpec', 'The budget: one of minAvailable and maxUnavailable.', {
        minAvailable: field(1, 'How many must stay, as a number or a percentage.', ptr(intOrString)),
        selector: field(2, 'The pods.', { ...labelSelector, patchStrategy: 'replace' }),
        maxUnavailable: field(3, 'How many may be gone, as a number or a percentage.', ptr(intOrString)),
      }),
    ),
  ),
  status: field(
    3,
    always(
      obj('PodDisruptionBudgetStatus', 'What is left.', {
        observedGeneration: field(1, 'The newest generation it was counted for.', int64),
        disruptedPods: field(2, 'Pods whose eviction was granted and that are not gone yet.', map(time)),
        disruptionsAllowed: field(3, 'How many may be evicted now.', req(int32)),
        currentHealthy: field(4, 'Pods that are well.', req(int32)),
        desiredHealthy: field(5, 'Pods that must be well.', req(int32)),
        expectedPods: field(6, 'Pods there should be.', req(int32)),
        conditions: field(7, 'Whether evictions are allowed.', mapList(condition, 'type')),
      }),
    ),
  ),
});
export type PodDisruptionBudget = ObjectOf<'PodDisruptionBudget', Infer<typeof podDisruptionBudgetSchema>>;
