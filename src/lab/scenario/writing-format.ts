/**
 * The writing actions of a step, expectations, and questions to decision rules as expectations: the parts of the format that steps, waits and
 * suggestions share.
 */
import { choice, duration, either, expression, flag, integer, labels, object, quantity, required, text, texts } from './fields.ts';
import type { Fields, Value } from './fields.ts';

const name = (says: string) => required(text(says));

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
type Question<K extends keyof Raw> = Omit<Raw[K], 'is'>;

export type TrafficQuestion = Question<'traffic'>;
/** One end of a connection: objects of the cluster, or an address outside. */
export type TrafficEndRef = TrafficQuestion['from'];
export type BackendQuestion = Question<'backend'>;
export type EndpointsQuestion = Question<'endpoints'>;
export type AnswerQuestion = Question<'answer'>;

export type DecisionExpectation = {
  readonly [K in keyof Raw]: { readonly expect: K; readonly question: Question<K>; readonly is: NonNullable<Raw[K]['is']> };
}[keyof Raw];

export const anyTarget = {
  type: 'target',
  says: 'The target: Kind/name, Kind/namespace/name, Kind if there is only one, or a mapping with kind and name, labels, cel or nth.',
} as const;
const target = required(anyTarget);
const podTarget = { ...anyTarget, kind: 'Pod' } as const;
const nodeTarget = { ...anyTarget, kind: 'Node' } as const;

export const TARGET_FIELDS = {
  kind: required({ type: 'name', of: 'kinds', says: 'The kind, as in manifests.' }),
  namespace: text('The namespace; default if absent, * for every namespace.'),
  name: text('The name.'),
  labels: labels('Labels that it must have.'),
  cel: expression('A condition over self, the object.', 'self'),
  nth: integer('The n-th existing match by creation, from 1.', 1),
  only: flag('A step that writes fails if several match. It is implied by a kind alone.'),
} as const satisfies Fields;

const ignoreNotFound = flag('true: a missing object is no failure, and the step is skipped.');

/** The verbs that write, which `expectError` can contain. */
export const WRITING_FIELDS = {
  apply: { type: 'manifests', partial: true, says: 'Creates or updates objects, as apply does.' },
  create: { type: 'manifests', says: 'Creates objects.' },
  replace: { type: 'manifests', partial: true, says: 'Replaces objects.' },
  patch: object('Changes part of an object.', {
    target,
    type: choice('The type of the patch; absent: json for a list, otherwise strategic.', 'strategic', 'merge', 'json', 'apply'),
    subresource: choice('The sub-resource that is patched.', 'status', 'scale'),
    patch: required({ type: 'any', says: 'The patch: a partial object, or for json a list of operations.' }),
    ignoreNotFound,
  }),
  delete: either(
    'Deletes objects.',
    anyTarget,
    object('A target and the options of its deletion.', {
      target,
      propagationPolicy: choice('How its dependents are treated.', 'Background', 'Foreground', 'Orphan'),
      gracePeriodSeconds: integer('Seconds it may take to stop.'),
      preconditions: object('Preconditions of the deletion.', { uid: text('Its uid.'), resourceVersion: text('Its resourceVersion.') }),
      ignoreNotFound,
    }),
  ),
  evict: either(
    'Evicts a pod through its eviction sub-resource.',
    podTarget,
    object('A target and the options of its eviction.', {
      target: required(podTarget),
      gracePeriodSeconds: integer('Seconds it may take to stop.'),
      ignoreNotFound,
      ifAllowed: flag('true: a refusal by a disruption budget is no failure, and the pod stays.'),
    }),
  ),
  bind: object('Assigns a pod to a node through its binding sub-resource, as a scheduler does.', {
    target: required(podTarget),
    node: required(text('The name of the node.')),
  }),
  cordon: { ...nodeTarget, says: 'Marks a Node unschedulable, as kubectl cordon does.' },
  uncordon: { ...nodeTarget, says: 'Marks a Node schedulable again.' },
  scale: object('Sets the number of replicas through the scale sub-resource, as kubectl scale does.', {
    target,
    replicas: required(integer('The number of replicas.')),
    ignoreNotFound,
  }),
} as const;

/** The options of `drain`, with the defaults of kubectl. */
export const DRAIN = either(
  'Cordons a Node and evicts its pods, as kubectl drain does: an eviction that a disruption budget refuses is retried every 5 s. Ends when they are gone.',
  nodeTarget,
  object('A Node and the options of the drain.', {
    target: required(nodeTarget),
    timeout: duration('Fails if it takes longer; absent: as long as the run lasts.'),
    gracePeriodSeconds: integer('Seconds each pod may take to stop; absent: its own grace period.'),
    ignoreDaemonSets: flag('true: pods of DaemonSets stay; absent: if there are any, no pod is evicted.'),
    deleteEmptyDirData: flag('true: pods with emptyDir volumes are evicted too; absent: if there are any, no pod is evicted.'),
    force: flag('true: pods without a controller are evicted too; absent: if there are any, no pod is evicted.'),
    disableEviction: flag('true: pods are deleted, regardless of disruption budgets.'),
    podLabels: labels('Only pods with these labels.'),
  }),
);

export const WRITING_VERBS = Object.keys(WRITING_FIELDS) as (keyof typeof WRITING_FIELDS)[];

export const EXPECTATION_FIELDS = {
  match: {
    type: 'match',
    says: 'Some object matches this partial one; lists are compared by merge key, zero values equal absent ones.',
  },
  absent: { type: 'target', says: 'No such object exists.' },
  count: object(
    'The number of such objects.',
    {
      of: { ...target, says: 'The objects.' },
      is: integer('The exact number.'),
      atLeast: integer('The least number.'),
      atMost: integer('The greatest number.'),
    },
    {
      atLeastOneOf: ['is', 'atLeast', 'atMost'],
      atMostOneOf: [
        ['is', 'atLeast'],
        ['is', 'atMost'],
      ],
    },
  ),
  cel: expression(
    "A condition over objects('Pod'), object('Job/a'), events('Job/a'), inside('Pod/a'), inside('Node/a'), now and elapsed.",
    'world',
  ),
  allowed: object(
    'Is this user allowed to do this?',
    {
      user: required(text('The user.')),
      groups: texts('Their groups.'),
      verb: required(text('The verb: get, list, create, …')),
      resource: text('Plural resource name.'),
      group: text('API group of the resource.'),
      subresource: text('Sub-resource.'),
      name: text('Name of the object.'),
      namespace: text('Namespace; absent: cluster-wide.'),
      path: text('A non-resource path such as /healthz.'),
      is: flag('The answer; true if absent.'),
    },
    { exactlyOneOf: ['resource', 'path'] },
  ),
  ...DECISION_FIELDS,
} as const;

export const EXPECTATION_NAMES = Object.keys(EXPECTATION_FIELDS);

export const expectation = object('An expectation.', EXPECTATION_FIELDS, { exactlyOneOf: EXPECTATION_NAMES });
