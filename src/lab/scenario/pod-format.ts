/** The part of the scenario format about pods: usage over time, images, static pods, credentials. */
import { choice, duration, either, flag, labels, list, mapping, object, quantity, required, text, texts } from './fields.ts';

export const selector = object('Which pods; all if absent.', {
  matchLabels: labels('Labels that they must have.'),
  matchExpressions: list(
    'Conditions on labels.',
    object('A condition on one label.', {
      key: required(text('The label.')),
      operator: required(choice('The operator.', 'In', 'NotIn', 'Exists', 'DoesNotExist')),
      values: texts('For In and NotIn.'),
    }),
  ),
});

const curve = (says: string) =>
  either(
    `${says}: constant, in steps, or linear. Times count from the start of the containers; without a single pod, from the start of the run.`,
    quantity('Always the same.'),
    list(
      'Each value from its time on; 0 before the first.',
      object('A step.', { at: required(duration('From this time on.')), is: required(quantity('The value.')) }),
      { minItems: 1 },
    ),
    object(
      'Linear: once, or back and forth.',
      {
        from: quantity('The first value; 0 if absent.'),
        to: required(quantity('The last value.')),
        over: duration('The duration of the change; the value is constant afterwards.'),
        every: duration('The period of going back and forth.'),
      },
      { exactlyOneOf: ['over', 'every'] },
    ),
  );

export const usage = object(
  'The usage of matching pods, or of the system of nodes. The first entry with a resource wins.',
  {
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
  { atMostOneOf: ['system', 'nodes', 'container', 'memory', 'disk', 'pids'].map((other) => ['shared', other]) },
);

export const metric = object(
  'A metric other than usage, for autoscalers: of pods, of another object, or from outside the cluster.',
  {
    name: required(text('Its name.')),
    pods: { ...selector, says: 'A metric of each of these pods.' },
    object: object('A metric of this object.', { kind: required(text('Its kind.')), name: required(text('Its name.')) }),
    external: flag('true: a metric from outside the cluster.'),
    namespace: text('The namespace of its objects; absent: any.'),
    labels: labels('Labels of the metric itself, by which an autoscaler may choose.'),
    shared: flag('true: the value is the sum over all the pods, of which the ready ones have equal parts.'),
    value: required(curve('Its value')),
  },
  { exactlyOneOf: ['pods', 'object', 'external'], atMostOneOf: ['object', 'external'].map((other) => ['shared', other]) },
);

export const podSource = object(
  'A pod in a file of nodes, behind an endpoint, or submitted to the servers of agents. Agents read it if they are configured to (staticPodPath, staticPodURL); their servers accept submissions (enableServer).',
  {
    path: text('The file.'),
    url: text('The endpoint.'),
    submitted: flag(
      'true: it is submitted to the agents directly. An agent that is down at that time never receives it, and an agent that restarts loses it.',
    ),
    headers: labels('The endpoint responds only to requests with these headers.'),
    nodes: texts('Nodes that have the file, reach the endpoint, or receive the submission; absent: all.'),
    from: duration('It exists, or is submitted, from this time since the start of the run; absent: from the beginning.'),
    until: duration('It exists until then.'),
    pod: required({ type: 'document', says: 'The pod.' }),
  },
  { exactlyOneOf: ['path', 'url', 'submitted'] },
);

export const image = object('An image in the registry. Images that are not in the list are on every node and cost nothing.', {
  name: required(text('Its name in pods; without a tag it is latest.')),
  size: quantity('Its size on disk; 0 if absent.'),
  pullTime: duration('How long a pull of the whole image takes; absent: a second for each 100Mi.', 'pullMs'),
  missing: flag('true: the registry does not have it.'),
  from: duration('The registry has it from this time since the start of the run on.'),
  until: duration('The registry has it until then.'),
  private: either(
    'The credentials that a pull needs; absent: none.',
    flag('true: any credentials for it.'),
    object('These credentials.', { username: required(text('A name.')), password: required(text('A word.')) }),
  ),
  nodes: texts('Nodes that have it from the start.'),
});

export const certificateSigner = object('A signer that answers certificate requests of agents. Of several, the first answer counts.', {
  signs: choice('Which requests; both if absent.', 'client', 'serving'),
  nodes: texts('The nodes whose requests it answers; absent: all.'),
  delay: duration('From the request to the answer; 0s if absent.'),
  lasts: duration('How long its certificates are valid; a year if absent.'),
  denies: flag('true: it denies.'),
  from: duration('It exists from this time since the start; pending requests are answered then.'),
  until: duration('It exists until then.'),
});

export const credentialProvider = object('A credential provider: its images, and the answers of its plug-in.', {
  name: required(text('Its name.')),
  matchImages: required(texts('Patterns of images, such as *.registry.example or registry.example/team.')),
  auth: mapping(
    'Credentials by pattern of images. For one pattern the provider listed first wins.',
    object('Credentials.', { username: required(text('A name.')), password: required(text('A word.')) }),
  ),
  cacheKeyType: choice('The key of the cache of answers; Registry if absent.', 'Image', 'Registry', 'Global'),
  cacheDuration: duration('For how long, as the answer says; 0s: not at all. Absent: as long as the configuration says.', 'cacheMs'),
  defaultCacheDuration: duration('As long as the configuration says; 10 m if absent.', 'defaultCacheMs'),
  error: text('It answers with this error.'),
  delay: duration('How long it takes to answer; after a minute it is given up.'),
});
