/** Descriptions of Services and their fields, in our words. Source: spec, "Service". */
import type { Texts, Values } from '../../machinery/index.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export const serviceTexts: Texts = {
  Service: { '': 'One address for several pods.' },
  ServiceSpec: {
    '': 'The pods, the ports, and the clients.',
    ports: 'Its ports.',
    selector: 'The pods behind it; absent: its endpoints are managed by a user.',
    clusterIP: 'Its address in the cluster; None: headless, names resolve to the pods.',
    clusterIPs: 'Its addresses, one for each IP family.',
    type: 'ClusterIP, NodePort, LoadBalancer or ExternalName.',
    externalIPs: 'Node addresses that accept traffic for it.',
    sessionAffinity: 'ClientIP: connections of a client go to the same pod. None: to any pod.',
    sessionAffinityConfig: 'The duration of session affinity.',
    loadBalancerIP: 'The requested address of the load balancer.',
    loadBalancerSourceRanges: 'The clients that may use the load balancer.',
    loadBalancerClass: 'The load balancer implementation.',
    externalName: 'The external name of which it is an alias.',
    externalTrafficPolicy: 'Local: external traffic stays on its node. Cluster: it may be routed to another node.',
    internalTrafficPolicy: 'Local: internal traffic stays on its node. Cluster: it may be routed to another node.',
    healthCheckNodePort: 'The port of a node for health checks of load balancers.',
    publishNotReadyAddresses: 'Whether pods that are not ready are published as ready.',
    ipFamilies: 'IPv4, IPv6 or both.',
    ipFamilyPolicy: 'SingleStack, PreferDualStack or RequireDualStack.',
    allocateLoadBalancerNodePorts: 'Whether a load balancer gets node ports.',
  },
  ServicePort: {
    '': 'One port.',
    name: 'Required with several ports.',
    protocol: 'TCP, UDP or SCTP.',
    appProtocol: 'The application protocol.',
    port: 'The port of the service.',
    targetPort: 'The port of the pods, by number or by name.',
    nodePort: 'The port of every node.',
  },
  SessionAffinityConfig: { '': 'The duration of session affinity.', clientIP: 'For affinity by client address.' },
  ClientIPConfig: { '': 'The duration of session affinity.', timeoutSeconds: 'Seconds, at most a day.' },
  ServiceStatus: {
    '': 'The observed state.',
    loadBalancer: 'The addresses of its load balancer.',
    conditions: 'Conditions of the service.',
  },
};

/** Fields with a closed set of values, sorted. */
export const serviceValues: Values = {
  ServicePort: { protocol: PROTOCOLS },
  ServiceSpec: {
    externalTrafficPolicy: ['Cluster', 'Local'],
    sessionAffinity: ['ClientIP', 'None'],
    type: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'],
  },
};
