/** The format of questions to decision rules, as expectations. */
import { flag, text, texts } from './field-helpers.ts';
import type { Fields } from './fields.ts';

const name = (description: string) => ({ ...text(description), required: true }) as const;

/** One end of a connection. */
const end = (description: string) =>
  ({
    type: 'either',
    required: true,
    description,
    forms: [
      { type: 'target', description: 'A Pod, a Node, or as a receiver a Service: then the question is about each of its endpoints.' },
      { type: 'object', description: 'An address outside the cluster.', fields: { address: name('An IP address.') } },
    ],
  }) as const;

export const DECISION_FIELDS = {
  traffic: {
    type: 'object',
    description: 'Do the NetworkPolicies allow this traffic? For several objects, the answer must be the same for all.',
    fields: {
      from: end('The sender: Pod/a, Node/node-0, a target with labels, or { address: 203.0.113.7 }.'),
      to: end('The receiver: Pod/b, Service/web, Node/node-0, a target with labels, or { address: 203.0.113.7 }.'),
      port: { type: 'integer', minimum: 1, maximum: 65_535, required: true, description: 'The destination port.' },
      protocol: { type: 'string', enum: ['TCP', 'UDP', 'SCTP'], description: 'TCP if absent.' },
      is: flag('The answer; true if absent.'),
    },
  },
  backend: {
    type: 'object',
    description: 'To which backend do the Ingresses of a class route this request?',
    fields: {
      ingress: { type: 'target', description: 'Only these Ingresses.' },
      class: text('The IngressClass; may be absent if only one is in use.'),
      host: name('The Host header.'),
      path: name('The path.'),
      tls: flag('Over port 443.'),
      sni: text('The name in the TLS handshake; the host if absent.'),
      is: name('service:port, Kind/name of a resource, or none; in another namespace than default: namespace/service:port.'),
      secret: text('The secret that terminates TLS, or none.'),
    },
  },
  endpoints: {
    type: 'object',
    description: 'Which endpoints does a consumer of this service use?',
    fields: {
      service: name('Its name.'),
      namespace: text('Its namespace; default if absent.'),
      zone: text('The zone of the consumer; absent: unknown, so topology hints do not apply.'),
      via: { type: 'string', enum: ['EndpointSlice', 'Endpoints'], description: 'The kind that is read; EndpointSlice if absent.' },
      is: { ...texts('Exactly these: the name of the pod or the address, alone or with :port. Empty: none.'), required: true },
    },
  },
  capacity: {
    type: 'object',
    description: 'Do the CSIStorageCapacity objects report enough capacity for a volume on a node?',
    fields: {
      storageClass: name('The class of the claim.'),
      size: { type: 'quantity', required: true, description: 'The requested size.' },
      node: name('The node.'),
      is: flag('The answer; true if absent.'),
    },
  },
  answer: {
    type: 'object',
    description: 'How does an agent or a scheduler respond to this request, with its present configuration?',
    fields: {
      process: name('The process: agent/node-0, scheduler.'),
      path: name('The path.'),
      listener: { type: 'string', enum: ['server', 'read-only', 'health'], description: 'The port of an agent; its server if absent.' },
      token: text('The user of the bearer token, by a token review; invalid: it has none.'),
      cert: text('Common name of a client certificate of the client CA.'),
      proxy: text('Common name of a certificate of the request-header CA; user then names the user.'),
      user: text('The user in the headers.'),
      groups: texts('The groups of the user; absent: those of every authenticated user, or of anonymous requests.'),
      review: {
        type: 'string',
        enum: ['allowed', 'denied'],
        description: 'The access review of the API server; absent: by the roles in the cluster.',
      },
      is: {
        type: 'integer',
        minimum: 0,
        maximum: 599,
        required: true,
        description: 'The status code of the response; 0: there is no listener.',
      },
    },
  },
  preferred: {
    type: 'object',
    description: 'Which version of a group do the APIServices prefer?',
    fields: { group: name('The group; "" is the core.'), is: name('The version, or none.') },
  },
} as const satisfies Fields;
