/** Descriptions of IngressClasses and their fields, in our words. Source: spec, "IngressClass". */
import type { Texts } from '../../machinery/index.ts';

export const ingressClassTexts: Texts = {
  IngressClass: { '': 'An implementation of Ingresses.' },
  IngressClassSpec: { '': 'The implementation.', controller: 'A name with a domain; cannot be changed.', parameters: 'Further settings.' },
  IngressClassParametersReference: {
    '': 'The object with the settings.',
    apiGroup: 'Group of the object.',
    kind: 'Kind of the object.',
    name: 'Name of the object.',
    scope: 'Cluster or Namespace.',
    namespace: 'Namespace of the object, with scope Namespace.',
  },
};
