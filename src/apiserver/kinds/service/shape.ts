/** The schema of Services: fields, types, and the defaults that depend only on the object. */
import {
  always,
  atomicList,
  bool,
  def,
  field,
  filled,
  int32,
  intOrString,
  list,
  map,
  mapList,
  obj,
  oneOf,
  ptr,
  req,
  str,
} from '../../../schema/shape/index.ts';
import type { Complete, Infer } from '../../../schema/shape/index.ts';
import { condition, kindFields, loadBalancerStatus, type ObjectOf } from '../../structs/index.ts';

/** The default target port is the port of the service. */
const completePort: Complete = ({ port, targetPort }) =>
  targetPort === 0 || targetPort === '' ? (port === 0 ? undefined : { targetPort: port }) : undefined;

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const AFFINITIES = ['ClientIP', 'None'];
const POLICIES = ['Cluster', 'Local'];
export const FAMILIES = ['IPv4', 'IPv6'];
const FAMILY_POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

const servicePort = obj(
  'ServicePort',
  'One port.',
  {
    name: field(1, 'Required with several ports.', str(), { format: 'label' }),
    protocol: field(2, 'TCP, UDP or SCTP.', oneOf(filled(str('Protocol'), 'TCP'), PROTOCOLS), { among: PROTOCOLS }),
    appProtocol: field(6, 'The application protocol.', ptr(str()), { format: 'qualified name' }),
    port: field(3, 'The port of the service.', req(int32), { format: 'port' }),
    targetPort: field(4, 'The port of the pods, by number or by name.', always(intOrString), { format: 'port or port name' }),
    nodePort: field(5, 'The port of every node.', int32),
  },
  { complete: completePort },
);
export type ServicePort = Infer<typeof servicePort>;

const DAY = 86_400;
const DAY_PART = 10_800;
const affinityConfig = obj('SessionAffinityConfig', 'The duration of session affinity.', {
  clientIP: field(
    1,
    'For affinity by client address.',
    obj('ClientIPConfig', 'The duration of session affinity.', {
      timeoutSeconds: field(1, 'Seconds, at most a day.', def(ptr(int32), DAY_PART), {
        min: 1,
        max: DAY,
        words: `must be greater than 0 and less than ${DAY}`,
      }),
    }),
  ),
});

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
  'The pods, the ports, and the clients.',
  {
    ports: field(1, 'Its ports.', mapList(servicePort, 'port', 'protocol')),
    selector: field(2, 'The pods behind it; absent: its endpoints are managed by a user.', { ...map(str()), mapType: 'atomic' } as const, {
      format: 'labels',
    }),
    clusterIP: field(3, 'Its address in the cluster; None: headless, names resolve to the pods.', str()),
    clusterIPs: field(18, 'Its addresses, one for each IP family.', atomicList(str())),
    type: field(4, 'ClusterIP, NodePort, LoadBalancer or ExternalName.', oneOf(filled(str('ServiceType'), 'ClusterIP'), TYPES), {
      among: TYPES,
    }),
    externalIPs: field(5, 'Node addresses that accept traffic for it.', list({ ...str(), format: 'reachable ip' })),
    sessionAffinity: field(
      7,
      'ClientIP: connections of a client go to the same pod. None: to any pod.',
      oneOf(filled(str('ServiceAffinity'), 'None'), AFFINITIES),
      { among: AFFINITIES },
    ),
    loadBalancerIP: field(8, 'The requested address of the load balancer.', str()),
    loadBalancerSourceRanges: field(9, 'The clients that may use the load balancer.', list(str())),
    externalName: field(10, 'The external name of which it is an alias.', str()),
    externalTrafficPolicy: field(
      11,
      'Local: external traffic stays on its node. Cluster: it may be routed to another node.',
      oneOf(str('ServiceExternalTrafficPolicyType'), POLICIES),
      { among: POLICIES },
    ),
    healthCheckNodePort: field(12, 'The port of a node for health checks of load balancers.', int32, { format: 'port' }),
    publishNotReadyAddresses: field(13, 'Whether pods that are not ready are published as ready.', bool),
    sessionAffinityConfig: field(14, 'The duration of session affinity.', affinityConfig),
    ipFamilies: field(19, 'IPv4, IPv6 or both.', atomicList({ ...str('IPFamily'), among: FAMILIES, distinct: true })),
    ipFamilyPolicy: field(17, 'SingleStack, PreferDualStack or RequireDualStack.', ptr(str('IPFamilyPolicyType')), {
      among: FAMILY_POLICIES,
    }),
    allocateLoadBalancerNodePorts: field(20, 'Whether a load balancer gets node ports.', ptr(bool)),
    loadBalancerClass: field(21, 'The load balancer implementation.', ptr(str()), { format: 'qualified name' }),
    internalTrafficPolicy: field(
      22,
      'Local: internal traffic stays on its node. Cluster: it may be routed to another node.',
      ptr(str('ServiceInternalTrafficPolicyType')),
      { among: POLICIES, since: 'ServiceInternalTrafficPolicy' },
    ),
  },
  { complete },
);
export type ServiceSpec = Infer<typeof serviceSpec>;

export const serviceSchema = obj(
  'Service',
  'One address for several pods.',
  kindFields({
    spec: serviceSpec,
    status: obj('ServiceStatus', 'The observed state.', {
      loadBalancer: field(1, 'The addresses of its load balancer.', always(loadBalancerStatus)),
      conditions: field(2, 'Conditions of the service.', mapList(condition, 'type')),
    }),
  }),
);
export type Service = ObjectOf<'Service', Infer<typeof serviceSchema>>;

export const needsAddress = ({ type }: ServiceSpec): boolean => type !== 'ExternalName';
export const needsNodePorts = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer';
export const needsHealthCheck = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
