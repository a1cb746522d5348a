/** Ingress: rules from hosts and paths to services. Models: v1.24 networking/v1 Ingress, pkg/registry/networking/ingress. */
import { always, atomicList, int32, obj, ptr, req, str, type Infer } from '../../schema/index.ts';
import { ageColumn, balancerPoints, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { typedLocalObjectReference, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { loadBalancerStatus } from '../shapes/services.ts';
import { keepStatus } from '../strategy.ts';
import { subdomainName } from '../validation/object-meta.ts';
import { validateIngress, validateIngressStatusUpdate, validateIngressUpdate } from './ingress-validation.ts';

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

export const ingressSchema = obj('Ingress', { ...typeMeta, spec: always(ingressSpec), status: always(obj('IngressStatus', { loadBalancer: always(loadBalancerStatus) })) });
export type Ingress = ObjectOf<'Ingress', Infer<typeof ingressSchema>>;

const MOST_HOSTS = 3;

/** The first three hosts, and how many rules there are beyond three where more follow. */
function hosts({ spec: { rules = [] } }: Ingress): string {
  const shown: string[] = [];
  let more = false;
  for (const { host = '' } of rules) {
    if (shown.length === MOST_HOSTS) more = true;
    else if (host !== '') shown.push(host);
  }
  if (shown.length === 0) return '*';
  return shown.join(',') + (more ? ` + ${rules.length - MOST_HOSTS} more...` : '');
}

export const ingress = defineKind<Ingress>({
  kind: 'Ingress',
  plural: 'ingresses',
  shortNames: ['ing'],
  groupPrefix: 'networking',
  version: 'v1',
  namespaced: true,
  schema: ingressSchema,
  subresources: ['status'],
  generation: 'spec',
  invalidGroup: 'extensions',
  prepareForCreate(draft) {
    draft['status'] = { loadBalancer: {} };
  },
  prepareForUpdate: keepStatus,
  validateName: subdomainName,
  validate: validateIngress,
  validateUpdate: validateIngressUpdate,
  validateStatusUpdate: validateIngressStatusUpdate,
  columns: [
    nameColumn,
    { name: 'Class', type: 'string', description: 'The name of the IngressClass resource that should be used for additional configuration', priority: 0, cell: (object) => object.spec.ingressClassName ?? '<none>' },
    { name: 'Hosts', type: 'string', description: 'Hosts that incoming requests are matched against before the ingress rule', priority: 0, cell: (object) => hosts(object) },
    { name: 'Address', type: 'string', description: 'Address is a list containing ingress points for the load-balancer', priority: 0, cell: (object) => balancerPoints(object.status.loadBalancer).join(',') },
    { name: 'Ports', type: 'string', description: 'Ports of TLS configurations that open', priority: 0, cell: (object) => ((object.spec.tls ?? []).length > 0 ? '80, 443' : '80') },
    ageColumn,
  ],
  models: 'Complete. Upstream: pkg/registry/networking/ingress, pkg/apis/networking/validation.',
});
