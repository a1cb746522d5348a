/** The schema of NetworkPolicies: fields, types, and the defaults that depend only on the object. */
import {
  always,
  type Complete,
  filled,
  type Infer,
  int32,
  intOrString,
  list,
  mapList,
  obj,
  ptr,
  req,
  str,
  field,
} from '../../../schema/shape/index.ts';
import { condition, labelSelector, type ObjectOf, typeMeta } from '../../machinery/index.ts';

const ipBlock = obj('IPBlock', 'A range of addresses.', {
  cidr: field(1, 'The range.', req(str())),
  except: field(2, 'Ranges within it that do not count.', list(str())),
});
const peer = obj('NetworkPolicyPeer', 'Somebody to talk with.', {
  podSelector: field(1, "Pods, of the policy's own namespace or of those that namespaceSelector chooses.", labelSelector),
  namespaceSelector: field(2, 'Namespaces; alone: all their pods.', labelSelector),
  ipBlock: field(3, 'Addresses; stands alone.', ipBlock),
});
export type Peer = Infer<typeof peer>;
const port = obj('NetworkPolicyPort', 'A port or several.', {
  protocol: field(1, 'TCP, UDP or SCTP.', filled(ptr(str('Protocol')), 'TCP')),
  port: field(2, 'A number, or the name of a port of the pod; absent: all.', ptr(intOrString)),
  endPort: field(3, 'The last of a range that begins with port.', ptr(int32)),
});
export type Port = Infer<typeof port>;

/** Every policy applies to ingress, and one with egress rules also to egress. */
const complete: Complete = ({ policyTypes, egress }) => {
  if (policyTypes !== undefined) return undefined;
  return { policyTypes: egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'] };
};

export const networkPolicySchema = obj(
  'NetworkPolicy',
  'Which traffic pods may have. Policies add up; a pod that none selects may have all.',
  {
    ...typeMeta,
    spec: field(
      2,
      always(
        obj(
          'NetworkPolicySpec',
          'For which pods, and what they may.',
          {
            podSelector: field(1, 'The pods; empty: all of the namespace.', req(labelSelector)),
            ingress: field(
              2,
              'What may come in; an empty list: nothing.',
              list(
                obj('NetworkPolicyIngressRule', 'Traffic that may come in: from one of the peers and to one of the ports.', {
                  ports: field(1, 'Absent or empty: all ports.', list(port)),
                  from: field(2, 'Absent or empty: from everywhere.', list(peer)),
                }),
              ),
            ),
            egress: field(
              3,
              'What may go out; an empty list: nothing.',
              list(
                obj('NetworkPolicyEgressRule', 'Traffic that may go out: to one of the peers and to one of the ports.', {
                  ports: field(1, 'Absent or empty: all ports.', list(port)),
                  to: field(2, 'Absent or empty: to everywhere.', list(peer)),
                }),
              ),
            ),
            policyTypes: field(
              4,
              'Ingress, Egress or both. Absent: Ingress, and Egress too where there is an egress section.',
              list(str('PolicyType')),
            ),
          },
          { complete },
        ),
      ),
    ),
    status: field(
      3,
      always(
        obj('NetworkPolicyStatus', 'How it stands with the policy.', {
          conditions: field(1, 'One condition a type.', mapList(condition, 'type')),
        }),
      ),
    ),
  },
);
/** A stored NetworkPolicy: defaulted, validated and frozen. */
export type NetworkPolicy = ObjectOf<'NetworkPolicy', Infer<typeof networkPolicySchema>>;
