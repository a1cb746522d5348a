/** The part of the scenario format under `spec.cluster`: nodes, agents, pods' behaviours, images, storage. */
import {
  choice,
  duration,
  either,
  exitCode,
  exitCodes,
  flag,
  integer,
  labels,
  list,
  mapping,
  matching,
  object,
  objectName,
  quantity,
  required,
  text,
  texts,
} from './fields.ts';
import type { Fields } from './fields.ts';
import { certificateSigner, credentialProvider, image, metric, podSource, selector, usage } from './pod-format.ts';

const latencyRange = (says: string) =>
  either(
    says,
    duration('Always the same.'),
    object('Drawn from the seed.', { min: required(duration('The shortest.')), max: required(duration('The longest.')) }),
  );

const taint = object('A taint.', {
  key: required(text('Its key.')),
  value: text('Its value.'),
  effect: required(choice('Its effect on pods that do not tolerate it.', 'NoSchedule', 'PreferNoSchedule', 'NoExecute')),
});

const NODE_SHAPE = {
  capacity: mapping('Quantities by resource; cpu 4, memory 8Gi and pods 110 where absent.', quantity('How much.')),
  labels: labels('Labels of the node.'),
  taints: list('Taints of the node.', taint),
  runtimeHandlers: texts(
    'The handlers of RuntimeClasses that its runtime supports; absent: all. A pod with another handler does not start there.',
  ),
  numa: list(
    'Its NUMA topology, for agents that assign processors and memory exclusively (cpuManagerPolicy, memoryManagerPolicy, topologyManagerPolicy); absent: one NUMA node with its whole capacity. A capacity that is absent is the sum over the NUMA nodes.',
    object('A NUMA node.', {
      cpus: required(integer('Its processors.', 1, 1024)),
      memory: required(quantity('Its memory.')),
    }),
    { minItems: 1, maxItems: 8 },
  ),
  threadsPerCore: integer('The number of processors in a core; 1 if absent.', 1, 8),
  resolvers: mapping(
    'Its resolver files by path, such as /etc/resolv.conf; with them, a pod whose agent is configured with another file does not start.',
    text('Its contents: nameserver, search and options lines.'),
  ),
  podCIDR: text('The address range of its pods, such as 10.244.1.0/29; absent: the cluster assigns addresses.'),
  clientCertificate: duration('How long the initial client certificate of its agent is valid; absent: for ever.'),
  agent: { type: 'agentConfig', says: 'An AgentConfiguration for its agent, in place of that of all agents.' },
  agentFlags: { type: 'agentFlags', says: 'Flags of its agent, after those of all agents.' },
} as const satisfies Fields;

const nodes = either(
  'The nodes: a number of equal nodes (node-0, node-1, …), or a list.',
  object('A number of equal nodes.', { count: required(integer('How many.', 0, 100_000)), ...NODE_SHAPE }),
  list(
    'A list of nodes.',
    object('A node, or a group of nodes.', {
      name: required(objectName('Its name.')),
      count: integer('The number of equal nodes: NAME-0, NAME-1, …; absent: one, NAME.', 0, 100_000),
      ...NODE_SHAPE,
    }),
  ),
);

const logLine = object(
  'A line, and when it is printed; at the start if nothing says when.',
  {
    line: required(
      text(
        'The line. {pod}, {namespace}, {node}, {container}, {restart}, {code} (of the exit) and {n} (the number of a repetition) are filled in.',
      ),
    ),
    container: text('The container that prints it; the first of the pod if absent.'),
    when: choice('Printed when this happens.', 'start', 'ready', 'termination', 'exit', 'success', 'failure'),
    at: duration('Printed so long after the start.'),
    every: duration('Printed again and again; the first time after one period, or at `at`.'),
  },
  {
    atMostOneOf: [
      ['when', 'at'],
      ['when', 'every'],
    ],
  },
);

const podBehavior = object(
  'The behaviour of matching pods and of their containers. The first match wins; annotations on a pod override it.',
  {
    selector,
    namespace: text('Only pods of this namespace.'),
    owner: matching(
      'Only pods that this object controls, such as ReplicaSet/web-6d4b75cb6d or, with a * for any ending, Job/nightly-* of CronJob nightly.',
      '^[A-Z][A-Za-z]{0,62}/[^*/\\s]{0,253}\\*?$',
      'a kind and a name, such as Job/nightly-*',
    ),
    nodes: list(
      'Where the scheduler puts them, in the order in which they are bound: each on its node as long as that passes every filter, otherwise where it would without this. `orchsim import` takes them from a log.',
      text('A node.'),
      { minItems: 1 },
    ),
    startDelay: duration('From scheduled to running. Annotation sim.orch.io/start-delay, in seconds.'),
    readyDelay: duration('From running to Ready. Annotation sim.orch.io/ready-delay.'),
    runFor: duration('From running to exit; absent: it does not exit by itself. Annotation sim.orch.io/exit-after.'),
    exitCodes: exitCodes('Exit codes by attempt; the last repeats. Annotation sim.orch.io/exit-code.'),
    exitCodesByIndex: mapping('Exit codes by completion index. Annotations sim.orch.io/exit-codes-N.', exitCodes('Exit codes by attempt.')),
    terminationDelay: duration('From SIGTERM to exit. Annotation sim.orch.io/term-delay.'),
    terminationExitCode: { ...exitCode, says: 'Exit code after SIGTERM. Annotation sim.orch.io/term-code.' },
    log: list(
      'What the containers print, for clients that read logs: lines in the order of their times. Absent: what they do, in words. Annotation sim.orch.io/log: lines at the start.',
      either('A line at the start, or another one.', text('A line that is printed at the start.'), logLine),
      { maxItems: 100 },
    ),
  },
);

const storageDriver = object('A simulated storage driver.', {
  name: required(text('Its name, as in CSIDriver and StorageClass.provisioner.')),
  attachDelay: duration('How long an attachment takes.'),
  detachDelay: duration('How long a detachment takes.'),
  provisionDelay: duration('How long provisioning a volume takes.'),
  failures: object('The number of failures before the first success, per volume.', {
    attach: integer('Failing attachments.'),
    detach: integer('Failing detachments.'),
    provision: integer('Failing attempts to provision a volume.'),
  }),
  attachRequired: flag('false: its volumes need no attachment.'),
  topologyKeys: texts(
    'The keys of node labels that define the topology of its volumes: a volume is provisioned in the topology of the selected node.',
  ),
  mountOptions: texts('The supported mount options; absent: all. A volume with another option is not mounted.'),
  parameters: texts('The supported parameters of classes; absent: all. No volume is provisioned for a class with another parameter.'),
  expandDelay: duration('How long the expansion of a volume takes; absent: its volumes cannot be expanded.'),
  capacity: list(
    'Its capacity; it publishes the free capacity. Absent: it publishes none and always has enough.',
    object('The capacity of one topology segment.', {
      topology: labels('The labels of the nodes that reach it; absent: all nodes.'),
      size: required(quantity('The total capacity, such as 100Gi.')),
      maximumVolumeSize: quantity('The largest volume; absent: the free capacity.'),
    }),
  ),
  csiDriver: object('Other fields of its CSIDriver object: the data passed to a mount, and the supported volumes.', {
    podInfoOnMount: flag('A mount receives the name, namespace, uid and service account of the pod.'),
    requiresRepublish: flag('A mounted volume is published again every minute.'),
    fsGroupPolicy: choice(
      "When the ownership of a volume's files is changed to the group of the pod.",
      'ReadWriteOnceWithFSType',
      'File',
      'None',
    ),
    volumeLifecycleModes: list(
      'The volumes that it mounts: those of claims, inline volumes of pods. Absent: those of claims.',
      choice('A mode.', 'Persistent', 'Ephemeral'),
    ),
    tokenRequests: list(
      "Tokens of the pod's service account that a mount receives.",
      object('A token.', {
        audience: required(text('Its audience; empty: the API server.')),
        expirationSeconds: integer('Its lifetime in seconds; an hour if absent.'),
      }),
    ),
  }),
  volumesPerNode: integer('The allocatable count its CSINode entries state.'),
  storageClasses: list(
    'Classes it serves; created with the cluster.',
    object('A StorageClass.', {
      name: required(objectName('Its name.')),
      volumeBindingMode: choice('When claims are bound.', 'Immediate', 'WaitForFirstConsumer'),
      reclaimPolicy: choice('The reclaim policy of released volumes.', 'Delete', 'Retain'),
      allowVolumeExpansion: flag('Whether claims may be expanded.'),
      isDefault: flag('It is the default class, for claims without a class.'),
      parameters: labels('Parameters for the driver.'),
      mountOptions: texts('Mount options of its volumes.'),
    }),
  ),
});

/** A file of behaviours (`spec.from.behaviors`): how the pods of a dump go on. */
export const BEHAVIORS = object('How pods go on, what they use, and other metrics.', {
  podBehaviors: list('The behaviour of containers; the first match wins.', podBehavior),
  usage: list(
    'The resource usage of pods and nodes, as functions of time; with it agents evict pods from nodes under pressure. Absent: no usage.',
    usage,
  ),
  metrics: list('The values of the APIs of custom and external metrics; absent: there are no such APIs.', metric),
});

export const CLUSTER = object('The nodes, the processes, and their behaviour.', {
  nodes,
  agent: { type: 'agentConfig', says: 'An AgentConfiguration for every node agent, inline or { file: path }.' },
  agentFlags: { type: 'agentFlags', says: 'Flags of every node agent; they override its file.' },
  scheduler: {
    type: 'schedulerFlags',
    says: 'Flags of the scheduler processes; --leader-elect… flags enable leader election.',
  },
  schedulers: either(
    'The number of scheduler replicas, or a list of schedulers.',
    integer(
      'The number of replicas, with leader election (scheduler, scheduler-1, …); absent, without flags about it: one, without leader election.',
      0,
      100,
    ),
    list(
      'A list of schedulers, each for its own pods.',
      object('A scheduler.', {
        name: required(objectName('The name of its process.')),
        schedulerName: text('It schedules pods with this spec.schedulerName; absent: default-scheduler.'),
        flags: { type: 'schedulerFlags', says: 'Its flags, after those of all schedulers.' },
        candidates: integer('The number of processes in leader election: NAME, NAME-1, …', 0, 100),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  ),
  controllerManagers: integer(
    'The number of controller managers, with leader election (controller-manager, controller-manager-1, …); absent: one, without leader election.',
    0,
    100,
  ),
  latency: object('The latencies of messages.', {
    api: latencyRange('The round trip of a request.'),
    watch: latencyRange('From a change to the watchers.'),
  }),
  podBehaviors: BEHAVIORS.fields.podBehaviors,
  images: list('Images that must be pulled; absent: every image is on every node.', image),
  podSources: list('Static pods: pods that agents read from files and endpoints, not from the API server.', podSource),
  usage: BEHAVIORS.fields.usage,
  metrics: BEHAVIORS.fields.metrics,
  certificateSigners: list(
    'Signers of certificates that agents request (--bootstrap-orchconfig, rotateCertificates, serverTLSBootstrap); absent: none.',
    certificateSigner,
  ),
  credentialProviders: list(
    'Credential providers, in their order, for agents whose flags name a configuration and a folder of plug-ins.',
    credentialProvider,
  ),
  storageDrivers: list('Simulated storage drivers.', storageDriver),
  bootstrap: flag(
    'true: it has the objects that a real server creates at its start: the built-in roles and bindings, the Service of the API.',
  ),
  podEvents: flag(
    'true: node agents record pulls, creations, starts and stops of containers as Events; absent: they do if the cluster has images, or a step expects such an Event.',
  ),
  timeZone: text('The time zone of the controller manager, such as Europe/Berlin, for schedules without a time zone. UTC if absent.'),
  managedFields: flag('true: fields that controllers and agents write are tracked in managedFields too.'),
});
