/**
 * The default classes of claims and Ingresses without one; several default classes are an error. Models: v1.24
 * plugin/pkg/admission/{storage/storageclass/setdefault,network/defaultingressclass}.
 */
import { type Ingress, isDefaultStorageClass, type PersistentVolumeClaim } from '../kinds/index.ts';
import { ingressClassOf } from '../decisions/index.ts';
import { type Draft, insertInOrder, currentOf } from '../machinery/index.ts';
import { forbidden } from '../request/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  verbs: ['create'],
  kinds: ['PersistentVolumeClaim'],
  mutate({ names, store }, { resource, name }, draft) {
    const { spec, metadata } = draft as Draft<PersistentVolumeClaim>;
    if (spec.storageClassName !== undefined || metadata.annotations?.[names.key('volume.beta', 'storage-class')] !== undefined) return;
    const marked = [...store.values('StorageClass')].filter((one) => isDefaultStorageClass(one, names));
    if (marked.length > 1) throw forbidden(resource, name, `Internal error occurred: ${marked.length} default StorageClasses were found`);
    const [chosen] = marked;
    if (chosen !== undefined) spec.storageClassName = chosen.metadata.name;
  },
};

export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  verbs: ['create'],
  kinds: ['Ingress'],
  mutate({ names, store }, { resource, name }, draft) {
    const ingress = draft as Draft<Ingress>;
    if (ingressClassOf(currentOf<Ingress>(ingress), names) !== undefined) return;
    const mark = names.key('ingressclass', 'is-default-class');
    const marked = [...store.values('IngressClass')].filter(({ metadata }) => metadata.annotations?.[mark] === 'true');
    if (marked.length > 1)
      throw forbidden(resource, name, `Internal error occurred: ${marked.length} default IngressClasses were found, only 1 allowed`);
    const [chosen] = marked;
    if (chosen === undefined) return;
    insertInOrder(resource.kind.schema.fields['spec'], ingress.spec, { ingressClassName: chosen.metadata.name });
  },
};
