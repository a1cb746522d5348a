/** Descriptions of Namespaces and their fields, in our words. Source: spec, "Namespace". */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';

export const namespaceTexts: Texts = {
  Namespace: { '': 'A scope for object names; its deletion deletes its objects.' },
  NamespaceSpec: { '': 'Conditions of its removal.', finalizers: 'Components that must act before it is removed.' },
  NamespaceStatus: { '': 'The observed state.', phase: 'Active or Terminating.', conditions: 'The progress of its deletion.' },
  NamespaceCondition: conditionTexts(
    'The progress of the deletion of a namespace.',
    'NamespaceContentRemaining, NamespaceFinalizersRemaining and others',
  ),
};

/** Fields with a closed set of values, sorted. */
export const namespaceValues: Values = {
  NamespaceStatus: { phase: ['Active', 'Terminating'] },
};
