/** Descriptions of IngressClasses and their fields, in our words. Source: spec, "IngressClass". */
import type { Texts } from '../../machinery/index.ts';

export const ingressClassTexts: Texts = {
  IngressClass: { '': 'Somebody who implements Ingresses.' },
  IngressClassSpec: { '': 'Who it is.', controller: 'A name with a domain; cannot be changed.', parameters: 'Further settings.' },
  IngressClassParametersReference: {
    '': 'Where the settings are.',
    apiGroup: 'Group of the object.',
    kind: 'Kind of the object.',
    name: 'Name of the object.',
    scope: 'Cluster or Namespace.',
    namespace: 'Where the object is, with scope Namespace.',
  },
};
