/** Service: a name for a set of pods. Models: v1.24 core/v1 Service, pkg/registry/core/service. Cluster addresses are the server's to allocate. */
import { always, atomicList, bool, def, filled, int32, intOrString, list, map, mapList, obj, ptr, req, str, type Complete, type Infer } from '../../schema/index.ts';
import { formatLabelSelection, parseLabelSelector } from '../../values/index.ts';
import { ageColumn, balancerPoints, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { condition, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { loadBalancerStatus } from '../shapes/services.ts';
import { label1035Name } from '../validation/object-meta.ts';
import { dropAffinity, prepareService, prepareServiceUpdate } from './service-strategy.ts';
import { validateService, validateServiceStatusUpdate, validateServiceUpdate } from './service-validation.ts';

/** The port of the pods is that of the service unless said otherwise. */
const completePort: Complete = ({ port, targetPort }) => (targetPort === 0 || targetPort === '' ? (port === 0 ? undefined : { targetPort: port }) : undefined);

const servicePort = obj('ServicePort', {
  name: str(),
  protocol: filled(str('Protocol'), 'TCP'),
  appProtocol: ptr(str()),
  port: req(int32),
  targetPort: always(intOrString),
  nodePort: int32,
}, { complete: completePort });
export type ServicePort = Infer<typeof servicePort>;

const DAY_PART = 10_800;
const affinityConfig = obj('SessionAffinityConfig', { clientIP: obj('ClientIPConfig', { timeoutSeconds: def(ptr(int32), DAY_PART) }) });

const complete: Complete = (spec) => {
  const additions: Record<string, unknown> = {};
  const { type, sessionAffinity, sessionAffinityConfig, externalTrafficPolicy, internalTrafficPolicy, allocateLoadBalancerNodePorts } = spec;
  if (sessionAffinity === 'ClientIP' && (sessionAffinityConfig as { readonly clientIP?: unknown } | undefined)?.clientIP === undefined) additions['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: DAY_PART } };
  if ((type === 'NodePort' || type === 'LoadBalancer') && externalTrafficPolicy === undefined) additions['externalTrafficPolicy'] = 'Cluster';
  if ((type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP') && internalTrafficPolicy === undefined) additions['internalTrafficPolicy'] = 'Cluster';
  if (type === 'LoadBalancer' && allocateLoadBalancerNodePorts === undefined) additions['allocateLoadBalancerNodePorts'] = true;
  for (const _ in additions) return additions;
  return undefined;
};

const serviceSpec = obj('ServiceSpec', {
  ports: mapList(servicePort, 'port', 'protocol'),
  selector: { ...map(str()), mapType: 'atomic' } as const,
  clusterIP: str(),
  clusterIPs: atomicList(str()),
  type: filled(str('ServiceType'), 'ClusterIP'),
  externalIPs: list(str()),
  sessionAffinity: filled(str('ServiceAffinity'), 'None'),
  loadBalancerIP: str(),
  loadBalancerSourceRanges: list(str()),
  externalName: str(),
  externalTrafficPolicy: str('ServiceExternalTrafficPolicyType'),
  healthCheckNodePort: int32,
  publishNotReadyAddresses: bool,
  sessionAffinityConfig: affinityConfig,
  ipFamilies: atomicList(str('IPFamily')),
  ipFamilyPolicy: ptr(str('IPFamilyPolicyType')),
  allocateLoadBalancerNodePorts: ptr(bool),
  loadBalancerClass: ptr(str()),
  internalTrafficPolicy: ptr(str('ServiceInternalTrafficPolicyType')),
}, { complete });
export type ServiceSpec = Infer<typeof serviceSpec>;

export const serviceSchema = obj('Service', {
  ...typeMeta,
  spec: always(serviceSpec),
  status: always(obj('ServiceStatus', { loadBalancer: always(loadBalancerStatus), conditions: mapList(condition, 'type') })),
});
export type Service = ObjectOf<'Service', Infer<typeof serviceSchema>>;

const orNone = (text: string | undefined): string => (text === undefined || text === '' ? '<none>' : text);

function externalAddress({ spec, status }: Service): string {
  const given = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'LoadBalancer': {
      const balanced = [...balancerPoints(status.loadBalancer), ...given];
      return balanced.length === 0 ? '<pending>' : balanced.join(',');
    }
    case 'ExternalName': return spec.externalName ?? '';
    default: return orNone(given.join(','));
  }
}

const portsCell = (ports: readonly ServicePort[] | undefined): string => orNone((ports ?? []).map(({ port, nodePort, protocol }) => (nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`)).join(','));

function selectorCell(selector: Readonly<Record<string, string>> | undefined): string {
  const parsed = parseLabelSelector(Object.entries(selector ?? {}).map(([key, value]) => `${key}=${value}`).join(','));
  return parsed.error === undefined ? orNone(formatLabelSelection(parsed.value)) : '<error>';
}

export const service = defineKind<Service>({
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: serviceSchema,
  subresources: ['status'],
  allowCreateOnUpdate: true,
  deleteReturns: 'object',
  applyDefaults: dropAffinity,
  prepareForCreate: prepareService,
  prepareForUpdate: prepareServiceUpdate,
  validateName: label1035Name,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: validateServiceStatusUpdate,
  columns: [
    nameColumn,
    { name: 'Type', type: 'string', description: 'How the service is exposed.', priority: 0, cell: (object) => object.spec.type },
    { name: 'Cluster-IP', type: 'string', description: 'Address inside the cluster.', priority: 0, cell: (object) => orNone(object.spec.clusterIPs?.[0]) },
    { name: 'External-IP', type: 'string', description: 'Addresses outside the cluster.', priority: 0, cell: (object) => externalAddress(object) },
    { name: 'Port(s)', type: 'string', description: 'Ports the service listens on.', priority: 0, cell: (object) => portsCell(object.spec.ports) },
    ageColumn,
    { name: 'Selector', type: 'string', description: 'Labels of the pods behind the service.', priority: 1, cell: (object) => selectorCell(object.spec.selector) },
  ],
  models: 'Shape complete; one address family; load balancers are not provisioned. Upstream: pkg/registry/core/service, pkg/apis/core/validation.',
});
