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
  object,
  objectName,
  quantity,
  required,
  text,
  texts,
} from './field-helpers.ts';
import type { Fields } from './fields.ts';
import { certificateSigner, credentialProvider, image, metric, podSource, selector, usage } from './pod-format.ts';
import { storageDriver } from './storage-format.ts';

const latencyRange = (description: string) =>
  either(
    description,
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
  agent: { type: 'agentConfig', description: 'An AgentConfiguration for its agent, in place of that of all agents.' },
  agentFlags: { type: 'agentFlags', description: 'Flags of its agent, after those of all agents.' },
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

const podBehavior = object('The behaviour of the containers of matching pods. The first match wins; annotations on a pod override it.', {
  selector,
  namespace: text('Only pods of this namespace.'),
  startDelay: duration('From scheduled to running. Annotation sim.orch.io/start-delay, in seconds.'),
  readyDelay: duration('From running to Ready. Annotation sim.orch.io/ready-delay.'),
  runFor: duration('From running to exit; absent: it does not exit by itself. Annotation sim.orch.io/exit-after.'),
  exitCodes: exitCodes('Exit codes by attempt; the last repeats. Annotation sim.orch.io/exit-code.'),
  exitCodesByIndex: mapping('Exit codes by completion index. Annotations sim.orch.io/exit-codes-N.', exitCodes('Exit codes by attempt.')),
  terminationDelay: duration('From SIGTERM to exit. Annotation sim.orch.io/term-delay.'),
  terminationExitCode: { ...exitCode, description: 'Exit code after SIGTERM. Annotation sim.orch.io/term-code.' },
});

export const CLUSTER = object('The nodes, the processes, and their behaviour.', {
  nodes,
  agent: { type: 'agentConfig', description: 'An AgentConfiguration for every node agent, inline or { file: path }.' },
  agentFlags: { type: 'agentFlags', description: 'Flags of every node agent; they override its file.' },
  scheduler: {
    type: 'schedulerFlags',
    description: 'Flags of the scheduler processes; --leader-elect… flags enable leader election.',
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
        flags: { type: 'schedulerFlags', description: 'Its flags, after those of all schedulers.' },
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
  podBehaviors: list('The behaviour of containers; the first match wins.', podBehavior),
  images: list('Images that must be pulled; absent: every image is on every node.', image),
  podSources: list('Static pods: pods that agents read from files and endpoints, not from the API server.', podSource),
  usage: list(
    'The resource usage of pods and nodes, as functions of time; with it agents evict pods from nodes under pressure. Absent: no usage.',
    usage,
  ),
  metrics: list('The values of the APIs of custom and external metrics; absent: there are no such APIs.', metric),
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
