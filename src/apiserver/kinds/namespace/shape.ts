/** The schema of Namespaces: fields, types, and the defaults that depend only on the object. */
import { always, filled, type Infer, list, mergeList, obj, req, str, time, field, oneOf } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

const namespaceCondition = obj('NamespaceCondition', 'What the end of a namespace waits for.', {
  type: field(
    1,
    'What is judged: NamespaceContentRemaining, NamespaceFinalizersRemaining and others. One condition a type.',
    req(str('NamespaceConditionType')),
  ),
  status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
  lastTransitionTime: field(4, 'When the status last changed from one value to another.', always(time)),
  reason: field(5, 'Why, as one word in CamelCase, for programs.', str()),
  message: field(6, 'Why, as a sentence, for people.', str()),
});

export const namespaceSchema = obj('Namespace', 'A room for objects; its deletion empties it.', {
  ...typeMeta,
  spec: field(
    2,
    always(
      obj('NamespaceSpec', 'What has to be done before it is gone.', {
        finalizers: field(1, 'Who still has something to do.', list(str('FinalizerName'))),
      }),
    ),
  ),
  status: field(
    3,
    always(
      obj('NamespaceStatus', 'How it stands with it.', {
        phase: field(1, 'Active or Terminating.', oneOf(filled(str('NamespacePhase'), 'Active'), ['Active', 'Terminating'])),
        conditions: field(2, 'What its end waits for.', mergeList(namespaceCondition, 'type')),
      }),
    ),
  ),
});
/** A stored Namespace: defaulted, validated and frozen. */
export type Namespace = ObjectOf<'Namespace', Infer<typeof namespaceSchema>>;
