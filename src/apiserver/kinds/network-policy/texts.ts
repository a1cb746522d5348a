/** Descriptions of NetworkPolicies and their fields, in our words. Source: spec, "NetworkPolicy". */
import type { Texts } from '../../machinery/index.ts';

export const networkPolicyTexts: Texts = {
  NetworkPolicy: { '': 'Which traffic pods may have. Policies add up; a pod that none selects may have all.' },
  NetworkPolicySpec: {
    '': 'For which pods, and what they may.',
    podSelector: 'The pods; empty: all of the namespace.',
    ingress: 'What may come in; an empty list: nothing.',
    egress: 'What may go out; an empty list: nothing.',
    policyTypes: 'Ingress, Egress or both. Absent: Ingress, and Egress too where there is an egress section.',
  },
  NetworkPolicyIngressRule: {
    '': 'Traffic that may come in: from one of the peers and to one of the ports.',
    ports: 'Absent or empty: all ports.',
    from: 'Absent or empty: from everywhere.',
  },
  NetworkPolicyEgressRule: {
    '': 'Traffic that may go out: to one of the peers and to one of the ports.',
    ports: 'Absent or empty: all ports.',
    to: 'Absent or empty: to everywhere.',
  },
  NetworkPolicyPort: {
    '': 'A port or several.',
    protocol: 'TCP, UDP or SCTP.',
    port: 'A number, or the name of a port of the pod; absent: all.',
    endPort: 'The last of a range that begins with port.',
  },
  NetworkPolicyPeer: {
    '': 'Somebody to talk with.',
    podSelector: "Pods, of the policy's own namespace or of those that namespaceSelector chooses.",
    namespaceSelector: 'Namespaces; alone: all their pods.',
    ipBlock: 'Addresses; stands alone.',
  },
  IPBlock: { '': 'A range of addresses.', cidr: 'The range.', except: 'Ranges within it that do not count.' },
  NetworkPolicyStatus: { '': 'How it stands with the policy.', conditions: 'One condition a type.' },
};
