/** Descriptions of Namespaces and their fields, in our words. Source: spec, "Namespace". */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';

export const namespaceTexts: Texts = {
  Namespace: { '': 'A room for objects; its deletion empties it.' },
  NamespaceSpec: { '': 'What has to be done before it is gone.', finalizers: 'Who still has something to do.' },
  NamespaceStatus: { '': 'How it stands with it.', phase: 'Active or Terminating.', conditions: 'What its end waits for.' },
  NamespaceCondition: conditionTexts(
    'What the end of a namespace waits for.',
    'NamespaceContentRemaining, NamespaceFinalizersRemaining and others',
  ),
};

/** Fields with a closed set of values, sorted. */
export const namespaceValues: Values = {
  NamespaceStatus: { phase: ['Active', 'Terminating'] },
};
