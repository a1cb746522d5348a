/** Descriptions of Services and their fields, in our words. Source: spec, "Service". */
import type { Texts, Values } from '../../machinery/index.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export const serviceTexts: Texts = {
  Service: { '': 'One address for several pods.' },
  ServiceSpec: {
    '': 'Which pods, on which ports, for whom.',
    ports: 'What it offers.',
    selector: 'The pods behind it; absent: somebody else keeps its endpoints.',
    clusterIP: 'Its address in the cluster; None: headless, names lead to the pods themselves.',
    clusterIPs: 'The same, an address a family.',
    type: 'ClusterIP, NodePort, LoadBalancer or ExternalName.',
    externalIPs: 'Addresses of nodes that take traffic for it.',
    sessionAffinity: 'ClientIP: a client stays with its pod. None: it does not.',
    sessionAffinityConfig: 'For how long a client stays.',
    loadBalancerIP: "A wish for the balancer's address.",
    loadBalancerSourceRanges: 'Who may use the balancer.',
    loadBalancerClass: 'Which balancer.',
    externalName: 'The name that it is another name for.',
    externalTrafficPolicy: 'Local: traffic from outside stays on the node. Cluster: it may go on to another.',
    internalTrafficPolicy: 'Local: traffic from inside stays on the node. Cluster: it may go on to another.',
    healthCheckNodePort: 'Where balancers ask a node whether it has pods.',
    publishNotReadyAddresses: 'Whether pods that are not ready are endpoints too.',
    ipFamilies: 'IPv4, IPv6 or both.',
    ipFamilyPolicy: 'SingleStack, PreferDualStack or RequireDualStack.',
    allocateLoadBalancerNodePorts: 'Whether a balancer gets ports on the nodes.',
  },
  ServicePort: {
    '': 'One port.',
    name: 'Must be there where there are several.',
    protocol: 'TCP, UDP or SCTP.',
    appProtocol: 'What is spoken there.',
    port: 'The port of the service.',
    targetPort: 'The port of the pods, by number or by name.',
    nodePort: 'The port of every node.',
  },
  SessionAffinityConfig: { '': 'For how long a client stays with its pod.', clientIP: 'By its address.' },
  ClientIPConfig: { '': 'For how long a client stays with its pod.', timeoutSeconds: 'Seconds, at most a day.' },
  ServiceStatus: { '': 'What it got.', loadBalancer: 'Where its balancer is.', conditions: 'How it stands with the service.' },
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
