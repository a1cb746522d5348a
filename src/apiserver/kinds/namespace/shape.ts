/** The schema of Namespaces: fields, types, and the defaults that depend only on the object. */
import { always, filled, type Infer, list, mergeList, obj, req, str, time } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

const namespaceCondition = obj('NamespaceCondition', {
  type: req(str('NamespaceConditionType')),
  status: req(str('ConditionStatus')),
  lastTransitionTime: always(time),
  reason: str(),
  message: str(),
});

export const namespaceSchema = obj('Namespace', {
  ...typeMeta,
  spec: always(obj('NamespaceSpec', { finalizers: list(str('FinalizerName')) })),
  status: always(
    obj('NamespaceStatus', { phase: filled(str('NamespacePhase'), 'Active'), conditions: mergeList(namespaceCondition, 'type') }),
  ),
});
/** A stored Namespace: defaulted, validated and frozen. */
export type Namespace = ObjectOf<'Namespace', Infer<typeof namespaceSchema>>;
