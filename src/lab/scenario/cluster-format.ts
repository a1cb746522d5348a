/** The part of the scenario format under `spec.cluster`: nodes, agents, pods' behaviours, images, storage. */
import { duration, exitCode, exitCodes, flag, integer, labels, objectName, text, texts } from './field-helpers.ts';
import type { Fields } from './fields.ts';
import { certificateSigner, credentialProvider, image, metric, podSource, selector, usage } from './pod-format.ts';
import { storageDriver } from './storage-format.ts';

const latencyRange = (description: string) =>
  ({
    type: 'either',
    description,
    forms: [
      duration('Always the same.'),
      {
        type: 'object',
        description: 'Drawn from the seed.',
        fields: { min: { ...duration('The shortest.'), required: true }, max: { ...duration('The longest.'), required: true } },
      },
    ],
  }) as const;

const taint = {
  type: 'object',
  description: 'A taint.',
  fields: {
    key: { ...text('Its key.'), required: true },
    value: text('Its value.'),
    effect: {
      type: 'string',
      enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
      required: true,
      description: 'Its effect on pods that do not tolerate it.',
    },
  },
} as const;

const NODE_SHAPE = {
  capacity: {
    type: 'map',
    values: { type: 'quantity', description: 'How much.' },
    description: 'Quantities by resource; cpu 4, memory 8Gi and pods 110 where absent.',
  },
  labels: labels('Labels of the node.'),
  taints: { type: 'list', items: taint, description: 'Taints of the node.' },
  runtimeHandlers: texts(
    'The handlers of RuntimeClasses that its runtime supports; absent: all. A pod with another handler does not start there.',
  ),
  numa: {
    type: 'list',
    items: {
      type: 'object',
      description: 'A NUMA node.',
      fields: {
        cpus: { ...integer('Its processors.', 1), maximum: 1024, required: true },
        memory: { type: 'quantity', required: true, description: 'Its memory.' },
      },
    },
    minItems: 1,
    maxItems: 8,
    description:
      'Its NUMA topology, for agents that assign processors and memory exclusively (cpuManagerPolicy, memoryManagerPolicy, topologyManagerPolicy); absent: one NUMA node with its whole capacity. A capacity that is absent is the sum over the NUMA nodes.',
  },
  threadsPerCore: { ...integer('The number of processors in a core; 1 if absent.', 1), maximum: 8 },
  resolvers: {
    type: 'map',
    values: text('Its contents: nameserver, search and options lines.'),
    description:
      'Its resolver files by path, such as /etc/resolv.conf; with them, a pod whose agent is configured with another file does not start.',
  },
  podCIDR: text('The address range of its pods, such as 10.244.1.0/29; absent: the cluster assigns addresses.'),
  clientCertificate: duration('How long the initial client certificate of its agent is valid; absent: for ever.'),
  agent: { type: 'agentConfig', description: 'An AgentConfiguration for its agent, in place of that of all agents.' },
  agentFlags: { type: 'agentFlags', description: 'Flags of its agent, after those of all agents.' },
} as const satisfies Fields;

const nodes = {
  type: 'either',
  description: 'The nodes: a number of equal nodes (node-0, node-1, …), or a list.',
  forms: [
    {
      type: 'object',
      description: 'A number of equal nodes.',
      fields: { count: { ...integer('How many.'), maximum: 100_000, required: true }, ...NODE_SHAPE },
    },
    {
      type: 'list',
      description: 'A list of nodes.',
      items: {
        type: 'object',
        description: 'A node, or a group of nodes.',
        fields: {
          name: { ...objectName('Its name.'), required: true },
          count: { ...integer('The number of equal nodes: NAME-0, NAME-1, …; absent: one, NAME.'), maximum: 100_000 },
          ...NODE_SHAPE,
        },
      },
    },
  ],
} as const;

const podBehavior = {
  type: 'object',
  description: 'The behaviour of the containers of matching pods. The first match wins; annotations on a pod override it.',
  fields: {
    selector,
    namespace: text('Only pods of this namespace.'),
    startDelay: duration('From scheduled to running. Annotation sim.orch.io/start-delay, in seconds.'),
    readyDelay: duration('From running to Ready. Annotation sim.orch.io/ready-delay.'),
    runFor: duration('From running to exit; absent: it does not exit by itself. Annotation sim.orch.io/exit-after.'),
    exitCodes: exitCodes('Exit codes by attempt; the last repeats. Annotation sim.orch.io/exit-code.'),
    exitCodesByIndex: {
      type: 'map',
      values: exitCodes('Exit codes by attempt.'),
      description: 'Exit codes by completion index. Annotations sim.orch.io/exit-codes-N.',
    },
    terminationDelay: duration('From SIGTERM to exit. Annotation sim.orch.io/term-delay.'),
    terminationExitCode: { ...exitCode, description: 'Exit code after SIGTERM. Annotation sim.orch.io/term-code.' },
  },
} as const;

export const CLUSTER = {
  type: 'object',
  description: 'The nodes, the processes, and their behaviour.',
  fields: {
    nodes,
    agent: { type: 'agentConfig', description: 'An AgentConfiguration for every node agent, inline or { file: path }.' },
    agentFlags: { type: 'agentFlags', description: 'Flags of every node agent; they override its file.' },
    scheduler: {
      type: 'schedulerFlags',
      description: 'Flags of the scheduler processes; --leader-elect… flags enable leader election.',
    },
    schedulers: {
      type: 'either',
      description: 'The number of scheduler replicas, or a list of schedulers.',
      forms: [
        {
          ...integer(
            'The number of replicas, with leader election (scheduler, scheduler-1, …); absent, without flags about it: one, without leader election.',
          ),
          maximum: 100,
        },
        {
          type: 'list',
          description: 'A list of schedulers, each for its own pods.',
          minItems: 1,
          maxItems: 100,
          items: {
            type: 'object',
            description: 'A scheduler.',
            fields: {
              name: { ...objectName('The name of its process.'), required: true },
              schedulerName: text('It schedules pods with this spec.schedulerName; absent: default-scheduler.'),
              flags: { type: 'schedulerFlags', description: 'Its flags, after those of all schedulers.' },
              candidates: { ...integer('The number of processes in leader election: NAME, NAME-1, …'), maximum: 100 },
            },
          },
        },
      ],
    },
    controllerManagers: {
      ...integer(
        'The number of controller managers, with leader election (controller-manager, controller-manager-1, …); absent: one, without leader election.',
      ),
      maximum: 100,
    },
    latency: {
      type: 'object',
      description: 'The latencies of messages.',
      fields: { api: latencyRange('The round trip of a request.'), watch: latencyRange('From a change to the watchers.') },
    },
    podBehaviors: { type: 'list', items: podBehavior, description: 'The behaviour of containers; the first match wins.' },
    images: { type: 'list', items: image, description: 'Images that must be pulled; absent: every image is on every node.' },
    podSources: {
      type: 'list',
      items: podSource,
      description: 'Static pods: pods that agents read from files and endpoints, not from the API server.',
    },
    usage: {
      type: 'list',
      items: usage,
      description:
        'The resource usage of pods and nodes, as functions of time; with it agents evict pods from nodes under pressure. Absent: no usage.',
    },
    metrics: {
      type: 'list',
      items: metric,
      description: 'The values of the APIs of custom and external metrics; absent: there are no such APIs.',
    },
    certificateSigners: {
      type: 'list',
      items: certificateSigner,
      description:
        'Signers of certificates that agents request (--bootstrap-orchconfig, rotateCertificates, serverTLSBootstrap); absent: none.',
    },
    credentialProviders: {
      type: 'list',
      items: credentialProvider,
      description: 'Credential providers, in their order, for agents whose flags name a configuration and a folder of plug-ins.',
    },
    storageDrivers: { type: 'list', items: storageDriver, description: 'Simulated storage drivers.' },
    bootstrap: flag(
      'true: it has the objects that a real server creates at its start: the built-in roles and bindings, the Service of the API.',
    ),
    podEvents: flag(
      'true: node agents record pulls, creations, starts and stops of containers as Events; absent: they do if the cluster has images, or a step expects such an Event.',
    ),
    timeZone: text('The time zone of the controller manager, such as Europe/Berlin, for schedules without a time zone. UTC if absent.'),
    managedFields: flag('true: fields that controllers and agents write are tracked in managedFields too.'),
  },
} as const;
