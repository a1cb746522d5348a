/** Sets the default class on Ingresses without one. Models: plugin/pkg/admission/network/defaultingressclass. */
import type { Ingress } from '../kinds/index.ts';
import { defaultIngressClass as markedClass, ingressClassOf } from '../decisions/index.ts';
import { type Draft, insertInOrder, currentOf } from '../machinery/index.ts';
import { forbidden } from '../request/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  verbs: ['create'],
  kinds: ['Ingress'],
  mutate(scope, { resource, name }, draft) {
    const ingress = draft as Draft<Ingress>;
    if (ingressClassOf(currentOf<Ingress>(ingress), scope.names) !== undefined) return;
    const marked = markedClass(scope.store.values('IngressClass'), scope.names);
    if (marked === undefined) return;
    if (typeof marked === 'object')
      throw forbidden(resource, name, `Internal error occurred: ${marked.tooMany} default IngressClasses were found, only 1 allowed`);
    insertInOrder(resource.kind.schema.fields['spec'], ingress.spec, { ingressClassName: marked });
  },
};
