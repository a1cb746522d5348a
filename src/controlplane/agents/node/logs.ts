/**
 * The logs of containers, computed at each read: nothing is kept. The instances of a container that have a log are the current one and the
 * one before it; they come from the state of the containers, or from the status of a pod whose machine has forgotten it. The lines of an
 * instance follow from its times alone. Models: v1.24 pkg/kubelet kubelet_pods.go validateContainerLogStatus.
 */
import type { ContainerStatus, Names } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import { type Behavior, type Exit, type Run, behaviorsBy, passed } from './containers.ts';
import type { LogSpec, PodBehavior } from '../specs.ts';
import type { World } from './machine.ts';

export interface LogInstance {
  readonly restart: number;
  /** The start as its status dates it, to the second. Lines are dated from there, so every reader sees the same times. */
  readonly startedAt: number;
  /** How long it runs, or ran. */
  readonly elapsedMs: number;
  /** Absent: it runs. */
  readonly exitCode?: number;
  /** From the start to the termination signal; absent: there was none. */
  readonly signalMs?: number;
}

interface LogInstances {
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

function instancesOf(run: Run, pod: Pod, now: number): LogInstances {
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

function reportedInstances(status: ContainerStatus, behavior: Behavior, now: number): LogInstances {
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

interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
}

/** What containers print of which the behaviour says nothing. */
const IN_WORDS: readonly LogSpec[] = [
  'started',
  { when: 'ready', line: 'ready' },
  { when: 'termination', line: 'received SIGTERM' },
  { when: 'exit', line: 'exiting with code {code}' },
];
const IN_WORDS_OF_INIT: readonly LogSpec[] = ['started', { when: 'exit', line: 'exiting with code {code}' }];

/** Whether a container is an init container. These take no time, so only their status says when they ran. */
const isInit = ({ spec }: Pod, container: string): boolean => spec.containers.every(({ name }) => name !== container);

/** The lines of a container: those that name it; of the first one also those that name none. */
function specsOf(pod: Pod, container: string, { log }: Behavior): readonly LogSpec[] {
  const inWords = isInit(pod, container) ? IN_WORDS_OF_INIT : IN_WORDS;
  const isFirst = pod.spec.containers[0]?.name === container;
  if (log === undefined) return inWords;
  const own = log.filter((each) => (typeof each === 'string' ? undefined : each.container) === container);
  if (!isFirst) return own.length === 0 ? inWords : own;
  return log.filter((each) => typeof each === 'string' || each.container === undefined || each.container === container);
}

interface Printing {
  readonly text: string;
  readonly firstMs: number;
  /** 0: once. */
  readonly everyMs: number;
}

/** When a line is printed first, milliseconds since the start; undefined: never. */
function firstMs(spec: Exclude<LogSpec, string>, { exitCode, elapsedMs, signalMs }: LogInstance, readyMs: number): number | undefined {
  switch (spec.when) {
    case 'ready':
      return readyMs;
    case 'termination':
      return signalMs;
    case 'exit':
      return exitCode === undefined ? undefined : elapsedMs;
    case 'success':
      return exitCode === 0 ? elapsedMs : undefined;
    case 'failure':
      return exitCode === undefined || exitCode === 0 ? undefined : elapsedMs;
    default:
      return spec.atMs ?? spec.everyMs ?? 0;
  }
}

function printingOf(spec: LogSpec, instance: LogInstance, readyMs: number): Printing | undefined {
  if (typeof spec === 'string') return { text: spec, firstMs: 0, everyMs: 0 };
  const first = firstMs(spec, instance, readyMs);
  return first === undefined ? undefined : { text: spec.line, firstMs: first, everyMs: spec.everyMs ?? 0 };
}

const FILLED = /\{(pod|namespace|node|container|restart|code|n)\}/g;

function filled(text: string, pod: Pod, container: string, { restart, exitCode }: LogInstance, n: number): string {
  const values: Readonly<Record<string, string>> = {
    pod: pod.metadata.name,
    namespace: pod.metadata.namespace ?? '',
    node: pod.spec.nodeName ?? '',
    container,
    restart: String(restart),
    code: exitCode === undefined ? '' : String(exitCode),
    n: String(n),
  };
  return text.replace(FILLED, (_, name: string) => values[name] ?? '');
}

/**
 * Returns what a container has printed, the oldest line first: the last `most` lines, of those after `afterMs` since the start.
 * Costs the product of the lines that are returned and of the lines that the behaviour names.
 */
function linesOf(
  pod: Pod,
  container: string,
  behavior: Behavior,
  instance: LogInstance,
  { most, afterMs = -1 }: { readonly most: number; readonly afterMs?: number },
): readonly LogLine[] {
  const { elapsedMs, startedAt } = instance;
  const printings = specsOf(pod, container, behavior).flatMap((spec) => printingOf(spec, instance, behavior.readyDelayMs) ?? []);
  /** How often each is still to be printed, going back in time. */
  const left = printings.map(({ firstMs: first, everyMs }) => {
    if (first > elapsedMs) return 0;
    return everyMs === 0 ? 1 : Math.floor((elapsedMs - first) / everyMs) + 1;
  });
  const lines: LogLine[] = [];
  while (lines.length < most) {
    let latest: Printing | undefined;
    let latestMs = afterMs;
    let index = 0;
    for (const [at, printing] of printings.entries()) {
      const count = left[at] ?? 0;
      const ms = printing.firstMs + (count - 1) * printing.everyMs;
      // Of lines at the same time the last one is found first.
      if (count > 0 && ms > afterMs && ms >= latestMs) [latest, latestMs, index] = [printing, ms, at];
    }
    if (latest === undefined) break;
    const n = left[index] ?? 1;
    left[index] = n - 1;
    lines.push({ at: startedAt + latestMs, text: filled(latest.text, pod, container, instance, n) });
  }
  return lines.reverse();
}

export interface ContainerLog extends LogInstances {
  /** The last `most` lines of an instance, the oldest first, of those later than `afterMs` since its start. */
  lines(instance: LogInstance, how: { readonly most: number; readonly afterMs?: number }): readonly LogLine[];
}

/** Returns the log of a container of a pod at an instant of elapsed time, milliseconds since the epoch. */
export type ReadLog = (pod: Pod, container: string, now: number) => ContainerLog;

export function logReader(world: World, behaviors: readonly PodBehavior[], names: Names): ReadLog {
  const find = behaviorsBy(behaviors, names);
  return (pod, container, now) => {
    const run = isInit(pod, container) ? undefined : world.runOf(pod.spec.nodeName ?? '', pod.metadata.uid);
    const behavior: Behavior = run?.is.behavior ?? find(pod);
    const status = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])].find(
      ({ name }) => name === container,
    );
    const instances =
      run !== undefined
        ? instancesOf(passed(run.is, now, run.othersAttempts), pod, now)
        : status === undefined
          ? NONE
          : reportedInstances(status, behavior, now);
    return { ...instances, lines: (instance, how) => linesOf(pod, container, behavior, instance, how) };
  };
}
