/** The schema of PodDisruptionBudgets: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, int32, int64, intOrString, map, mapList, obj, ptr, req, time } from '../../../schema/shape/index.ts';
import { condition, labelSelector, type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const podDisruptionBudgetSchema = obj('PodDisruptionBudget', {
  ...typeMeta,
  spec: always(
    obj('PodDisruptionBudgetSpec', {
      minAvailable: ptr(intOrString),
      selector: { ...labelSelector, patchStrategy: 'replace' },
      maxUnavailable: ptr(intOrString),
    }),
  ),
  status: always(
    obj('PodDisruptionBudgetStatus', {
      observedGeneration: int64,
      disruptedPods: map(time),
      disruptionsAllowed: req(int32),
      currentHealthy: req(int32),
      desiredHealthy: req(int32),
      expectedPods: req(int32),
      conditions: mapList(condition, 'type'),
    }),
  ),
});
export type PodDisruptionBudget = ObjectOf<'PodDisruptionBudget', Infer<typeof podDisruptionBudgetSchema>>;
