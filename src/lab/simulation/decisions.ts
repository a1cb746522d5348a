/**
 * Expectations about decisions: the decision rules are applied to the objects of the cluster, and their explanation becomes the message of
 * a failure.
 */
import type { EndpointSlice, Ingress, KindName, Node, ObjectByKind, Pod, Service } from '../../apiserver/kinds/index.ts';
import { type ApiObject, storeKey } from '../../apiserver/machinery/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import {
  backendFor,
  endpointText,
  expandEndpoints,
  joinSlices,
  mayPass,
  preferredVersion,
  reachedBy,
  storageCapacity,
  usedEndpoints,
} from '../../apiserver/decisions/index.ts';
import type { BackendDecision, PolicyView, ServiceEndpoint, Traffic, TrafficEnd } from '../../apiserver/decisions/index.ts';
import { DEFAULT_NAMESPACE, formatTarget } from '../scenario/index.ts';
import type { BackendQuestion, DecisionExpectation, EndpointsQuestion, TrafficEndRef, TrafficQuestion } from '../scenario/index.ts';
import { present } from '../../schema/values/index.ts';
import { resolveTarget } from './facts.ts';
import { answerDissent } from './process-answers.ts';
import { type Trouble, troubleOf } from './run.ts';
import { addressOf } from '../../controlplane/runtime/index.ts';

function all<K extends KindName>({ store }: Cluster, kind: K, namespace?: string): Iterable<ObjectByKind[K]> {
  const found = namespace === undefined ? store.values(kind) : store.by(kind, 'namespace', namespace);
  return found as Iterable<ObjectByKind[K]>;
}

const one = <K extends KindName>({ store }: Cluster, kind: K, key: string): ObjectByKind[K] | undefined =>
  store.get(kind, key) as ObjectByKind[K] | undefined;

/** Evaluates an expectation; undefined: the answer is the expected one. */
export function dissentOf(cluster: Cluster, expectation: DecisionExpectation): Trouble | undefined {
  switch (expectation.expect) {
    case 'traffic':
      return trafficDissent(cluster, expectation.question, expectation.is);
    case 'backend':
      return backendDissent(cluster, expectation.question, expectation.is);
    case 'endpoints':
      return endpointsDissent(cluster, expectation.question, expectation.is);
    case 'capacity': {
      const { node: name, ...question } = expectation.question;
      const node = cluster.store.get('Node', name);
      if (node === undefined) return troubleOf(`there is no Node ${name}`);
      const { sufficient, why } = storageCapacity({ ...question, nodeLabels: node.metadata.labels }, all(cluster, 'CSIStorageCapacity'));
      const what = `${expectation.is ? '' : 'no '}capacity for ${question.size} of class ${question.storageClass} on ${name}`;
      return sufficient === expectation.is ? undefined : troubleOf(`expected ${what}`, [`  ${why}`]);
    }
    case 'answer':
      return answerDissent(cluster, expectation.question, expectation.is);
    case 'preferred': {
      const { question, is } = expectation;
      const { group } = question;
      const version = preferredVersion(group, all(cluster, 'APIService')) ?? NONE;
      const what = `the preferred version of ${group === '' ? 'the core group' : group}`;
      return version === is ? undefined : troubleOf(`expected ${is} to be ${what}, found ${version}`);
    }
  }
}

/** The kinds whose changes can alter the answer. */
export const DECISION_KINDS: Readonly<Record<Exclude<DecisionExpectation['expect'], 'answer'>, ReadonlySet<string>>> = {
  traffic: new Set(['NetworkPolicy', 'Namespace', 'Pod', 'Node', 'Service', 'EndpointSlice']),
  backend: new Set(['Ingress', 'IngressClass']),
  endpoints: new Set(['Endpoints', 'EndpointSlice']),
  capacity: new Set(['CSIStorageCapacity', 'Node']),
  preferred: new Set(['APIService']),
};

const NONE = 'none';

interface Way {
  readonly traffic: Traffic;
  readonly about: ApiObject | undefined;
}

function trafficDissent(cluster: Cluster, question: TrafficQuestion, is: boolean): Trouble | undefined {
  const ways = waysOf(cluster, question);
  if ('message' in ways) return ways;
  const view: PolicyView = {
    policies: (namespace) => all(cluster, 'NetworkPolicy', namespace),
    namespaceLabels: (namespace) => {
      const found = cluster.store.get('Namespace', namespace);
      return found === undefined ? undefined : (found.metadata.labels ?? {});
    },
  };
  for (const { traffic, about } of ways) {
    const { allowed, why } = mayPass(traffic, view);
    if (allowed === is) continue;
    const text = `traffic from ${endText(question.from)} to ${endText(question.to)} on ${question.protocol ?? 'TCP'} ${question.port}`;
    return troubleOf(`expected ${text} ${is ? 'to pass' : 'to be stopped'}`, [`  ${why}`], about && addressOf(about));
  }
  return undefined;
}

const endText = (end: TrafficEndRef): string => ('address' in end ? end.address : formatTarget(end));

/** Returns every pair of ends that a question means; a Service stands for its endpoints. */
function waysOf(cluster: Cluster, { from, to, port, protocol }: TrafficQuestion): readonly Way[] | Trouble {
  const senders = endsOf(cluster, from);
  if ('message' in senders) return senders;
  const receivers = 'kind' in to && to.kind === 'Service' ? throughService(cluster, to, port, protocol) : endsOf(cluster, to);
  if ('message' in receivers) return receivers;
  return senders.flatMap((sender) =>
    receivers.map((receiver): Way => ({
      traffic: { from: sender.end, to: receiver.end, port: receiver.port ?? port, protocol },
      about: receiver.object,
    })),
  );
}

interface End {
  readonly end: TrafficEnd;
  readonly object?: ApiObject;
  readonly port?: number;
}

function endsOf(cluster: Cluster, end: TrafficEndRef): readonly End[] | Trouble {
  if ('address' in end) return [{ end: { ip: end.address } }];
  if (end.kind !== 'Pod' && end.kind !== 'Node')
    return troubleOf(`traffic has a Pod, a Node or { address } at its ends (as receiver also a Service), not ${formatTarget(end)}`);
  const found = resolveTarget(cluster, end);
  if (found.length === 0) return troubleOf(`there is no ${formatTarget(end)}`);
  return found.map((object) => ({ object, end: object.kind === 'Pod' ? { pod: object as Pod } : { node: object as Node } }));
}

/** Returns the pods or addresses behind a port of a service. */
function throughService(
  cluster: Cluster,
  target: TrafficEndRef & { readonly kind: string },
  port: number,
  protocol: string | undefined,
): readonly End[] | Trouble {
  const services = resolveTarget(cluster, target) as readonly Service[];
  const ends = services.flatMap((service): End[] => {
    const open = service.spec.ports?.find((one) => one.port === port && (one.protocol ?? 'TCP') === (protocol ?? 'TCP'));
    if (open === undefined) return [];
    const { namespace = '', name } = service.metadata;
    return usedEndpoints(joinSlices(slicesOf(cluster, namespace, name)), undefined, cluster.gates)
      .filter(({ portName }) => portName === (open.name ?? ''))
      .map(({ address, target, port: open }) => {
        const pod = target === undefined ? undefined : one(cluster, 'Pod', storeKey(namespace, target.replace(/^Pod\//, '')));
        return present({ end: pod === undefined ? { ip: address } : { pod }, object: pod, port: open });
      });
  });
  if (ends.length > 0) return ends;
  const name = formatTarget(target);
  return troubleOf(services.length === 0 ? `there is no ${name}` : `${name} has no ready endpoint on port ${port}`);
}

const slicesOf = (cluster: Cluster, namespace: string, service: string): readonly EndpointSlice[] =>
  [...all(cluster, 'EndpointSlice', namespace)].filter(
    ({ metadata }) => metadata.labels?.[cluster.names.key('', 'service-name')] === service,
  );

function backendDissent(cluster: Cluster, question: BackendQuestion, is: string): Trouble | undefined {
  const { ingress, secret, class: className, ...request } = question;
  const ingresses = ingress === undefined ? all(cluster, 'Ingress') : (resolveTarget(cluster, ingress) as readonly Ingress[]);
  const decision = backendFor(request, {
    ingresses,
    classes: all(cluster, 'IngressClass'),
    names: cluster.names,
    class: className,
  });
  const asked = `${request.tls === true ? 'https' : 'http'}://${request.host}${request.path}`;
  const about = decision.by === undefined ? undefined : cluster.store.get('Ingress', decision.by);
  const differs = (text: string): Trouble => troubleOf(`expected ${text}`, [`  ${decision.why}`], about && addressOf(about));
  if (!isBackend(decision, is))
    return differs(`${asked} to go to ${is}, found ${decision.backend === undefined ? NONE : backendName(decision)}`);
  if (secret !== undefined && (decision.tls?.secret ?? NONE) !== secret)
    return differs(`TLS of ${asked} to end with secret ${secret}, found ${decision.tls?.secret ?? NONE}`);
  return undefined;
}

const backendName = ({ backend = NONE, namespace = DEFAULT_NAMESPACE }: BackendDecision): string =>
  namespace === DEFAULT_NAMESPACE ? backend : `${namespace}/${backend}`;
const isBackend = (decision: BackendDecision, is: string): boolean =>
  decision.backend === undefined ? is === NONE : is === backendName(decision) || is === `${decision.namespace ?? ''}/${decision.backend}`;

function endpointsDissent(
  cluster: Cluster,
  { service, namespace = DEFAULT_NAMESPACE, zone, via = 'EndpointSlice' }: EndpointsQuestion,
  is: readonly string[],
): Trouble | undefined {
  const written = via === 'Endpoints' ? one(cluster, 'Endpoints', storeKey(namespace, service)) : undefined;
  const slices = via === 'Endpoints' ? [] : slicesOf(cluster, namespace, service);
  if (written === undefined && slices.length === 0) return troubleOf(`there is no ${via} of service ${namespace}/${service}`);
  const known = written === undefined ? joinSlices(slices) : expandEndpoints(written);
  const { ports = [] } = one(cluster, 'Service', storeKey(namespace, service))?.spec ?? {};
  const reached = reachedBy(ports, known);
  const used = usedEndpoints(reached, zone, cluster.gates);
  const missing = is.filter((each) => !used.some((one) => wordsFor(one).includes(each)));
  const extra = used.filter((one) => !wordsFor(one).some((word) => is.includes(word)));
  if (missing.length === 0 && extra.length === 0) return undefined;
  const listed = (names: readonly string[]): string => (names.length === 0 ? NONE : names.join(', '));
  const unused = known.filter((one) => !used.includes(one)).slice(0, 5);
  const because = (one: ServiceEndpoint): string =>
    reached.includes(one)
      ? stateOf(one)
      : `${nameOf(one.portName)}, and the ports of the service: ${ports.map(({ name }) => nameOf(name)).join(', ')}`;
  return troubleOf(
    `expected the endpoints of service ${namespace}/${service}${zone === undefined ? '' : ` in zone ${zone}`} to be ${listed(is)}, found ${listed(used.map(nameFor))}`,
    unused.map((one) => `  not used: ${nameFor(one)} (${because(one)})`),
    addressOf((written ?? slices[0]) as ApiObject),
  );
}

const stateOf = ({ terminating, ready, forZones }: ServiceEndpoint): string =>
  terminating ? 'terminating' : ready ? `meant for ${forZones.join(', ')}` : 'not ready';
const nameOf = (port = ''): string => (port === '' ? 'without a name' : `named ${port}`);

/** Returns the names of an endpoint that an expectation may use: its address or its pod, with its port or without. */
function wordsFor(one: ServiceEndpoint): readonly string[] {
  const provider = one.target?.replace(/^[^/]*\//, '');
  return [one.address, endpointText(one), ...(provider === undefined ? [] : [provider, `${provider}:${one.port ?? '*'}`])];
}
const nameFor = (one: ServiceEndpoint): string => wordsFor(one).at(-1) ?? one.address;
