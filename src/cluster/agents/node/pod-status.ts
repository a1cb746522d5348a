/** The status an agent reports of a pod: phase, conditions and container states from what its containers do. Models: v1.24 pkg/kubelet (getPhase, status generation). */
import type { ContainerState, ContainerStatus, Pod, PodCondition, PodStatus } from '../../api/index.ts';
import { formatTime } from '../../values/index.ts';
import type { Machine, Run } from './machine.ts';

const terminated = (exit: NonNullable<Run['last']>, uid: string): ContainerState => ({
  terminated: { exitCode: exit.code, reason: exit.code === 0 ? 'Completed' : 'Error', startedAt: formatTime(exit.startedAt), finishedAt: formatTime(exit.finishedAt), containerID: `sim://${uid}-${exit.restart}` },
});

const stateOf = (run: Run, uid: string): ContainerState => {
  switch (run.stage) {
    case 'creating': return { waiting: { reason: 'ContainerCreating' } };
    case 'running': return { running: { startedAt: formatTime(run.startedAt) } };
    case 'waiting':
      // The first restart comes at once and is not yet called a crash loop.
      if (run.last !== undefined && run.backoffMs < 10_000) return terminated(run.last, uid);
      return { waiting: { reason: 'CrashLoopBackOff', message: `back-off ${run.backoffMs / 1000}s restarting failed container` } };
    case 'over': return run.last === undefined ? { waiting: { reason: 'ContainerCreating' } } : terminated(run.last, uid);
    default: { const never: never = run.stage; return never; }
  }
};

const lastStateOf = (run: Run, uid: string): ContainerState => {
  const shownNow = run.stage === 'over' || (run.stage === 'waiting' && run.backoffMs < 10_000);
  const exit = shownNow ? run.previous : run.last;
  return exit === undefined ? {} : terminated(exit, uid);
};

const phaseOf = (run: Run): 'Pending' | 'Running' | 'Succeeded' | 'Failed' => {
  if (run.stage === 'creating' || (run.stage === 'over' && run.last === undefined)) return 'Pending';
  if (run.stage !== 'over') return 'Running';
  if (run.policy === 'Always') return 'Running';
  if (run.last?.code === 0) return 'Succeeded';
  return run.policy === 'Never' ? 'Failed' : 'Running';
};

/** Conditions keep their transition time while their status stays. */
const conditionsOf = (pod: Pod, ready: boolean, phase: string, now: number): readonly PodCondition[] => {
  const unready = `containers with unready status: [${pod.spec.containers.map((container) => container.name).join(' ')}]`;
  const completed = phase === 'Succeeded';
  const readiness = ready ? {} : completed ? { reason: 'PodCompleted' } : { reason: 'ContainersNotReady', message: unready };
  const condition = (type: string, status: 'True' | 'False', rest: { reason?: string; message?: string }): PodCondition => {
    const before = pod.status.conditions?.find((other) => other.type === type);
    const at = before?.status === status ? before.lastTransitionTime : formatTime(now);
    return { type, status, lastProbeTime: null, lastTransitionTime: at ?? null, ...rest } as PodCondition;
  };
  return [
    condition('Initialized', 'True', completed ? { reason: 'PodCompleted' } : {}),
    condition('Ready', ready ? 'True' : 'False', readiness),
    condition('ContainersReady', ready ? 'True' : 'False', readiness),
    ...(pod.status.conditions?.filter((other) => other.type === 'PodScheduled') ?? []),
    ...(pod.status.conditions?.filter((other) => !['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].includes(other.type)) ?? []),
  ];
};

/** The status of a pod whose containers are as `run` says; `failure`: the agent itself ended the pod. */
export function podStatus(pod: Pod, run: Run, machine: Machine, now: number, failure?: { readonly reason: string; readonly message: string }): PodStatus {
  const { uid } = pod.metadata;
  const phase = failure === undefined ? phaseOf(run) : 'Failed';
  const ready = run.stage === 'running' && run.readyAt <= now && failure === undefined;
  const started = run.stage !== 'creating' && run.startedAt > 0;
  const containers = pod.spec.containers.map((container): ContainerStatus => ({
    name: container.name,
    state: stateOf(run, uid),
    lastState: lastStateOf(run, uid),
    ready,
    restartCount: run.restarts,
    image: container.image ?? '',
    imageID: `sim://${container.image ?? ''}`,
    ...(started ? { containerID: `sim://${uid}-${run.restarts}` } : {}),
    started: run.stage === 'running',
  } as ContainerStatus));
  return {
    phase,
    conditions: conditionsOf(pod, ready, phase, now),
    ...(failure ?? {}),
    hostIP: machine.hostAddress,
    ...(started ? { podIP: run.ip, podIPs: [{ ip: run.ip }] } : {}),
    startTime: pod.status.startTime ?? formatTime(now),
    containerStatuses: containers,
    ...(pod.status.qosClass === undefined ? {} : { qosClass: pod.status.qosClass }),
  } as PodStatus;
}
