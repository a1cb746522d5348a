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
} from '../../../schema/shape/index.ts';
import { condition, labelSelector, type ObjectOf, typeMeta } from '../../machinery/index.ts';

const ipBlock = obj('IPBlock', { cidr: req(str()), except: list(str()) });
const peer = obj('NetworkPolicyPeer', { podSelector: labelSelector, namespaceSelector: labelSelector, ipBlock });
export type Peer = Infer<typeof peer>;
const port = obj('NetworkPolicyPort', { protocol: filled(ptr(str('Protocol')), 'TCP'), port: ptr(intOrString), endPort: ptr(int32) });
export type Port = Infer<typeof port>;

/** Every policy applies to ingress, and one with egress rules also to egress. */
const complete: Complete = ({ policyTypes, egress }) => {
  if (policyTypes !== undefined) return undefined;
  return { policyTypes: egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'] };
};

export const networkPolicySchema = obj('NetworkPolicy', {
  ...typeMeta,
  spec: always(
    obj(
      'NetworkPolicySpec',
      {
        podSelector: req(labelSelector),
        ingress: list(obj('NetworkPolicyIngressRule', { ports: list(port), from: list(peer) })),
        egress: list(obj('NetworkPolicyEgressRule', { ports: list(port), to: list(peer) })),
        policyTypes: list(str('PolicyType')),
      },
      { complete },
    ),
  ),
  status: always(obj('NetworkPolicyStatus', { conditions: mapList(condition, 'type') })),
});
/** A stored NetworkPolicy: defaulted, validated and frozen. */
export type NetworkPolicy = ObjectOf<'NetworkPolicy', Infer<typeof networkPolicySchema>>;
