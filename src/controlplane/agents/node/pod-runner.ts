/**
 * Runs the pods bound to one node: starts their containers, reports what they do, restarts them with back-off, ends them within their
 * grace period and then finalises the deletion. Models: v1.24 pkg/kubelet, status manager and pod workers.
 * Simplified: containers of a pod run in step; init containers finish at once; images are there unless somebody says what they weigh.
 */
import type { Names } from '../../../apiserver/vocabulary/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { defineController, isOf, nobody, observing, watch, type Answer, type Watch } from '../../runtime/index.ts';
import type { CredentialsFor, GivenSettings, ImageSettings, PodBehavior, StorageDriver } from '../specs.ts';
import { behaviorsBy, type Behavior } from './behavior.ts';
import { type Clearing, judge, type Refusal, roomReader } from './admission/index.ts';
import { act, freshState, type AgentState, type Deed } from './deeds.ts';
import { EVICTION_KEY } from './eviction/index.ts';
import type { Cores } from './cores/index.ts';
import type { EvictionPart } from './eviction/part.ts';
import type { PullContext, Registry } from './images/index.ts';
import { clearAway, graceAfterRemoval, newsOfVolumes, sayVolumesInUse } from './leftovers.ts';
import type { Machine, MachineView } from './machine.ts';
import { ask, conclude, lookAt, memoryOf, needsVolumes, withNode, withVolumes } from './pod-decision.ts';
import { gateOf, type Home, type PodInput, type PodMemory, type PodOutcome, type Sight } from './pod-sight.ts';
import { concerns, finalise, isOver, reportStatus } from './pod-report.ts';
import { learn, nextAttachment, nextQuestion, NOTHING_ASKED, type Inquiry } from './volumes.ts';
import { lookAtSources, mirroredBy, runMirror, SOURCES_KEY, type SourcesPart } from './static-pods.ts';

/** A pod that is over leaves nothing behind on the node; volumes it used are free. */
function bury(pod: Pod, { nodeName, machine }: Home, { now }: PodInput): PodOutcome {
  const { uid, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const news = machine.volumesOf.has(uid) ? { enqueue: [nodeName] } : {};
  const deeds: readonly Deed[] = machine.run(uid) === undefined && !machine.volumesOf.has(uid) ? [] : [{ does: 'forget', uid, at: now }];
  if (deletionTimestamp === undefined) return { why: 'it is over', writes: [], deeds, ...news };
  return { why: 'it is over and to be deleted', writes: deletionGracePeriodSeconds === 0 ? [] : [finalise(pod)], deeds, ...news };
}

/** Asks for the next claim or volume; when all are found, the decision goes on. */
function inquire(sight: Sight, home: Home, input: PodInput, inquiry: Inquiry): PodOutcome {
  const question = nextQuestion(sight.pod, inquiry);
  if (question === undefined) return withVolumes(sight, home, input, inquiry.found);
  const why = `it asks the server for ${question.kind === 'PersistentVolume' ? 'volume' : 'claim'} ${question.name}`;
  return ask(sight, input, question, why, { inquiry });
}

/** Whether the agent sees a pod for the first time: only then it may turn it away. */
const isNew = ({ metadata: { uid, deletionTimestamp }, status }: Pod, { machine }: Home): boolean =>
  status.startTime === undefined && deletionTimestamp === undefined && machine.run(uid) === undefined;

/** A pod that the agent does not let in has failed. Models: v1.24 pkg/kubelet rejectPod. */
const turnAway = (pod: Pod, { reason, message }: Refusal): PodOutcome => ({
  why: `the node does not let it in: ${message.trim()}`,
  writes: [
    { op: 'event', event: { about: pod, type: 'Warning', reason, message } },
    reportStatus(pod, { phase: 'Failed', reason, message: `Pod ${message}` }),
  ],
});

/** A critical pod waits until others have gone for it. */
const makeRoom = ({ deeds, writes, keys, wakeAt }: Clearing): PodOutcome => ({
  why:
    deeds.length === 0
      ? 'it waits until others have gone for it'
      : `${deeds.length === 1 ? '1 pod has' : `${deeds.length} pods have`} to go for it`,
  writes,
  deeds,
  enqueue: keys,
  wakeAt,
});

function decide(pod: Pod, home: Home, input: PodInput): PodOutcome {
  if (isOver(pod)) return bury(pod, home, input);
  const judged = isNew(pod, home) ? judge(pod, gateOf(home, input)) : undefined;
  if (judged !== undefined && 'refusal' in judged) return turnAway(pod, judged.refusal);
  if (judged !== undefined && 'clearing' in judged) return makeRoom(judged.clearing);
  const sight = lookAt(pod, home, input, judged?.places);
  if (!needsVolumes(sight)) return conclude(sight, home, input, 'not asked');
  const volumes = memoryOf(pod, input)?.volumes;
  return volumes === undefined ? inquire(sight, home, input, NOTHING_ASKED) : withVolumes(sight, home, input, volumes);
}

/** Goes on with what the server said about a pod's volumes. */
function goOn(pod: Pod, home: Home, input: PodInput, { write, object }: Answer): PodOutcome {
  const memory = memoryOf(pod, input);
  const sight = isOver(pod) ? undefined : lookAt(pod, home, input);
  // It may be another pod by now, or one that is to stop: that is decided anew.
  if (memory === undefined || sight === undefined || !needsVolumes(sight) || write.op !== 'get') return decide(pod, home, input);
  if (write.kind === 'Node' && memory.volumes !== undefined)
    return withNode(sight, home, input, memory.volumes, { node: isOf('Node', object) ? object : undefined, brought: new Map() });
  if (write.kind === 'VolumeAttachment' && memory.volumes !== undefined && memory.attached !== undefined) {
    const { node, brought } = memory.attached;
    const asked = nextAttachment(memory.volumes, brought, home.nodeName);
    const says = isOf('VolumeAttachment', object) ? (object.status.attachmentMetadata ?? {}) : {};
    return withNode(sight, home, input, memory.volumes, { node, brought: new Map([...brought, [asked?.volume ?? '', says]]) });
  }
  const driverOf = (name: string) => input.cache.get('CSIDriver', undefined, name);
  const learned = learn(memory.inquiry ?? NOTHING_ASKED, object, driverOf, input.names, pod);
  return learned === undefined ? conclude(sight, home, input, 'unbound') : inquire(sight, home, input, learned);
}

/** What the part that runs pods is made for. */
export interface PodRunnerOptions {
  readonly nodeName: string;
  readonly machine: Machine;
  readonly behaviors: readonly PodBehavior[];
  readonly tellsEvents: boolean;
  /** Asked when a pod's containers are about to be created: whether they are never ready. */
  neverReady(pod: Pod): boolean;
  readonly images: ImageSettings;
  readonly syncMs: number;
  readonly allowedSysctls: readonly string[];
  readonly attachesItself: boolean;
  readonly given?: GivenSettings | undefined;
  /** Absent: nobody has processors or memory for himself. */
  readonly cores?: Cores | undefined;
  /** What pods may have of the machine where no Node says it. */
  allocatable(): Readonly<Record<string, string>>;
  /** Where images are pulled from; absent: they are there. */
  readonly registry?: Registry | undefined;
  readonly credentialsFor?: CredentialsFor | undefined;
  /** Absent: nobody says what pods use. */
  readonly evicts?: EvictionPart | undefined;
  /** The agent starts. */
  onStart?(): void;
  /** What else it remembers, as plain data. */
  remembers?(): unknown;
  readonly drivers?: readonly StorageDriver[];
  /** What the runtime is configured for; absent: every handler. */
  readonly handlers?: readonly string[] | undefined;
  /** Absent: all its pods are the API server's. */
  readonly sources?: SourcesPart | undefined;
}

const NO_DRIVERS: readonly StorageDriver[] = [];

/** An agent's own part of the world. */
function homeOf({
  nodeName,
  machine,
  behaviors,
  tellsEvents,
  neverReady,
  drivers = NO_DRIVERS,
  handlers,
  ...rest
}: PodRunnerOptions): Home & { readonly machine: Machine } {
  let find: { readonly names: Names; readonly of: (pod: Pod) => Behavior } | undefined;
  const readRoom = roomReader();
  let own: Readonly<Record<string, string>> | undefined;
  const behaviorOf = (pod: Pod, names: Names): Behavior => {
    if (find?.names !== names) find = { names, of: behaviorsBy(behaviors, names) };
    const behavior = find.of(pod);
    return neverReady(pod) ? { ...behavior, readyDelayMs: Infinity, runForMs: undefined } : behavior;
  };
  return {
    nodeName,
    machine,
    behaviorOf,
    tellsEvents,
    drivers,
    handlers,
    syncMs: rest.syncMs,
    allowedSysctls: rest.allowedSysctls,
    attachesItself: rest.attachesItself,
    cores: rest.cores,
    given: rest.given,
    roomOf: (node) => readRoom(node?.status.allocatable ?? (own ??= rest.allocatable())),
    ...pullsOf(nodeName, machine, rest),
    ...(rest.evicts === undefined ? {} : { evicts: rest.evicts }),
  };
}

/** How its images are pulled, if they are. */
function pullsOf(
  nodeName: string,
  { images }: Machine,
  { registry, images: settings, credentialsFor }: Pick<PodRunnerOptions, 'registry' | 'images' | 'credentialsFor'>,
): Pick<Home, 'pulls'> {
  if (registry === undefined || images === undefined) return {};
  const context = ({ now, random, state }: PodInput): PullContext => ({
    now,
    random,
    nodeName,
    registry,
    images,
    settings,
    credentialsFor,
    state: state.pulls,
  });
  return { pulls: { registry, context } };
}

/** Uids of pods whose containers run here though no such pod is bound to the node. */
const strays = (machine: MachineView, living: readonly Pod[]): readonly string[] => {
  const uids = new Set(living.map(({ metadata }) => metadata.uid));
  return [...machine.uids()].filter((uid) => !uids.has(uid) && machine.run(uid)?.isStatic !== true);
};

/** A key that is no pod's here: the node's own, a look at what it is short of, what is left of a pod, or a pod that is gone. */
function withoutPod(input: PodInput, home: Home, sources: SourcesPart | undefined): PodOutcome {
  const { nodeName, machine, evicts } = home;
  const { key, now, cache, state } = input;
  if (key === EVICTION_KEY && evicts !== undefined) return evicts.look(input);
  if (key === SOURCES_KEY && sources !== undefined) return lookAtSources(input, home, sources);
  if (key === nodeName) return sayVolumesInUse(machine.volumesOf, cache.get('Node', undefined, nodeName), nodeName);
  if (!key.includes('/')) return clearAway(machine, key, state.graceOfGone.get(key), nodeName, now);
  const deeds: readonly Deed[] = state.waiting.has(key) ? [{ does: 'wait', key, waits: false }] : [];
  return { why: 'the pod is gone from this node', writes: [], deeds };
}

/** What else it follows: its node, the drivers, and classes of runtimes where its own offers only some. */
const watchesOf = ({ machine, handlers }: PodRunnerOptions, nodeOf: () => string): readonly Watch<AgentState>[] => [
  watch<'Node', AgentState>(
    'Node',
    ({ type, key, object: node }, { state }) => {
      // A node that is new to the agent may not say what the agent before it did not get to say.
      const news = type === 'ADDED' && newsOfVolumes(machine.volumesOf, node) !== undefined;
      return [...state.waiting, ...(news ? [key] : [])];
    },
    { only: { index: 'name', value: nodeOf } },
  ),
  watch('CSIDriver', nobody),
  ...(handlers === undefined ? [] : [watch('RuntimeClass', nobody)]),
];

/** The agent's part that runs pods. */
export function podRunner(options: PodRunnerOptions) {
  const home = homeOf(options);
  const { nodeName, machine } = home;
  const { sources } = options;
  const nodeOf = (): string => nodeName;
  return defineController<'Pod', PodMemory, AgentState, Deed>({
    name: 'pod-runner',
    component: ({ agentName }) => agentName,
    host: nodeOf,
    reconciles: 'Pod',
    writes: ['Pod', 'Node'],
    models:
      'v1.24 pkg/kubelet: pod workers and status manager. Simplified: containers of a pod run in step, init containers finish at once.',
    self: {
      only: { index: 'nodeName', value: nodeOf },
      enqueue({ type, key, object: pod, old }) {
        const { uid } = pod.metadata;
        if (type === 'DELETED' && machine.run(uid) !== undefined) return [key, uid];
        if (type === 'DELETED' && sources !== undefined) return [key, SOURCES_KEY];
        return type !== 'MODIFIED' || concerns(pod, old) ? key : undefined;
      },
    },
    watches: watchesOf(options, nodeOf),
    start() {
      home.evicts?.tell([]);
      options.onStart?.();
      return freshState();
    },
    describe: (state) => (options.remembers === undefined ? state : [state, options.remembers()]),
    observe: observing({
      Pod({ type, object: pod }, { state }) {
        if (type !== 'DELETED') return;
        const { uid } = pod.metadata;
        state.reported.delete(uid);
        if (machine.run(uid) !== undefined) state.graceOfGone.set(uid, graceAfterRemoval(pod) * 1000);
      },
    }),
    // Pods that went while the agent was down.
    startKeys: ({ cache }) => [
      ...strays(machine, cache.by('Pod', 'nodeName', nodeName)),
      ...(home.evicts === undefined ? [] : [EVICTION_KEY]),
      ...(sources === undefined ? [] : [SOURCES_KEY]),
    ],
    act(deed, { state }) {
      act(deed, machine, state);
      if (deed.does === 'pressure') home.evicts?.tell(deed.is.pressures);
    },
    reconcile(input) {
      const { self: pod, names } = input;
      const uid = sources === undefined ? undefined : mirroredBy(pod, names);
      return uid === undefined ? decide(pod, home, input) : runMirror(pod, uid, machine, input, (shown, of) => decide(shown, home, of));
    },
    reconcileAbsent: (input) => withoutPod(input, home, sources),
    resume(input, answer) {
      const { self: pod } = input;
      return pod === undefined ? { why: 'the pod is gone from this node', writes: [] } : goOn(pod, home, input, answer);
    },
    // A pod whose volumes nobody tells of is reported on like any other that waits.
    recover(input, { write }) {
      const { self: pod } = input;
      if (pod === undefined || write.op !== 'get' || isOver(pod)) return undefined;
      const sight = lookAt(pod, home, input);
      return conclude(sight, home, input, needsVolumes(sight) ? 'no answer' : 'not asked');
    },
  });
}
