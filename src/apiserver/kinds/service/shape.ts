/** The schema of Services: fields, types, and the defaults that depend only on the object. */
import {
  always,
  atomicList,
  bool,
  type Complete,
  def,
  filled,
  type Infer,
  int32,
  intOrString,
  list,
  map,
  mapList,
  obj,
  ptr,
  req,
  str,
} from '../../../schema/shape/index.ts';
import { condition, loadBalancerStatus, type ObjectOf, typeMeta } from '../../machinery/index.ts';

/** The default target port is the port of the service. */
const completePort: Complete = ({ port, targetPort }) =>
  targetPort === 0 || targetPort === '' ? (port === 0 ? undefined : { targetPort: port }) : undefined;

const servicePort = obj(
  'ServicePort',
  {
    name: str(),
    protocol: filled(str('Protocol'), 'TCP'),
    appProtocol: ptr(str()),
    port: req(int32),
    targetPort: always(intOrString),
    nodePort: int32,
  },
  { complete: completePort },
);
export type ServicePort = Infer<typeof servicePort>;

const DAY_PART = 10_800;
const affinityConfig = obj('SessionAffinityConfig', { clientIP: obj('ClientIPConfig', { timeoutSeconds: def(ptr(int32), DAY_PART) }) });

const complete: Complete = (spec) => {
  const additions: Record<string, unknown> = {};
  const { type, sessionAffinity, sessionAffinityConfig, externalTrafficPolicy, internalTrafficPolicy, allocateLoadBalancerNodePorts } =
    spec;
  if (sessionAffinity === 'ClientIP' && (sessionAffinityConfig as { readonly clientIP?: unknown } | undefined)?.clientIP === undefined)
    additions['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: DAY_PART } };
  if ((type === 'NodePort' || type === 'LoadBalancer') && externalTrafficPolicy === undefined)
    additions['externalTrafficPolicy'] = 'Cluster';
  if ((type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP') && internalTrafficPolicy === undefined)
    additions['internalTrafficPolicy'] = 'Cluster';
  if (type === 'LoadBalancer' && allocateLoadBalancerNodePorts === undefined) additions['allocateLoadBalancerNodePorts'] = true;
  for (const _ in additions) return additions;
  return undefined;
};

const serviceSpec = obj(
  'ServiceSpec',
  {
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
  },
  { complete },
);
export type ServiceSpec = Infer<typeof serviceSpec>;

export const serviceSchema = obj('Service', {
  ...typeMeta,
  spec: always(serviceSpec),
  status: always(obj('ServiceStatus', { loadBalancer: always(loadBalancerStatus), conditions: mapList(condition, 'type') })),
});
export type Service = ObjectOf<'Service', Infer<typeof serviceSchema>>;
