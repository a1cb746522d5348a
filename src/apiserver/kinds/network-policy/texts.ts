/** Descriptions of NetworkPolicies and their fields, in our words. Source: spec, "NetworkPolicy". */
import type { Texts } from '../../machinery/index.ts';

export const networkPolicyTexts: Texts = {
  NetworkPolicy: { '': 'The allowed traffic of pods. Policies are additive; a pod that no policy selects has no restrictions.' },
  NetworkPolicySpec: {
    '': 'The pods and their allowed traffic.',
    podSelector: 'The pods; empty: all of the namespace.',
    ingress: 'Allowed incoming traffic; an empty list: none.',
    egress: 'Allowed outgoing traffic; an empty list: none.',
    policyTypes: 'Ingress, Egress or both. Absent: Ingress, and Egress if there are egress rules.',
  },
  NetworkPolicyIngressRule: {
    '': 'Allowed incoming traffic: from one of the peers and to one of the ports.',
    ports: 'Ports; absent or empty: all.',
    from: 'Peers; absent or empty: all.',
  },
  NetworkPolicyEgressRule: {
    '': 'Allowed outgoing traffic: to one of the peers and to one of the ports.',
    ports: 'Ports; absent or empty: all.',
    to: 'Peers; absent or empty: all.',
  },
  NetworkPolicyPort: {
    '': 'A port or a range of ports.',
    protocol: 'TCP, UDP or SCTP.',
    port: 'A number, or the name of a port of the pod; absent: all.',
    endPort: 'The end of a range that begins with port.',
  },
  NetworkPolicyPeer: {
    '': 'The other end of a connection.',
    podSelector: "Pods, in the policy's namespace or in those that namespaceSelector selects.",
    namespaceSelector: 'Namespaces; without podSelector: all their pods.',
    ipBlock: 'Addresses; without the other members.',
  },
  IPBlock: { '': 'A range of addresses.', cidr: 'The range.', except: 'Excluded ranges within it.' },
  NetworkPolicyStatus: { '': 'The observed state of the policy.', conditions: 'One condition for each type.' },
};
