/**
 * Whether network policies allow a connection. Policies are additive: a pod that no policy selects sends and receives everything; a
 * selected pod only what a rule of one of its policies allows. Egress of the sender and ingress of the receiver are decided separately, and
 * both must allow it. Models: the specification of NetworkPolicy v1 (v1.24 has no implementation of its own). A pod on its node's network
 * counts as the node, as in most implementations; a pod can always reach itself.
 */
import { keyOf } from '../machinery/index.ts';
import type { NetworkPolicy, Node, Pod } from '../kinds/index.ts';
import { formatIp, ipBlockContains, labelMatcher, parseIp, type Labels } from '../../schema/values/index.ts';

type Rule = { readonly ports?: readonly PolicyPort[]; readonly peers: readonly PolicyPeer[] };
type IngressRule = NonNullable<NetworkPolicy['spec']['ingress']>[number];
type PolicyPort = NonNullable<IngressRule['ports']>[number];
type PolicyPeer = NonNullable<IngressRule['from']>[number];
type Direction = 'Ingress' | 'Egress';

/** One end of a connection: a pod, a node itself, or an address outside the cluster. */
export type TrafficEnd = { readonly pod: Pod } | { readonly node: Node } | { readonly ip: string };

/** One connection: source, destination and port. */
export interface Traffic {
  readonly from: TrafficEnd;
  readonly to: TrafficEnd;
  readonly port: number;
  /** TCP if absent. */
  readonly protocol?: string | undefined;
}

/** The objects that policies refer to. */
export interface PolicyView {
  policies(namespace: string): Iterable<NetworkPolicy>;
  /** Returns the labels of a namespace; undefined: it does not exist. */
  namespaceLabels(namespace: string): Labels | undefined;
}

/** Whether a connection is allowed, the reason, and the deciding policies. */
export interface TrafficDecision {
  readonly allowed: boolean;
  /** The reason, as a sentence. */
  readonly why: string;
  /** `namespace/name` of the policies that allow or deny it. */
  readonly by: readonly string[];
}

/** Decides about one connection. */
export function mayPass({ from, to, port, protocol = 'TCP' }: Traffic, view: PolicyView): TrafficDecision {
  const [sender, receiver] = [sideOf(from), sideOf(to)];
  if (sender.pod !== undefined && sender.pod.metadata.uid === receiver.pod?.metadata.uid)
    return { allowed: true, why: `${sender.name} reaches itself`, by: [] };
  const call: Call = { port, protocol, target: receiver.ports, view };
  const out = sender.pod === undefined ? undefined : decide('Egress', sender.pod, receiver, call);
  if (out?.allowed === false) return out;
  const into =
    receiver.pod === undefined
      ? undefined
      : isLocalNode(sender, receiver.pod)
        ? { allowed: true, why: `${receiver.name} always accepts traffic from its own node`, by: [] }
        : decide('Ingress', receiver.pod, sender, call);
  const asked = [out, into].filter((one) => one !== undefined);
  if (into?.allowed === false) return into;
  if (asked.length === 0) return { allowed: true, why: `neither ${sender.name} nor ${receiver.name} is a pod`, by: [] };
  return { allowed: true, why: asked.map(({ why }) => why).join('; '), by: [...new Set(asked.flatMap(({ by }) => by))] };
}

interface Side {
  readonly name: string;
  /** Absent for an end on a node's network. */
  readonly pod?: Pod;
  readonly ips: readonly string[];
  /** The node itself, or the node of a pod on its network. */
  readonly node?: string;
  /** The pod that defines named ports. */
  readonly ports?: Pod;
}

function sideOf(end: TrafficEnd): Side {
  if ('ip' in end) return { name: end.ip, ips: [end.ip] };
  if ('node' in end)
    return {
      name: `node ${end.node.metadata.name}`,
      ips: (end.node.status?.addresses ?? []).map(({ address }) => address),
      node: end.node.metadata.name,
    };
  const { pod } = end;
  const { podIP, podIPs = [] } = pod.status;
  const name = `Pod ${keyOf(pod)}`;
  const ips = [...new Set([podIP, ...podIPs.map(({ ip }) => ip)])].filter((ip) => ip !== undefined && ip !== '') as readonly string[];
  if (pod.spec.hostNetwork !== true) return { name, pod, ips, ports: pod };
  return { name, ips, ports: pod, ...(pod.spec.nodeName === undefined ? {} : { node: pod.spec.nodeName }) };
}

/** Whether traffic comes from the node of the receiver. */
function isLocalNode(sender: Side, { spec: { nodeName }, status: { hostIP } }: Pod): boolean {
  if (sender.pod !== undefined) return false;
  return (sender.node !== undefined && sender.node === nodeName) || (hostIP !== undefined && sender.ips.some((ip) => isSameIp(ip, hostIP)));
}

function isSameIp(a: string, b: string): boolean {
  const [left, right] = [parseIp(a), parseIp(b)];
  return left !== undefined && right !== undefined && formatIp(left) === formatIp(right);
}

interface Call {
  readonly port: number;
  readonly protocol: string;
  readonly target: Pod | undefined;
  readonly view: PolicyView;
}

/** Whether a policy applies to a direction. Without types it applies to ingress, and to egress if it has egress rules. */
function affects({ spec: { policyTypes = [], egress = [] } }: NetworkPolicy, direction: Direction): boolean {
  if (policyTypes.length > 0) return policyTypes.includes(direction);
  return direction === 'Ingress' || egress.length > 0;
}

const rulesOf = ({ spec: { ingress = [], egress = [] } }: NetworkPolicy, direction: Direction): readonly Rule[] =>
  direction === 'Ingress'
    ? ingress.map(({ ports = [], from = [] }) => ({ ports, peers: from }))
    : egress.map(({ ports = [], to = [] }) => ({ ports, peers: to }));

function decide(direction: Direction, pod: Pod, peer: Side, call: Call): TrafficDecision {
  const namespace = pod.metadata.namespace ?? '';
  const isolating = [...call.view.policies(namespace)].filter(
    (policy) => affects(policy, direction) && labelMatcher(policy.spec.podSelector)(pod.metadata.labels),
  );
  const way = direction.toLowerCase();
  if (isolating.length === 0) return { allowed: true, why: `no policy selects Pod ${keyOf(pod)} for ${way}`, by: [] };
  const letting: string[] = [];
  let nearest: string | undefined;
  let first = '';
  for (const policy of isolating) {
    for (const [at, rule] of rulesOf(policy, direction).entries()) {
      const peers = rule.peers.length === 0 || rule.peers.some((one) => isPeer(one, namespace, peer, call.view));
      const ports = (rule.ports ?? []).length === 0 || rule.ports?.some((one) => isPort(one, call)) === true;
      const place = `${direction.toLowerCase()}[${at}] of policy ${keyOf(policy)}`;
      if (peers && ports) {
        if (letting.length === 0) first = place;
        letting.push(keyOf(policy));
        break;
      }
      if (peers) nearest = `${place} matches ${peer.name}, but allows only ${(rule.ports ?? []).map(portText).join(', ')}`;
      else if (ports) nearest ??= `${place} allows ${call.protocol} ${call.port}, but not with ${peer.name}`;
    }
  }
  if (letting.length > 0) return { allowed: true, why: `${first} allows it`, by: letting };
  const names = isolating.map(keyOf);
  const rules = `${names.length === 1 ? `policy ${names.join()} has no rule` : `none of the policies ${names.join(', ')} has a rule`} that allows it`;
  return {
    allowed: false,
    why: `Pod ${keyOf(pod)} is isolated for ${way}, and ${rules}${nearest === undefined ? '' : ` (${nearest})`}`,
    by: names,
  };
}

/** Whether an end matches a peer of a rule. Selectors match pods, by default in the namespace of the policy. */
function isPeer({ ipBlock, podSelector, namespaceSelector }: PolicyPeer, namespace: string, { pod, ips }: Side, view: PolicyView): boolean {
  if (ipBlock !== undefined) return ips.some((ip) => ipBlockContains(ipBlock, ip));
  if (pod === undefined || (podSelector === undefined && namespaceSelector === undefined)) return false;
  const { namespace: home = '', labels } = pod.metadata;
  if (namespaceSelector === undefined ? home !== namespace : !labelMatcher(namespaceSelector)(view.namespaceLabels(home))) return false;
  return podSelector === undefined || labelMatcher(podSelector)(labels);
}

/** Named ports are those of the receiver's containers. */
function isPort({ protocol = 'TCP', port, endPort }: PolicyPort, call: Call): boolean {
  if (protocol !== call.protocol) return false;
  if (port === undefined) return true;
  if (typeof port === 'number') return endPort === undefined ? call.port === port : call.port >= port && call.port <= endPort;
  return (
    call.target?.spec.containers?.some(({ ports = [] }) =>
      ports.some((one) => one.name === port && (one.protocol ?? 'TCP') === protocol && one.containerPort === call.port),
    ) === true
  );
}

const portText = ({ protocol = 'TCP', port, endPort }: PolicyPort): string =>
  `${protocol}${port === undefined ? '' : ` ${port}`}${endPort === undefined ? '' : `-${endPort}`}`;
