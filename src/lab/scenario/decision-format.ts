/** Questions to decision rules, as expectations: their format, and the form that the simulation evaluates. */
import { choice, either, type Fields, flag, integer, object, quantity, required, text, texts, type Value } from './fields.ts';

const name = (says: string) => required(text(says));

/** One end of a connection. */
const end = (says: string) =>
  required(
    either(
      says,
      { type: 'target', says: 'A Pod, a Node, or as a receiver a Service: then the question is about each of its endpoints.' },
      object('An address outside the cluster.', { address: name('An IP address.') }),
    ),
  );

export const DECISION_FIELDS = {
  traffic: object('Do the NetworkPolicies allow this traffic? For several objects, the answer must be the same for all.', {
    from: end('The sender: Pod/a, Node/node-0, a target with labels, or { address: 203.0.113.7 }.'),
    to: end('The receiver: Pod/b, Service/web, Node/node-0, a target with labels, or { address: 203.0.113.7 }.'),
    port: required(integer('The destination port.', 1, 65_535)),
    protocol: choice('TCP if absent.', 'TCP', 'UDP', 'SCTP'),
    is: flag('The answer; true if absent.'),
  }),
  backend: object('To which backend do the Ingresses of a class route this request?', {
    ingress: { type: 'target', says: 'Only these Ingresses.' },
    class: text('The IngressClass; may be absent if only one is in use.'),
    host: name('The Host header.'),
    path: name('The path.'),
    tls: flag('Over port 443.'),
    sni: text('The name in the TLS handshake; the host if absent.'),
    is: name('service:port, Kind/name of a resource, or none; in another namespace than default: namespace/service:port.'),
    secret: text('The secret that terminates TLS, or none.'),
  }),
  endpoints: object('Which endpoints does a consumer of this service use?', {
    service: name('Its name.'),
    namespace: text('Its namespace; default if absent.'),
    zone: text('The zone of the consumer; absent: unknown, so topology hints do not apply.'),
    via: choice('The kind that is read; EndpointSlice if absent.', 'EndpointSlice', 'Endpoints'),
    is: required(texts('Exactly these: the name of the pod or the address, alone or with :port. Empty: none.')),
  }),
  capacity: object('Do the CSIStorageCapacity objects report enough capacity for a volume on a node?', {
    storageClass: name('The class of the claim.'),
    size: required(quantity('The requested size.')),
    node: name('The node.'),
    is: flag('The answer; true if absent.'),
  }),
  answer: object('How does an agent or a scheduler respond to this request, with its present configuration?', {
    process: name('The process: agent/node-0, scheduler.'),
    path: name('The path.'),
    listener: choice('The port of an agent; its server if absent.', 'server', 'read-only', 'health'),
    token: text('The user of the bearer token, by a token review; invalid: it has none.'),
    cert: text('Common name of a client certificate of the client CA.'),
    proxy: text('Common name of a certificate of the request-header CA; user then names the user.'),
    user: text('The user in the headers.'),
    groups: texts('The groups of the user; absent: those of every authenticated user, or of anonymous requests.'),
    review: choice('The access review of the API server; absent: by the roles in the cluster.', 'allowed', 'denied'),
    is: required(integer('The status code of the response; 0: there is no listener.', 0, 599)),
  }),
  preferred: object('Which version of a group do the APIServices prefer?', {
    group: name('The group; "" is the core.'),
    is: name('The version, or none.'),
  }),
} as const satisfies Fields;

type Raw = { readonly [K in keyof typeof DECISION_FIELDS]: Value<(typeof DECISION_FIELDS)[K]> };
/** A question without its expected answer. */
type Question<K extends keyof Raw> = Omit<Raw[K], 'is'>;

export type TrafficQuestion = Question<'traffic'>;
/** One end of a connection: objects of the cluster, or an address outside. */
export type TrafficEndRef = TrafficQuestion['from'];
export type BackendQuestion = Question<'backend'>;
export type EndpointsQuestion = Question<'endpoints'>;
export type AnswerQuestion = Question<'answer'>;

/** A question and its expected answer. */
export type DecisionExpectation = {
  readonly [K in keyof Raw]: { readonly expect: K; readonly question: Question<K>; readonly is: NonNullable<Raw[K]['is']> };
}[keyof Raw];
