/** The part of the scenario format about what pods use and run: usage over time, images, files of pods, credentials. */
import { duration, flag, labels, text, texts } from './field-helpers.ts';

export const selector = {
  type: 'object',
  description: 'Which pods; all if absent.',
  fields: {
    matchLabels: labels('Labels they must carry.'),
    matchExpressions: {
      type: 'list',
      description: 'Conditions on labels.',
      items: {
        type: 'object',
        description: 'A condition on one label.',
        fields: {
          key: { ...text('The label.'), required: true },
          operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'], required: true, description: 'How it is compared.' },
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
    description: `${description}: always the same, in steps, or as a line. Times count from the start of the containers; for what is of no single pod, from that of the run.`,
    forms: [
      amount('Always the same.'),
      {
        type: 'list',
        minItems: 1,
        description: 'Each from its time on; nothing before the first.',
        items: {
          type: 'object',
          description: 'A step.',
          fields: { at: { ...duration('From this time on.'), required: true }, is: { ...amount('So much.'), required: true } },
        },
      },
      {
        type: 'object',
        description: 'A line: once, or there and back for ever.',
        fields: {
          from: amount('Where it begins; 0 if absent.'),
          to: { ...amount('Where it leads.'), required: true },
          over: duration('It takes so long, and stays.'),
          every: duration('There and back again so often.'),
        },
        exactlyOneOf: ['over', 'every'],
      },
    ],
  }) as const;

export const usage = {
  type: 'object',
  description: 'What matching pods use, or the system of nodes. Of several that state a resource the first counts.',
  fields: {
    selector,
    namespace: text('Only pods of this namespace.'),
    container: text('A container by name; absent: the first of the pod. Of system: one that somebody else runs on the node.'),
    system: flag('true: what nodes use besides their pods.'),
    nodes: texts('For system: only these nodes.'),
    shared: flag('true: what all matching pods use of cores together, in equal parts; times count from that of the run. For autoscalers.'),
    memory: curve('Memory'),
    disk: curve('What is written to the disk of the node'),
    pids: curve('Processes'),
    cpu: curve('Cores'),
  },
  // Work that pods share is cores of pods: of all else it would say nothing.
  atMostOneOf: ['system', 'nodes', 'container', 'memory', 'disk', 'pids'].map((other) => ['shared', other]),
} as const;

export const metric = {
  type: 'object',
  description: 'A metric other than usage, for autoscalers: of pods, of another object, or of something outside the cluster.',
  fields: {
    name: { ...text('What it is called.'), required: true },
    pods: { ...selector, description: 'It is of each of these pods.' },
    object: {
      type: 'object',
      description: 'It is of this object.',
      fields: { kind: { ...text('Its kind.'), required: true }, name: { ...text('Its name.'), required: true } },
    },
    external: flag('true: it is of something outside the cluster.'),
    namespace: text('The namespace of what it is of; absent: any.'),
    labels: labels('Labels of the metric itself, by which an autoscaler may choose.'),
    shared: flag('true: the value is that of all the pods together, of which those that are ready have equal parts.'),
    value: { ...curve('Its value'), required: true },
  },
  exactlyOneOf: ['pods', 'object', 'external'],
  atMostOneOf: ['object', 'external'].map((other) => ['shared', other]),
} as const;

export const podSource = {
  type: 'object',
  description:
    'A pod in a file of nodes, behind an endpoint, or submitted to the servers of agents. Agents look there that are configured to (staticPodPath, staticPodURL); their servers take what is submitted (enableServer).',
  fields: {
    path: text('The file.'),
    url: text('The endpoint.'),
    submitted: flag(
      'true: somebody submits it to the agents themselves. One that is down then never hears of it; one that starts anew has forgotten it.',
    ),
    headers: labels('The endpoint answers to those alone who send these.'),
    nodes: texts('Nodes that have the file, reach the endpoint or are submitted it; absent: all.'),
    from: duration('It is there, or submitted, from this time since the start of the run on; absent: it has always been there.'),
    until: duration('It is there until then.'),
    pod: { type: 'document', required: true, description: 'The pod.' },
  },
  exactlyOneOf: ['path', 'url', 'submitted'],
} as const;

export const image = {
  type: 'object',
  description: 'An image in the registry. Images that are not in the list are on every node and cost nothing.',
  fields: {
    name: { ...text('As pods name it; without a tag it is latest.'), required: true },
    size: { type: 'quantity', description: 'What it weighs on a disk; 0 if absent.' },
    pullTime: duration('How long a pull takes where nothing of it is there; absent: a second for each 100Mi.'),
    missing: flag('true: the registry does not have it.'),
    from: duration('The registry has it from this time since the start of the run on.'),
    until: duration('The registry has it until then.'),
    private: {
      type: 'either',
      description: 'Who may pull it; absent: everybody.',
      forms: [
        flag('true: whoever has credentials for it.'),
        {
          type: 'object',
          description: 'Whoever has these credentials.',
          fields: { username: { ...text('A name.'), required: true }, password: { ...text('A word.'), required: true } },
        },
      ],
    },
    nodes: texts('Nodes that have it from the start.'),
  },
} as const;

export const certificateSigner = {
  type: 'object',
  description: 'Somebody who answers requests of agents for certificates. Of several the one that answers first counts.',
  fields: {
    signs: { type: 'string', enum: ['client', 'serving'], description: 'Which requests; both if absent.' },
    nodes: texts('The nodes whose requests it answers; absent: all.'),
    delay: duration('From the request to the answer; 0s if absent.'),
    lasts: duration('How long its certificates are good; a year if absent.'),
    denies: flag('true: it denies.'),
    from: duration('It is there from then on, counted from the start; what waits is answered then.'),
    until: duration('It is there until then.'),
  },
} as const;

export const credentialProvider = {
  type: 'object',
  description: 'A credential provider: for which images it is asked, and what its plug-in answers.',
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
      description: 'What an answer is remembered for; Registry if absent.',
    },
    cacheDuration: duration('For how long, as the answer says; 0s: not at all. Absent: as long as the configuration says.'),
    defaultCacheDuration: duration('As long as the configuration says; 10 m if absent.'),
    error: text('It answers with this error.'),
    delay: duration('How long it takes to answer; after a minute it is given up.'),
  },
} as const;
