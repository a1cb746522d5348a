/** Ingresses that name no class get the one that is marked as the default. Models: plugin/pkg/admission/network/defaultingressclass. */
import type { Ingress, IngressClass } from '../kinds/index.ts';
import { defaultIngressClass as markedClass, ingressClassOf } from '../decisions/index.ts';
import { forbidden, withMembers } from '../request/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  verbs: ['create'],
  kinds: ['Ingress'],
  mutate(door, { resource, name }, object) {
    const ingress = object as unknown as Ingress;
    if (ingressClassOf(ingress, door.names) !== undefined) return object;
    const marked = markedClass(door.store.values('IngressClass') as unknown as Iterable<IngressClass>, door.names);
    if (marked === undefined) return object;
    if (typeof marked === 'object')
      throw forbidden(resource, name, `Internal error occurred: ${marked.tooMany} default IngressClasses were found, only 1 allowed`);
    return { ...object, spec: withMembers(resource.kind.schema.fields['spec'], ingress.spec, { ingressClassName: marked }) };
  },
};
