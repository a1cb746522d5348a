/** The schema of Ingresses: fields, types, and the defaults that depend only on the object. */
import { always, atomicList, type Infer, int32, obj, ptr, req, str } from '../../../schema/shape/index.ts';
import { loadBalancerStatus, type ObjectOf, typedLocalObjectReference, typeMeta } from '../../machinery/index.ts';

const ingressBackend = obj('IngressBackend', {
  service: obj('IngressServiceBackend', { name: req(str()), port: always(obj('ServiceBackendPort', { name: str(), number: int32 })) }),
  resource: typedLocalObjectReference,
});
export type IngressBackend = Infer<typeof ingressBackend>;

const httpPath = obj('HTTPIngressPath', { path: str(), pathType: req(ptr(str('PathType'))), backend: req(ingressBackend) });
const ingressRule = obj('IngressRule', { host: str(), http: obj('HTTPIngressRuleValue', { paths: req(atomicList(httpPath)) }) });
export type IngressRule = Infer<typeof ingressRule>;

const ingressSpec = obj('IngressSpec', {
  ingressClassName: ptr(str()),
  defaultBackend: ingressBackend,
  tls: atomicList(obj('IngressTLS', { hosts: atomicList(str()), secretName: str() })),
  rules: atomicList(ingressRule),
});
export type IngressSpec = Infer<typeof ingressSpec>;

export const ingressSchema = obj('Ingress', {
  ...typeMeta,
  spec: always(ingressSpec),
  status: always(obj('IngressStatus', { loadBalancer: always(loadBalancerStatus) })),
});
/** A stored Ingress: defaulted, validated and frozen. */
export type Ingress = ObjectOf<'Ingress', Infer<typeof ingressSchema>>;
