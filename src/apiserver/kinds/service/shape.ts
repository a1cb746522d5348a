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
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { condition, loadBalancerStatus, type ObjectOf, typeMeta } from '../../machinery/index.ts';

/** The default target port is the port of the service. */
const completePort: Complete = ({ port, targetPort }) =>
  targetPort === 0 || targetPort === '' ? (port === 0 ? undefined : { targetPort: port }) : undefined;

const servicePort = obj(
  'ServicePort',
  'One port.',
  {
    name: field(1, 'Must be there where there are several.', str()),
    protocol: field(2, 'TCP, UDP or SCTP.', oneOf(filled(str('Protocol'), 'TCP'), ['SCTP', 'TCP', 'UDP'])),
    appProtocol: field(6, 'What is spoken there.', ptr(str())),
    port: field(3, 'The port of the service.', req(int32)),
    targetPort: field(4, 'The port of the pods, by number or by name.', always(intOrString)),
    nodePort: field(5, 'The port of every node.', int32),
  },
  { complete: completePort },
);
export type ServicePort = Infer<typeof servicePort>;

const DAY_PART = 10_800;
const affinityConfig = obj('SessionAffinityConfig', 'For how long a client stays with its pod.', {
  clientIP: field(
    1,
    'By its address.',
    obj('ClientIPConfig', 'For how long a client stays with its pod.', {
      timeoutSeconds: field(1, 'Seconds, at most a day.', def(ptr(int32), DAY_PART)),
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
  'Which pods, on which ports, for whom.',
  {
    ports: field(1, 'What it offers.', mapList(servicePort, 'port', 'protocol')),
    selector: field(2, 'The pods behind it; absent: somebody else keeps its endpoints.', { ...map(str()), mapType: 'atomic' } as const),
    clusterIP: field(3, 'Its address in the cluster; None: headless, names lead to the pods themselves.', str()),
    clusterIPs: field(18, 'The same, an address a family.', atomicList(str())),
    type: field(
      4,
      'ClusterIP, NodePort, LoadBalancer or ExternalName.',
      oneOf(filled(str('ServiceType'), 'ClusterIP'), ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ),
    externalIPs: field(5, 'Addresses of nodes that take traffic for it.', list(str())),
    sessionAffinity: field(
      7,
      'ClientIP: a client stays with its pod. None: it does not.',
      oneOf(filled(str('ServiceAffinity'), 'None'), ['ClientIP', 'None']),
    ),
    loadBalancerIP: field(8, "A wish for the balancer's address.", str()),
    loadBalancerSourceRanges: field(9, 'Who may use the balancer.', list(str())),
    externalName: field(10, 'The name that it is another name for.', str()),
    externalTrafficPolicy: field(
      11,
      'Local: traffic from outside stays on the node. Cluster: it may go on to another.',
      oneOf(str('ServiceExternalTrafficPolicyType'), ['Cluster', 'Local']),
    ),
    healthCheckNodePort: field(12, 'Where balancers ask a node whether it has pods.', int32),
    publishNotReadyAddresses: field(13, 'Whether pods that are not ready are endpoints too.', bool),
    sessionAffinityConfig: field(14, 'For how long a client stays.', affinityConfig),
    ipFamilies: field(19, 'IPv4, IPv6 or both.', atomicList(str('IPFamily'))),
    ipFamilyPolicy: field(17, 'SingleStack, PreferDualStack or RequireDualStack.', ptr(str('IPFamilyPolicyType'))),
    allocateLoadBalancerNodePorts: field(20, 'Whether a balancer gets ports on the nodes.', ptr(bool)),
    loadBalancerClass: field(21, 'Which balancer.', ptr(str())),
    internalTrafficPolicy: field(
      22,
      'Local: traffic from inside stays on the node. Cluster: it may go on to another.',
      ptr(str('ServiceInternalTrafficPolicyType')),
    ),
  },
  { complete },
);
export type ServiceSpec = Infer<typeof serviceSpec>;

export const serviceSchema = obj('Service', 'One address for several pods.', {
  ...typeMeta,
  spec: field(2, always(serviceSpec)),
  status: field(
    3,
    always(
      obj('ServiceStatus', 'What it got.', {
        loadBalancer: field(1, 'Where its balancer is.', always(loadBalancerStatus)),
        conditions: field(2, 'How it stands with the service.', mapList(condition, 'type')),
      }),
    ),
  ),
});
export type Service = ObjectOf<'Service', Infer<typeof serviceSchema>>;
