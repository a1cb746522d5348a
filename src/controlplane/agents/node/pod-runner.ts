/**
 * Runs the pods bound to one node: starts their containers, reports their states, restarts them with back-off, ends them within their grace
 * period and then completes the deletion. Models: v1.24 pkg/kubelet, status manager and pod workers. Simplified: containers of a pod start
 * and exit together; init containers finish at once; images are present unless they are described.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { defineController, watchOnly, observing, onElapsed, record, watch } from '../../runtime/index.ts';
import type { Delta, Write, Watch } from '../../runtime/index.ts';
import { freshState, type AgentState, type Action } from './actions.ts';
import { nodeContextOf } from './node-context.ts';
import type { NodeContext, PodInput, PodMemory, PodOutcome, PodRunnerOptions, SourcesPart } from './node-context.ts';
import { endOrphan, graceAfterRemoval, changedVolumesInUse, writeVolumesInUse } from './orphaned-pods.ts';
import type { Machine, MachineView } from './machine.ts';
import { conclude, viewPod, memoryOf, needsVolumes } from './pod-decision.ts';
import { concerns, finalise, isOutdated, isOver, reportStatus, showsLess } from './pod-report.ts';
import { inquire, resumeVolumes, withVolumes } from './volume-reads.ts';
import { NOTHING_ASKED } from './volumes.ts';
import { SHUTDOWN_KEY, shutDown, SHUTS_DOWN } from './shutdown.ts';
import { syncSources, runMirror, runUnmirrored, SOURCES_KEY } from './static-pods.ts';
import { type Clearing, judge } from './admission/admit.ts';
import { mirroredBy, type Refusal } from './admission/resources.ts';
import { EVICTION_KEY } from './eviction/manager.ts';
import type { ImageAction } from './images/store.ts';

const NO_WRITES: readonly Write[] = [];

function removeEnded(pod: Pod, { nodeName, machine }: NodeContext, { now }: PodInput): PodOutcome {
  const { uid, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const usesVolumes = machine.volumesOf.has(uid);
  const actions: readonly Action[] = machine.run(uid) === undefined && !usesVolumes ? [] : [{ does: 'forget', uid, at: now }];
  const isGoing = deletionTimestamp !== undefined;
  if (!isGoing && !usesVolumes) return { why: 'it has finished', writes: NO_WRITES, actions };
  return {
    why: isGoing ? 'it has finished and is to be deleted' : 'it has finished',
    writes: isGoing && deletionGracePeriodSeconds !== 0 ? [finalise(pod)] : [],
    actions,
    ...(usesVolumes ? { enqueue: [nodeName] } : {}),
  };
}

/** Whether the agent sees a pod for the first time: only then it can refuse it. */
const isNew = ({ metadata: { uid, deletionTimestamp }, status }: Pod, { machine }: NodeContext): boolean =>
  status.startTime === undefined && deletionTimestamp === undefined && machine.run(uid) === undefined;

/** A refused pod fails. Models: v1.24 pkg/kubelet rejectPod. */
const reject = (pod: Pod, { reason, message }: Refusal): PodOutcome => ({
  why: `the node rejects it: ${message.trim()}`,
  writes: [record(pod, 'Warning', reason, message), reportStatus(pod, { phase: 'Failed', reason, message: `Pod ${message}` })],
});

const awaitPreemption = ({ actions, writes, keys, wakeAt }: Clearing): PodOutcome => ({
  why:
    actions.length === 0
      ? 'waiting for the pods preempted for it to end'
      : `${actions.length === 1 ? '1 pod is' : `${actions.length} pods are`} preempted for it`,
  writes,
  actions,
  enqueue: keys,
  wakeAt,
});

function decide(pod: Pod, nodeContext: NodeContext, input: PodInput): PodOutcome {
  if (isOver(pod)) return removeEnded(pod, nodeContext, input);
  if (nodeContext.machine.shutsDown && isNew(pod, nodeContext)) return reject(pod, SHUTS_DOWN);
  const judged = isNew(pod, nodeContext) ? judge(pod, nodeContext, input) : undefined;
  if (judged !== undefined && 'refusal' in judged) return reject(pod, judged.refusal);
  if (judged !== undefined && 'clearing' in judged) return awaitPreemption(judged.clearing);
  const view = viewPod(pod, nodeContext, input, judged?.places);
  if (!needsVolumes(view)) return conclude(view, nodeContext, input, 'not needed');
  const volumes = memoryOf(pod, input)?.volumes;
  return volumes === undefined ? inquire(view, nodeContext, input, NOTHING_ASKED) : withVolumes(view, nodeContext, input, volumes);
}

/** Uids of pods with containers here that are no longer bound to the node. */
const strays = (machine: MachineView, bound: readonly Pod[]): readonly string[] => {
  const uids = new Set(bound.map(({ metadata }) => metadata.uid));
  return [...machine.uids()].filter((uid) => !uids.has(uid) && machine.run(uid)?.isStatic !== true);
};

/** Handles a key that is not a pod here: the node's own, the eviction manager's, an orphaned pod's, or a removed pod's. */
function withoutPod(input: PodInput, nodeContext: NodeContext, sources: SourcesPart | undefined): PodOutcome {
  const { nodeName, machine, evicts } = nodeContext;
  const { key, now, cache, state } = input;
  if (key === EVICTION_KEY && evicts !== undefined) return evicts.look(input);
  if (key === SHUTDOWN_KEY && nodeContext.shutdown !== undefined) return shutDown(input, nodeContext, nodeContext.shutdown);
  if (key === SOURCES_KEY && sources !== undefined) return syncSources(input, nodeContext, sources);
  if (nodeContext.alone !== undefined && key.includes('/')) return runUnmirrored(input, nodeContext);
  if (key === nodeName) return writeVolumesInUse(machine.volumesOf, cache.get('Node', undefined, nodeName), nodeName);
  if (!key.includes('/')) return endOrphan(machine, key, state.graceOfGone.get(key), nodeName, now);
  const actions: readonly Action[] = state.waiting.has(key) ? [{ does: 'wait', key, waits: false }] : [];
  return { why: 'the pod is gone from this node', writes: [], actions };
}

/** Further watches: its node, the drivers, and RuntimeClasses where its runtime has only some handlers. */
const watchesOf = ({ machine, handlers, alone, once }: NodeContext, nodeOf: () => string): readonly Watch<AgentState>[] => [
  watch<'Node', AgentState>(
    'Node',
    ({ type, key, object: node }, { state }) => {
      // A new Node must get the volumes in use that the previous agent did not report.
      const isOutdated = type === 'ADDED' && changedVolumesInUse(machine.volumesOf, node) !== undefined;
      return [...state.waiting, ...(isOutdated ? [key] : [])];
    },
    { only: { index: 'name', value: nodeOf } },
  ),
  watch('CSIDriver', watchOnly, alone === undefined ? {} : { only: { index: 'name', value: nodeOf } }),
  ...(alone === undefined && !once ? [] : [watch('CSINode', watchOnly, { only: { index: 'name', value: nodeOf } })]),
  ...(handlers === undefined ? [] : [watch('RuntimeClass', watchOnly)]),
];

/** The part of an outcome that an agent reports: nothing without an API server; an agent that runs once reports nothing about its pods. */
function reportable(outcome: PodOutcome, { alone, once }: NodeContext): PodOutcome {
  if (alone === undefined && !once) return outcome;
  return { ...outcome, writes: outcome.writes.filter(({ op }) => alone === undefined && op !== 'patch') };
}

/** The keys of a change of one of its pods: the pod, its remains, and the static pods that it may mirror. */
function keysOf(
  { type, key, object: pod, old }: Delta<'Pod'>,
  { machine, sources }: PodRunnerOptions,
  elapsed: number,
): readonly string[] | string | undefined {
  const { uid } = pod.metadata;
  if (type === 'DELETED' && machine.run(uid) !== undefined) return [key, uid];
  if (type === 'DELETED' && sources !== undefined) return [key, SOURCES_KEY];
  if (type !== 'MODIFIED' || concerns(pod, old)) return key;
  return pod.status !== old?.status && showsLess(pod) && isOutdated(pod, machine.run(uid), elapsed) ? key : undefined;
}

/** Whether an agent that runs once ignores a pod because it came after the first sync. */
const comesLate = (uid: string, { once, machine }: NodeContext, { state }: PodInput): boolean =>
  once && state.statics !== undefined && machine.run(uid) === undefined;

type Act<A = Action> = (action: A, machine: Machine, state: AgentState) => void;
const onImages: Act<ImageAction> = (action, { images }) => images?.act(action);

const ACTS: { readonly [D in Action['does']]: Act<Extract<Action, { readonly does: D }>> } = {
  put: ({ uid, run }, machine) => machine.put(uid, run),
  use: ({ uid, volumes }, machine) => machine.use(uid, volumes),
  mount: ({ uid, mounts }, machine) => machine.mount(uid, mounts),
  forget({ uid, at }, machine, { graceOfGone }) {
    machine.forget(uid, at);
    graceOfGone.delete(uid);
  },
  shutdown: ({ is }, _machine, state) => void (state.shutdown = is),
  note: ({ uid }, _machine, { reported }) => void reported.add(uid),
  wait: ({ key, waits }, _machine, { waiting }) => void (waits ? waiting.add(key) : waiting.delete(key)),
  pull: onImages,
  useImage: onImages,
  removeImage: onImages,
  backOff: ({ key, is }, _machine, { pulls }) => void pulls.backOffs.set(key, is),
  sources: ({ are }, _machine, state) => void (state.statics = are),
  pressure: ({ is }, _machine, state) => void (state.eviction = is),
  evict({ uid, run, because }, machine) {
    machine.put(uid, run);
    if (because !== undefined) machine.evictions.set(uid, because);
  },
  spend: ({ tokens }, _machine, { pulls }) => void (pulls.tokens = tokens),
};

/** What a new incarnation knows. Of a shutdown that it was not told of itself it knows nothing. */
function started({ machine, onStart }: PodRunnerOptions, { evicts }: NodeContext): AgentState {
  evicts?.tell([]);
  machine.shutsDown = false;
  onStart?.();
  return freshState();
}

export function podRunner(options: PodRunnerOptions) {
  const nodeContext = nodeContextOf(options);
  const { nodeName, machine } = nodeContext;
  const { sources } = options;
  const nodeOf = (): string => nodeName;
  // Without an API server, the node is seen under a name that no object can have.
  const seenAs = (): string => (nodeContext.alone === undefined ? nodeName : '/');
  return defineController<'Pod', PodMemory, AgentState, Action>({
    name: 'pod-runner',
    component: ({ agentName }) => agentName,
    host: nodeOf,
    writes: ['Pod', 'Node'],
    models:
      'v1.24 pkg/kubelet: pod workers and status manager. Containers run on elapsed time, which also dates their starts and ends. Simplified: the containers of a pod start and end together; init containers finish at once.',
    reconciles: 'Pod',
    self: {
      only: { index: 'nodeName', value: seenAs },
      predicate: { fields: ['spec', 'status', 'metadata.uid', 'metadata.deletionTimestamp', 'metadata.deletionGracePeriodSeconds'] },
      enqueue: (delta, { elapsed }) => keysOf(delta, options, elapsed),
    },
    watches: watchesOf(nodeContext, seenAs),
    start: () => started(options, nodeContext),
    describe: (state) => (options.remembers === undefined ? state : [state, options.remembers()]),
    observe: observing({
      Pod({ type, object: pod }, { state }) {
        if (type !== 'DELETED') return;
        const { uid } = pod.metadata;
        state.reported.delete(uid);
        if (machine.run(uid) !== undefined) state.graceOfGone.set(uid, graceAfterRemoval(pod) * 1000);
      },
    }),
    // Pods that were removed while the agent was down.
    startKeys: ({ cache }) => [
      ...strays(machine, cache.by('Pod', 'nodeName', nodeName)),
      ...(nodeContext.evicts === undefined ? [] : [EVICTION_KEY]),
      ...(sources === undefined ? [] : [SOURCES_KEY]),
    ],
    act(action, { state }) {
      (ACTS[action.does] as Act)(action, machine, state);
      if (action.does === 'pressure') nodeContext.evicts?.tell(action.is.pressures);
    },
    reconcile: onElapsed((input) => {
      const { self: pod, names } = input;
      const uid = sources === undefined ? undefined : mirroredBy(pod, names);
      if (comesLate(uid ?? pod.metadata.uid, nodeContext, input)) return { why: 'it came after the only run of run-once mode', writes: [] };
      if (uid === undefined) return reportable(decide(pod, nodeContext, input), nodeContext);
      return reportable(
        runMirror(pod, uid, machine, input, (shown, of) => decide(shown, nodeContext, of)),
        nodeContext,
      );
    }),
    reconcileAbsent: onElapsed((input) => reportable(withoutPod(input, nodeContext, sources), nodeContext)),
    resume: onElapsed((input, answer) => {
      const { self: pod } = input;
      return pod === undefined
        ? { why: 'the pod is gone from this node', writes: [] }
        : reportable(resumeVolumes(pod, nodeContext, input, answer) ?? decide(pod, nodeContext, input), nodeContext);
    }),
    // A pod whose volumes cannot be read is reported like any other waiting pod.
    recover: onElapsed((input, { write }) => {
      const { self: pod } = input;
      if (pod === undefined || write.op !== 'get' || isOver(pod)) return undefined;
      const view = viewPod(pod, nodeContext, input);
      return reportable(conclude(view, nodeContext, input, needsVolumes(view) ? 'no answer' : 'not needed'), nodeContext);
    }),
  });
}
