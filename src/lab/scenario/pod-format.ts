/** The part of the scenario format about pods: usage over time, images, static pods, credentials. */
import { duration, flag, labels, text, texts } from './field-helpers.ts';

export const selector = {
  type: 'object',
  description: 'Which pods; all if absent.',
  fields: {
    matchLabels: labels('Labels that they must have.'),
    matchExpressions: {
      type: 'list',
      description: 'Conditions on labels.',
      items: {
        type: 'object',
        description: 'A condition on one label.',
        fields: {
          key: { ...text('The label.'), required: true },
          operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'], required: true, description: 'The operator.' },
          values: texts('For In and NotIn.'),
        },
      },
    },
  },
} as const;

const amount = (description: string) => ({ type: 'quantity', description }) as const;
const curve = (description: string) =>
  ({
    type: 'either',
    description: `${description}: constant, in steps, or linear. Times count from the start of the containers; without a single pod, from the start of the run.`,
    forms: [
      amount('Always the same.'),
      {
        type: 'list',
        minItems: 1,
        description: 'Each value from its time on; 0 before the first.',
        items: {
          type: 'object',
          description: 'A step.',
          fields: { at: { ...duration('From this time on.'), required: true }, is: { ...amount('The value.'), required: true } },
        },
      },
      {
        type: 'object',
        description: 'Linear: once, or back and forth.',
        fields: {
          from: amount('The first value; 0 if absent.'),
          to: { ...amount('The last value.'), required: true },
          over: duration('The duration of the change; the value is constant afterwards.'),
          every: duration('The period of going back and forth.'),
        },
        exactlyOneOf: ['over', 'every'],
      },
    ],
  }) as const;

export const usage = {
  type: 'object',
  description: 'The usage of matching pods, or of the system of nodes. The first entry with a resource wins.',
  fields: {
    selector,
    namespace: text('Only pods of this namespace.'),
    container: text('A container by name; absent: the first of the pod. For system: a container on the node that is part of no pod.'),
    system: flag('true: the usage of nodes besides their pods.'),
    nodes: texts('For system: only these nodes.'),
    shared: flag(
      'true: the CPU usage of all matching pods together, in equal parts; times count from the start of the run. For autoscalers.',
    ),
    memory: curve('Memory'),
    disk: curve('Bytes written to the disk of the node'),
    pids: curve('Processes'),
    cpu: curve('Cores'),
  },
  // Shared work is measured in cores only.
  atMostOneOf: ['system', 'nodes', 'container', 'memory', 'disk', 'pids'].map((other) => ['shared', other]),
} as const;

export const metric = {
  type: 'object',
  description: 'A metric other than usage, for autoscalers: of pods, of another object, or from outside the cluster.',
  fields: {
    name: { ...text('Its name.'), required: true },
    pods: { ...selector, description: 'A metric of each of these pods.' },
    object: {
      type: 'object',
      description: 'A metric of this object.',
      fields: { kind: { ...text('Its kind.'), required: true }, name: { ...text('Its name.'), required: true } },
    },
    external: flag('true: a metric from outside the cluster.'),
    namespace: text('The namespace of its objects; absent: any.'),
    labels: labels('Labels of the metric itself, by which an autoscaler may choose.'),
    shared: flag('true: the value is the sum over all the pods, of which the ready ones have equal parts.'),
    value: { ...curve('Its value'), required: true },
  },
  exactlyOneOf: ['pods', 'object', 'external'],
  atMostOneOf: ['object', 'external'].map((other) => ['shared', other]),
} as const;

export const podSource = {
  type: 'object',
  description:
    'A pod in a file of nodes, behind an endpoint, or submitted to the servers of agents. Agents read it if they are configured to (staticPodPath, staticPodURL); their servers accept submissions (enableServer).',
  fields: {
    path: text('The file.'),
    url: text('The endpoint.'),
    submitted: flag(
      'true: it is submitted to the agents directly. An agent that is down at that time never receives it, and an agent that restarts loses it.',
    ),
    headers: labels('The endpoint responds only to requests with these headers.'),
    nodes: texts('Nodes that have the file, reach the endpoint, or receive the submission; absent: all.'),
    from: duration('It exists, or is submitted, from this time since the start of the run; absent: from the beginning.'),
    until: duration('It exists until then.'),
    pod: { type: 'document', required: true, description: 'The pod.' },
  },
  exactlyOneOf: ['path', 'url', 'submitted'],
} as const;

export const image = {
  type: 'object',
  description: 'An image in the registry. Images that are not in the list are on every node and cost nothing.',
  fields: {
    name: { ...text('Its name in pods; without a tag it is latest.'), required: true },
    size: { type: 'quantity', description: 'Its size on disk; 0 if absent.' },
    pullTime: duration('How long a pull of the whole image takes; absent: a second for each 100Mi.'),
    missing: flag('true: the registry does not have it.'),
    from: duration('The registry has it from this time since the start of the run on.'),
    until: duration('The registry has it until then.'),
    private: {
      type: 'either',
      description: 'The credentials that a pull needs; absent: none.',
      forms: [
        flag('true: any credentials for it.'),
        {
          type: 'object',
          description: 'These credentials.',
          fields: { username: { ...text('A name.'), required: true }, password: { ...text('A word.'), required: true } },
        },
      ],
    },
    nodes: texts('Nodes that have it from the start.'),
  },
} as const;

export const certificateSigner = {
  type: 'object',
  description: 'A signer that answers certificate requests of agents. Of several, the first answer counts.',
  fields: {
    signs: { type: 'string', enum: ['client', 'serving'], description: 'Which requests; both if absent.' },
    nodes: texts('The nodes whose requests it answers; absent: all.'),
    delay: duration('From the request to the answer; 0s if absent.'),
    lasts: duration('How long its certificates are valid; a year if absent.'),
    denies: flag('true: it denies.'),
    from: duration('It exists from this time since the start; pending requests are answered then.'),
    until: duration('It exists until then.'),
  },
} as const;

export const credentialProvider = {
  type: 'object',
  description: 'A credential provider: its images, and the answers of its plug-in.',
  fields: {
    name: { ...text('Its name.'), required: true },
    matchImages: { ...texts('Patterns of images, such as *.registry.example or registry.example/team.'), required: true },
    auth: {
      type: 'map',
      values: {
        type: 'object',
        description: 'Credentials.',
        fields: { username: { ...text('A name.'), required: true }, password: { ...text('A word.'), required: true } },
      },
      description: 'Credentials by pattern of images. For one pattern the provider listed first wins.',
    },
    cacheKeyType: {
      type: 'string',
      enum: ['Image', 'Registry', 'Global'],
      description: 'The key of the cache of answers; Registry if absent.',
    },
    cacheDuration: duration('For how long, as the answer says; 0s: not at all. Absent: as long as the configuration says.'),
    defaultCacheDuration: duration('As long as the configuration says; 10 m if absent.'),
    error: text('It answers with this error.'),
    delay: duration('How long it takes to answer; after a minute it is given up.'),
  },
} as const;
