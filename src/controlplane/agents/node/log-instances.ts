/**
 * The instances of a container that have a log: the current one and the one before it. They come from the state of the containers, or from
 * the status of a pod whose machine has forgotten it. Models: v1.24 pkg/kubelet kubelet_pods.go validateContainerLogStatus.
 */
import type { ContainerStatus } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import type { Behavior, Exit, Run } from './containers.ts';

export interface LogInstance {
  readonly restart: number;
  /** The start as its status dates it, to the second. Lines are dated from there, so every reader sees the same times. */
  readonly startedAt: number;
  /** How long it runs, or ran, milliseconds. */
  readonly elapsedMs: number;
  /** Absent: it runs. */
  readonly exitCode?: number;
  /** From the start to the termination signal; absent: there was none. */
  readonly signalMs?: number;
}

export interface LogInstances {
  /** Undefined: no container has started. */
  readonly current: LogInstance | undefined;
  /** The instance before it; undefined: there was none. */
  readonly previous: LogInstance | undefined;
}

const NONE: LogInstances = { current: undefined, previous: undefined };
const KILLED = 137;

const toSecond = (at: number): number => Math.floor(at / 1000) * 1000;

/** When the signal was sent to containers that end, or ended, at an instant. */
function signalAt({ behavior, signalled }: Pick<Run, 'behavior' | 'signalled'>, pod: Pod, endsAt: number): number | undefined {
  if (signalled === undefined) return undefined;
  const grace = pod.metadata.deletionGracePeriodSeconds ?? 0;
  // Containers that were killed had their grace period; without one there was no signal before.
  if (signalled === KILLED && behavior.terminationExitCode !== KILLED) return grace === 0 ? undefined : endsAt - grace * 1000;
  return endsAt - behavior.terminationDelayMs;
}

const withSignal = (at: number | undefined, startedAt: number): Pick<LogInstance, 'signalMs'> =>
  at === undefined ? {} : { signalMs: Math.max(at - startedAt, 0) };

const exited = ({ restart, startedAt, finishedAt, code }: Exit, signal?: number): LogInstance => ({
  restart,
  startedAt: toSecond(startedAt),
  elapsedMs: finishedAt - startedAt,
  exitCode: code,
  ...withSignal(signal, startedAt),
});

/** The instances by the state of a pod's containers now. */
export function instancesOf(run: Run, pod: Pod, now: number): LogInstances {
  const { stage, last, previous, restarts, startedAt } = run;
  const before = (exit: Exit | undefined): LogInstance | undefined => (exit === undefined ? undefined : exited(exit));
  if (stage === 'creating') return NONE;
  if (stage === 'running') {
    const signal = withSignal(signalAt(run, pod, run.until), startedAt);
    return {
      current: { restart: restarts, startedAt: toSecond(startedAt), elapsedMs: now - startedAt, ...signal },
      previous: before(last),
    };
  }
  // Containers that were stopped before they ran again have the exit of the time before.
  const ended = last !== undefined && last.startedAt === previous?.startedAt ? previous : last;
  if (ended === undefined) return NONE;
  const current = exited(ended, signalAt(run, pod, ended.finishedAt));
  // During a back-off the container that ended is the previous one too, except before the first restart.
  const isReported = stage === 'over' || run.backoffMs < 10_000;
  return { current, previous: isReported ? before(previous) : current };
}

/** The instances by a status: of containers whose machine has forgotten them. */
export function reportedInstances(status: ContainerStatus, behavior: Behavior, now: number): LogInstances {
  const { state, lastState, restartCount } = status;
  const ended = (exit: NonNullable<ContainerStatus['state']>['terminated'], restart: number): LogInstance | undefined => {
    const [from, to] = [exit?.startedAt, exit?.finishedAt];
    if (exit === undefined || typeof from !== 'string' || typeof to !== 'string') return undefined;
    const startedAt = parseTime(from);
    const lasted = parseTime(to) - startedAt;
    const alone = Math.min(behavior.runForMs ?? Infinity, behavior.oomAfterMs ?? Infinity);
    const exitCode = exit.exitCode ?? 0;
    // A status has seconds: containers that ended by themselves ran as long as their behaviour says.
    if (Math.abs(alone - lasted) <= 1000) return { restart, startedAt, elapsedMs: alone, exitCode };
    const isSignalled = exitCode === behavior.terminationExitCode;
    return {
      restart,
      startedAt,
      elapsedMs: lasted,
      exitCode,
      ...withSignal(isSignalled ? startedAt + lasted - behavior.terminationDelayMs : undefined, startedAt),
    };
  };
  const previous = ended(lastState?.terminated, restartCount - 1);
  const since = state?.running?.startedAt;
  if (typeof since === 'string') {
    const startedAt = parseTime(since);
    return { current: { restart: restartCount, startedAt, elapsedMs: Math.max(now - startedAt, 0) }, previous };
  }
  return { current: ended(state?.terminated, restartCount) ?? previous, previous };
}
