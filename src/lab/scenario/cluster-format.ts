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
      description: 'What it does to pods that do not tolerate it.',
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
    'The handlers of RuntimeClasses that its runtime is configured for; absent: all. A pod of another one does not start there.',
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
      'Where its processors and its memory are, for agents that hand them out (cpuManagerPolicy, memoryManagerPolicy, topologyManagerPolicy); absent: in one place, as much as its capacity. A capacity that is not said is their sum.',
  },
  threadsPerCore: { ...integer('How many processors a core has; 1 where absent.', 1), maximum: 8 },
  resolvers: {
    type: 'map',
    values: text('What stands in it: nameserver, search and options lines.'),
    description:
      'Its resolver files by path, such as /etc/resolv.conf; where these are said, a pod whose agent names another does not start.',
  },
  podCIDR: text('The range that its pods get their addresses from, such as 10.244.1.0/29; absent: the cluster gives them out.'),
  clientCertificate: duration('How long the client certificate is good that its agent has from the start; absent: for good.'),
  agent: { type: 'agentConfig', description: 'An AgentConfiguration for its agent, in place of that of all agents.' },
  agentFlags: { type: 'agentFlags', description: 'Flags of its agent, after those of all agents.' },
} as const satisfies Fields;

const nodes = {
  type: 'either',
  description: 'The nodes: so many alike (node-0, node-1, …), or a list.',
  forms: [
    {
      type: 'object',
      description: 'So many nodes alike.',
      fields: { count: { ...integer('How many.'), maximum: 100_000, required: true }, ...NODE_SHAPE },
    },
    {
      type: 'list',
      description: 'Nodes one by one.',
      items: {
        type: 'object',
        description: 'A node, or a group of nodes.',
        fields: {
          name: { ...objectName('Its name.'), required: true },
          count: { ...integer('So many nodes alike: NAME-0, NAME-1, …; absent: one, NAME.'), maximum: 100_000 },
          ...NODE_SHAPE,
        },
      },
    },
  ],
} as const;

const podBehavior = {
  type: 'object',
  description: 'What the containers of matching pods do. The first that matches wins; annotations on a pod override.',
  fields: {
    selector,
    namespace: text('Only pods of this namespace.'),
    startDelay: duration('From scheduled to running. Annotation sim.orch.io/start-delay, in seconds.'),
    readyDelay: duration('From running to Ready. Annotation sim.orch.io/ready-delay.'),
    runFor: duration('From running to exit; absent: it runs for ever. Annotation sim.orch.io/exit-after.'),
    exitCodes: exitCodes('Exit codes by attempt; the last repeats. Annotation sim.orch.io/exit-code.'),
    exitCodesByIndex: {
      type: 'map',
      values: exitCodes('Exit codes by attempt.'),
      description: 'Exit codes by completion index. Annotations sim.orch.io/exit-codes-N.',
    },
    terminationDelay: duration('From the signal to stop to the end. Annotation sim.orch.io/term-delay.'),
    terminationExitCode: { ...exitCode, description: 'Exit code after the signal to stop. Annotation sim.orch.io/term-code.' },
  },
} as const;

export const CLUSTER = {
  type: 'object',
  description: 'The machines and what they do.',
  fields: {
    nodes,
    agent: { type: 'agentConfig', description: 'An AgentConfiguration for every node agent, inline or { file: path }.' },
    agentFlags: { type: 'agentFlags', description: 'Flags of every node agent; they override its file.' },
    scheduler: {
      type: 'schedulerFlags',
      description: 'Flags of the scheduler processes; those named --leader-elect… make them stand for election.',
    },
    schedulers: {
      type: 'either',
      description: 'How many schedulers there are, or which.',
      forms: [
        {
          ...integer(
            'So many schedulers that stand for election (scheduler, scheduler-1, …); absent, with no flags about it: one that leads unasked.',
          ),
          maximum: 100,
        },
        {
          type: 'list',
          description: 'Schedulers one by one, each for its own pods.',
          minItems: 1,
          maxItems: 100,
          items: {
            type: 'object',
            description: 'A scheduler.',
            fields: {
              name: { ...objectName('Of its process.'), required: true },
              schedulerName: text('It is for pods whose spec.schedulerName is this; absent: default-scheduler.'),
              flags: { type: 'schedulerFlags', description: 'Its flags, after those of all schedulers.' },
              candidates: { ...integer('So many processes that stand for election: NAME, NAME-1, …'), maximum: 100 },
            },
          },
        },
      ],
    },
    controllerManagers: {
      ...integer(
        'So many controller managers that stand for election (controller-manager, controller-manager-1, …); absent: one that leads unasked.',
      ),
      maximum: 100,
    },
    latency: {
      type: 'object',
      description: 'How long messages take.',
      fields: { api: latencyRange('From a client to the server and back.'), watch: latencyRange('From a change to those who watch.') },
    },
    podBehaviors: { type: 'list', items: podBehavior, description: 'What containers do; the first match wins.' },
    images: { type: 'list', items: image, description: 'Images that have to be pulled; absent: every image is on every node.' },
    podSources: { type: 'list', items: podSource, description: 'Pods that agents have from files and endpoints, not from the API server.' },
    usage: {
      type: 'list',
      items: usage,
      description:
        'What pods and nodes use, as functions of time; with it agents evict pods from nodes that run short. Absent: nothing is used.',
    },
    metrics: {
      type: 'list',
      items: metric,
      description: 'What the APIs of custom and external metrics answer; absent: there are no such APIs.',
    },
    certificateSigners: {
      type: 'list',
      items: certificateSigner,
      description:
        'Who signs certificates that agents ask for (--bootstrap-orchconfig, rotateCertificates, serverTLSBootstrap); absent: nobody.',
    },
    credentialProviders: {
      type: 'list',
      items: credentialProvider,
      description: 'Credential providers, in their order: agents ask them whose flags name a configuration and a folder of plug-ins.',
    },
    storageDrivers: { type: 'list', items: storageDriver, description: 'Simulated storage drivers.' },
    bootstrap: flag('true: it holds what a real server puts there by itself: the built-in roles and bindings, the Service of the API.'),
    podEvents: flag(
      'true: node agents record what they pull, create, start and stop as Events; absent: where images are described, and where a step expects such an Event.',
    ),
    timeZone: text(
      'The time zone that the controller manager runs in, such as Europe/Berlin: that of schedules which name none. UTC where absent.',
    ),
    managedFields: flag('true: fields that controllers and agents write are tracked in managedFields too.'),
  },
} as const;
