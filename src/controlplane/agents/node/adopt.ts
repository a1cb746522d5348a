/**
 * Containers of a restored cluster: the state that a pod's status reports, as its machine would have it. A new agent finds them there, and
 * has nothing to report. Simplified as everywhere: containers of a pod start and end together, so the pod runs if one of them does.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { ContainerStatus, Names } from '../../../apiserver/machinery/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import { isReady, requestsOf } from '../../shared/index.ts';
import type { PodBehavior } from '../specs.ts';
import { behaviorsBy, created, type Behavior, type Exit, type Run } from './containers.ts';
import type { World } from './machine.ts';
import { attemptsOf, policyOf } from './pod-decision.ts';
import { fingerprint, isOver } from './pod-report.ts';

interface Adoption {
  readonly pods: Iterable<Pod>;
  readonly behaviors: readonly PodBehavior[];
  readonly names: Names;
  /** The start, milliseconds since the epoch. */
  readonly now: number;
  /** The attachable volumes of a pod that its node has in use. */
  volumesOf(pod: Pod): readonly string[];
}

/** Puts the containers of bound pods on their machines. A pod without containers yet is left to its agent. */
export function adoptPods(world: World, { pods, behaviors, names, now, volumesOf }: Adoption): void {
  const find = behaviorsBy(behaviors, names);
  for (const pod of pods) {
    const { nodeName } = pod.spec;
    if (nodeName === undefined || nodeName === '') continue;
    const run = runOf(pod, find(pod), names, now);
    if (run === undefined) continue;
    const { uid } = pod.metadata;
    const machine = world.machine(nodeName);
    machine.put(uid, run);
    // The attempts of finished pods count for the exit codes of their owner's next ones.
    if (isOver(pod)) machine.forget(uid, now);
    const volumes = isOver(pod) ? [] : volumesOf(pod);
    if (volumes.length > 0) machine.use(uid, volumes);
  }
}

/** The state of a pod's containers by its status; undefined: there are none yet. */
function runOf(pod: Pod, behavior: Behavior, names: Names, now: number): Run | undefined {
  const { containerStatuses = [], initContainerStatuses = [], podIP = '' } = pod.status;
  const [first] = containerStatuses;
  if (first === undefined) return undefined;
  const start = {
    behavior,
    policy: policyOf(pod),
    attemptsOf: attemptsOf(pod, names),
    ip: podIP,
    asks: requestsOf(pod.spec),
    held: false,
    leastStartMs: 0,
  };
  const exits = containerStatuses.flatMap((each) => exitOf(each, now) ?? []).sort((a, b) => b.finishedAt - a.finishedAt);
  const restarts = Math.max(...containerStatuses.map(({ restartCount }) => restartCount));
  const [last] = exits;
  const base: Run = { ...created(start, now), restarts, attempts: restarts, last, previous: last, isAdopted: true };
  const run = isOver(pod) ? { ...base, attempts: restarts + 1, stage: 'over' as const, until: Infinity } : liveRun(pod, base, now);
  if (initContainerStatuses.some(({ state }) => state?.terminated === undefined && state?.running === undefined) && run.stage !== 'over')
    return waitingForInit(pod, base, now);
  return { ...run, reported: fingerprint(run, now, false) };
}

function liveRun(pod: Pod, base: Run, now: number): Run {
  const { containerStatuses = [] } = pod.status;
  const starts = containerStatuses.flatMap(({ state }) => instantOf(state?.running?.startedAt) ?? []);
  if (starts.length > 0) return running(pod, base, Math.min(...starts), now);
  const waiting = containerStatuses.flatMap(({ state }) => state?.waiting ?? []);
  if (waiting.some(({ reason }) => reason === 'CrashLoopBackOff') || (waiting.length === 0 && base.policy !== 'Never'))
    return restarting(base, waiting.find(({ reason }) => reason === 'CrashLoopBackOff')?.message, now);
  if (waiting.some(({ reason }) => reason === 'ContainerCreating' || reason === 'PodInitializing')) return starting(base, now);
  return stuck(base);
}

/** Running containers go on as their behaviour says, from the time of their start, and at the earliest from now on. */
function running(pod: Pod, base: Run, startedAt: number, now: number): Run {
  const { runForMs, readyDelayMs } = base.behavior;
  const until = runForMs === undefined ? Infinity : Math.max(startedAt + runForMs, now + 1);
  // An unready pod gets ready where its behaviour says when: a probe of the other cluster decided so, and goes on to.
  const readyAt = isReady(pod) ? Math.min(startedAt, now) : readyDelayMs > 0 ? Math.max(startedAt + readyDelayMs, now + 1) : Infinity;
  return { ...base, stage: 'running', startedAt, readyAt, until };
}

/** Containers in a restart loop run as long as the last time, and exit with the same code, unless their behaviour says otherwise. */
function restarting(base: Run, message: string | undefined, now: number): Run {
  const { last, restarts, behavior } = base;
  const backoffMs = backoffIn(message) ?? (restarts === 0 ? 500 : Math.min(10_000 * (1 << Math.min(restarts - 1, 8)), 300_000));
  const repeats =
    last === undefined || behavior.runForMs !== undefined
      ? behavior
      : { ...behavior, runForMs: Math.max(last.finishedAt - last.startedAt, 0), exitCodes: [last.code] };
  return {
    ...base,
    behavior: repeats,
    stage: 'waiting',
    backoffMs,
    startedAt: last?.startedAt ?? now,
    until: Math.max((last?.finishedAt ?? now) + backoffMs, now + 1),
  };
}

/** `back-off 5m0s restarting failed container=…`, in milliseconds. */
function backoffIn(message = ''): number | undefined {
  const [, minutes, seconds] = /back-off (?:(\d{1,4})m)?(\d{1,4})s/.exec(message) ?? [];
  return seconds === undefined ? undefined : (Number(minutes ?? 0) * 60 + Number(seconds)) * 1000;
}

/** Containers are being created, and start when their behaviour says. */
const starting = (base: Run, now: number): Run => ({ ...base, until: now + Math.max(base.behavior.startDelayMs, 1) });

/** Containers that cannot be created (an image, a configuration that is not there) stay so until they are deleted. */
const stuck = (base: Run): Run => ({ ...base, stage: 'running', startedAt: 0, readyAt: Infinity, until: Infinity });

function waitingForInit(pod: Pod, base: Run, now: number): Run {
  const { initContainerStatuses = [] } = pod.status;
  const waits = initContainerStatuses.flatMap(({ state }) => state?.waiting?.reason ?? []);
  const fails = waits.some((reason) => reason !== 'PodInitializing' && reason !== 'ContainerCreating');
  const run = fails ? stuck(base) : starting(base, now);
  return { ...run, reported: fingerprint(run, now, false) };
}

const instantOf = (time: string | null | undefined): number | undefined => {
  const at = time === undefined || time === null ? Number.NaN : parseTime(time);
  return Number.isFinite(at) ? at : undefined;
};

function exitOf({ state, lastState, restartCount }: ContainerStatus, now: number): Exit | undefined {
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended === undefined) return undefined;
  const finishedAt = instantOf(ended.finishedAt) ?? now;
  return {
    code: ended.exitCode,
    startedAt: instantOf(ended.startedAt) ?? finishedAt,
    finishedAt,
    restart: restartCount,
    ...(ended.reason === 'OOMKilled' ? { oom: true as const } : {}),
  };
}
