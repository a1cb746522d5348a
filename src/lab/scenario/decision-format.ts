/** Questions to the rules that decide, as expectations: what may stand in a file. */
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
      { type: 'target', description: 'A Pod, a Node, or as a receiver a Service: then every endpoint it leads to is asked.' },
      { type: 'object', description: 'Somebody outside the cluster.', fields: { address: name('An IP address.') } },
    ],
  }) as const;

export const DECISION_FIELDS = {
  traffic: {
    type: 'object',
    description: 'May this traffic pass the NetworkPolicies? Where several objects are meant, the answer must be the same for all.',
    fields: {
      from: end('Who sends: Pod/a, Node/node-0, a target with labels, or { address: 203.0.113.7 }.'),
      to: end('Who receives: Pod/b, Service/web, Node/node-0, a target with labels, or { address: 203.0.113.7 }.'),
      port: { type: 'integer', minimum: 1, maximum: 65_535, required: true, description: 'The port it is sent to.' },
      protocol: { type: 'string', enum: ['TCP', 'UDP', 'SCTP'], description: 'TCP if absent.' },
      is: flag('The answer; true if absent.'),
    },
  },
  backend: {
    type: 'object',
    description: 'Which backend do the Ingresses of a class send this request to?',
    fields: {
      ingress: { type: 'target', description: 'Asks these Ingresses alone.' },
      class: text('The class whose implementation is asked; may be absent where only one is in use.'),
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
      zone: text('The zone the consumer is in; absent: nowhere in particular, so hints do not count.'),
      via: { type: 'string', enum: ['EndpointSlice', 'Endpoints'], description: 'Which form is read; EndpointSlice if absent.' },
      is: { ...texts('Exactly these: the name of the pod or the address, alone or with :port. Empty: none.'), required: true },
    },
  },
  capacity: {
    type: 'object',
    description: 'Do the CSIStorageCapacity objects promise room for a volume on a node?',
    fields: {
      storageClass: name('The class of the claim.'),
      size: { type: 'quantity', required: true, description: 'What the claim asks for.' },
      node: name('The node.'),
      is: flag('The answer; true if absent.'),
    },
  },
  answer: {
    type: 'object',
    description: 'What does an agent or a scheduler answer to this request, as it is configured now?',
    fields: {
      process: name('Whose listener is asked: agent/node-0, scheduler.'),
      path: name('The path.'),
      listener: { type: 'string', enum: ['server', 'read-only', 'health'], description: 'Which port of an agent; its server if absent.' },
      token: text("Whose the bearer token is by a token review; invalid: nobody's."),
      cert: text('Common name of a client certificate of the client CA.'),
      proxy: text('Common name of a certificate of the request-header CA, behind which user stands.'),
      user: text('The user that headers name.'),
      groups: texts('Groups of whoever it is; those of everybody who is known, or of nobody, if absent.'),
      review: {
        type: 'string',
        enum: ['allowed', 'denied'],
        description: 'What the API server says of him; what the roles there are say if absent.',
      },
      is: { type: 'integer', minimum: 0, maximum: 599, required: true, description: 'The status of the answer; 0: nobody listens.' },
    },
  },
  preferred: {
    type: 'object',
    description: 'Which version of a group do the APIServices prefer?',
    fields: { group: name('The group; "" is the core.'), is: name('The version, or none.') },
  },
} as const satisfies Fields;
