/**
 * The status of a pod that an agent reports: phase, conditions and container states by the state of its containers. Models: v1.24
 * pkg/kubelet (getPhase, status generation).
 */
import { memo } from '../../../engine/index.ts';
import type { ContainerState, ContainerStatus, PodCondition, PodStatus } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import type { Run } from './containers.ts';
import type { MachineView } from './machine.ts';
import type { ContainerWait } from './images/pull.ts';

const terminated = (exit: NonNullable<Run['last']>, uid: string): ContainerState => ({
  terminated: {
    exitCode: exit.code,
    reason: exit.oom === true ? 'OOMKilled' : exit.code === 0 ? 'Completed' : 'Error',
    startedAt: formatTime(exit.startedAt),
    finishedAt: formatTime(exit.finishedAt),
    containerID: `sim://${uid}-${exit.restart}`,
  },
});

/** What an agent says of a container whose creation it gave up. */
const NOT_CREATED = Object.freeze({ reason: 'CreateContainerError', message: 'context deadline exceeded' });

const stateOf = (run: Run, uid: string, waits: boolean): ContainerState => {
  const reason = waits ? 'PodInitializing' : 'ContainerCreating';
  switch (run.stage) {
    case 'creating':
      return { waiting: run.timeouts === undefined ? { reason } : NOT_CREATED };
    case 'running':
      return { running: { startedAt: formatTime(run.startedAt) } };
    case 'waiting':
      // The first restart is immediate and not yet reported as a crash loop.
      if (run.last !== undefined && run.backoffMs < 10_000) return terminated(run.last, uid);
      return { waiting: { reason: 'CrashLoopBackOff', message: `back-off ${run.backoffMs / 1000}s restarting failed container` } };
    case 'over':
      return run.last === undefined ? { waiting: { reason } } : terminated(run.last, uid);
  }
};

const waitFor = ({ stage, pulling }: Run, name: string): ContainerState | undefined => {
  const wait = stage === 'creating' ? pulling?.reported[name] : undefined;
  return wait === undefined ? undefined : { waiting: wait };
};

const NOT_YET: ContainerState = Object.freeze({});

const lastStateOf = (run: Run, uid: string): ContainerState => {
  const shownNow = run.stage === 'over' || (run.stage === 'waiting' && run.backoffMs < 10_000);
  const exit = shownNow ? run.previous : run.last;
  return exit === undefined ? NOT_YET : terminated(exit, uid);
};

const phaseOf = (run: Run): 'Pending' | 'Running' | 'Succeeded' | 'Failed' => {
  if (run.stage === 'creating' || (run.stage === 'over' && run.last === undefined)) return 'Pending';
  if (run.stage !== 'over') return 'Running';
  if (run.policy === 'Always') return 'Running';
  if (run.last?.code === 0) return 'Succeeded';
  return run.policy === 'Never' ? 'Failed' : 'Running';
};

type Containers = Pod['spec']['containers'];

const OWN: ReadonlySet<string> = new Set(['Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);
const NO_CONDITIONS: readonly PodCondition[] = Object.freeze([]);

/** The last lists by their predecessors: pods that make the same step at the same time share one. Without `containers`, for any names. */
const made = memo(
  new WeakMap<
    readonly PodCondition[],
    {
      readonly ready: boolean;
      readonly phase: string;
      readonly at: string;
      readonly containers: Containers | undefined;
      readonly pending: InitContainers;
      readonly list: readonly PodCondition[];
    }
  >(),
);

function conditionsOf({ spec, status }: Pod, ready: boolean, pending: InitContainers, phase: string, now: number): readonly PodCondition[] {
  const before = status.conditions ?? NO_CONDITIONS;
  const at = formatTime(now);
  const containers = ready || phase === 'Succeeded' ? undefined : spec.containers;
  const last = made.get(before);
  if (last?.ready === ready && last.phase === phase && last.at === at && last.containers === containers && last.pending === pending)
    return last.list;
  const list = Object.freeze(newConditions(before, containers, pending, ready, phase, at));
  made.set(before, { ready, phase, at, containers, pending, list });
  return list;
}

/**
 * A condition's transition time changes only with its status. `unready`: containers to name, of a pod that is neither ready nor completed.
 */
function newConditions(
  before: readonly PodCondition[],
  unready: Containers | undefined,
  pending: InitContainers,
  ready: boolean,
  phase: string,
  now: string,
): readonly PodCondition[] {
  const completed = phase === 'Succeeded';
  const listed = (reason: string, what: string, containers: Containers) => ({
    reason,
    message: `containers with ${what} status: [${containers.map(({ name }) => name).join(' ')}]`,
  });
  const readiness = ready ? {} : unready === undefined ? { reason: 'PodCompleted' } : listed('ContainersNotReady', 'unready', unready);
  const condition = (type: string, status: 'True' | 'False', rest: { reason?: string; message?: string }): PodCondition => {
    const old = before.find((other) => other.type === type);
    const lastTransitionTime = old?.status === status ? (old.lastTransitionTime ?? null) : now;
    return Object.freeze({ type, status, lastProbeTime: null, lastTransitionTime, ...rest } as PodCondition);
  };
  return [
    pending === undefined
      ? condition('Initialized', 'True', completed ? { reason: 'PodCompleted' } : {})
      : condition('Initialized', 'False', listed('ContainersNotInitialized', 'incomplete', pending)),
    condition('Ready', ready ? 'True' : 'False', readiness),
    condition('ContainersReady', ready ? 'True' : 'False', readiness),
    ...before.filter((other) => other.type === 'PodScheduled'),
    ...before.filter((other) => !OWN.has(other.type)),
  ];
}

const imageIds = memo(new Map<string, string>());
function imageId(image: string): string {
  let id = imageIds.get(image);
  if (id === undefined) imageIds.set(image, (id = `sim://${image}`));
  return id;
}

/** The status of a pod with containers in state `run`; `failure`: the agent itself ended the pod. */
export function podStatus(
  pod: Pod,
  run: Run,
  machine: MachineView,
  { now, wall }: { readonly now: number; readonly wall: number },
  failure?: { readonly reason: string; readonly message: string },
): PodStatus {
  const { uid } = pod.metadata;
  const phase = failure === undefined ? phaseOf(run) : 'Failed';
  const ready = run.stage === 'running' && run.readyAt <= now && failure === undefined;
  const started = run.stage !== 'creating' && run.startedAt > 0;
  const pending = pendingInitContainers(pod.spec, run.startedAt);
  const containers = pod.spec.containers;
  const containerStatuses = new Array<ContainerStatus>(containers.length);
  for (let at = 0; at < containers.length; at++) {
    const container = containers[at];
    if (container === undefined) continue;
    const { name, image = '' } = container;
    const state = waitFor(run, name) ?? stateOf(run, uid, pending !== undefined);
    const lastState = lastStateOf(run, uid);
    const { restarts: restartCount } = run;
    const imageID = imageId(image);
    // Whole literals, because members that are added later need memory of their own.
    containerStatuses[at] = started
      ? {
          name,
          state,
          lastState,
          ready,
          restartCount,
          image,
          imageID,
          containerID: `sim://${uid}-${restartCount}`,
          started: run.stage === 'running',
        }
      : { name, state, lastState, ready, restartCount, image, imageID, started: run.stage === 'running' };
  }
  const conditions = conditionsOf(pod, ready, pending, phase, wall);
  const before = initContainerStatuses(pod, run.startedAt, run.stage === 'creating' ? run.pulling?.reported : undefined);
  const { hostAddress: hostIP } = machine;
  const startTime = pod.status.startTime ?? formatTime(wall);
  const { qosClass } = pod.status;
  if (failure === undefined && started && before === undefined && qosClass !== undefined) {
    const { ip: podIP } = run;
    return { phase, conditions, hostIP, podIP, podIPs: [{ ip: podIP }], startTime, containerStatuses, qosClass };
  }
  const status: Loose<PodStatus> = { phase, conditions };
  if (failure !== undefined) {
    status.message = failure.message;
    status.reason = failure.reason;
  }
  status.hostIP = hostIP;
  // The address of the node is known before the sandbox is.
  if (started || (pod.spec.hostNetwork === true && failure === undefined)) {
    status.podIP = run.ip;
    status.podIPs = [{ ip: run.ip }];
  }
  status.startTime = startTime;
  if (before !== undefined) status.initContainerStatuses = before;
  status.containerStatuses = containerStatuses;
  if (qosClass !== undefined) status.qosClass = qosClass;
  return status;
}

/** Fields are added one by one, in published order. */
type Loose<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Reported statuses of init containers: here they take no time and succeed as soon as the pod starts. Models: v1.24 pkg/kubelet/status
 * GeneratePodInitializedCondition, pkg/kubelet/container init container statuses.
 */
type InitContainers = Pod['spec']['initContainers'];

/** The init containers that a pod waits for; undefined: none. */
const pendingInitContainers = ({ initContainers }: Pod['spec'], startedAt: number): InitContainers =>
  startedAt > 0 || initContainers?.length === 0 ? undefined : initContainers;

/**
 * The statuses of init containers; absent for a pod without any. `startedAt`: when the other containers first ran; 0: not yet. `waits`: why
 * containers cannot be created.
 */
function initContainerStatuses(
  { spec: { initContainers = [] }, metadata: { uid }, status }: Pod,
  startedAt: number,
  waits: Readonly<Record<string, ContainerWait>> = {},
): readonly ContainerStatus[] | undefined {
  if (initContainers.length === 0) return undefined;
  // They ran once, whatever happened to the other containers since.
  if (status.initContainerStatuses?.every(({ ready }) => ready) === true) return status.initContainerStatuses;
  const time = formatTime(startedAt);
  return initContainers.map(({ name, image = '' }): ContainerStatus => {
    const containerID = `sim://${uid}-${name}`;
    const state =
      startedAt > 0
        ? { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time, containerID } }
        : { waiting: waits[name] ?? { reason: 'PodInitializing' } };
    return {
      name,
      state,
      lastState: {},
      ready: startedAt > 0,
      restartCount: 0,
      image,
      imageID: startedAt > 0 ? `sim://${image}` : '',
      ...(startedAt > 0 ? { containerID } : {}),
    };
  });
}
