/**
 * The state of a pod's containers, as a value: each step returns the next state, and the passing of time is a step too. Containers of a pod
 * start, exit and restart together. The states are stored by `machine.ts`. The behaviour of a pod's containers: by selector, overridden by
 * annotations on the pod. Times in milliseconds.
 */
import { memo } from '../../../engine/index.ts';
import { present, selectionOf, type SpecInfo } from '../../shared/index.ts';
import type { LogSpec, PodBehavior } from '../specs.ts';
import type { GivenSettings } from './configuration.ts';
import { SIM, type Names } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Place } from './cores/admit.ts';
import type { Pulling } from './images/pull.ts';

export interface Behavior {
  readonly startDelayMs: number;
  readonly readyDelayMs: number;
  /** From the start to the exit; undefined: no exit. */
  readonly runForMs: number | undefined;
  /** Exit codes by attempt; the last one repeats. */
  readonly exitCodes: readonly number[];
  /** From the termination signal to the exit. */
  readonly terminationDelayMs: number;
  readonly terminationExitCode: number;
  /** From the start until a container needs more memory than its limit. */
  readonly oomAfterMs?: number;
  /** What its containers print; absent: what they do, in words. */
  readonly log?: readonly LogSpec[];
}

const SUCCESS: readonly number[] = [0];

const seconds = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? Math.round(value * 1000) : undefined;
};
const codes = (text: string | undefined): readonly number[] | undefined => {
  if (text === undefined) return undefined;
  const list = text
    .split(',')
    .map((code) => Number.parseInt(code.trim(), 10))
    .filter((code) => Number.isInteger(code));
  return list.length > 0 ? list : undefined;
};

export const completionIndexOf = (pod: Pod, names: Names): string | undefined =>
  pod.metadata.annotations?.[names.key('batch', 'job-completion-index')];

/** Returns a function that finds the behaviour of a pod; selectors are compiled once. */
export function behaviorsBy(behaviors: readonly PodBehavior[], names: Names): (pod: Pod) => Behavior {
  const find = selectionOf(behaviors);
  const byOwner = behaviors.some(({ owner }) => owner !== undefined);
  /** Cached behaviours of pods without annotations, by their shared labels. */
  const plain = memo(new WeakMap<Labels, { readonly namespace: string | undefined; readonly behavior: Behavior }>());
  return (pod) => {
    const { labels, annotations, namespace } = pod.metadata;
    if (annotations !== undefined || labels === undefined || byOwner)
      return behaviorOf(find(pod), annotations ?? NONE, completionIndexOf(pod, names));
    const known = plain.get(labels);
    if (known !== undefined && known.namespace === namespace) return known.behavior;
    const behavior = behaviorOf(find(pod), NONE, undefined);
    plain.set(labels, { namespace, behavior });
    return behavior;
  };
}

type Labels = Readonly<Record<string, string>>;
const NONE: Labels = Object.freeze({});

const behaviorOf = (found: PodBehavior | undefined, annotated: Labels, index: string | undefined): Behavior => ({
  startDelayMs: seconds(annotated[`${SIM}/start-delay`]) ?? found?.startDelayMs ?? 0,
  readyDelayMs: seconds(annotated[`${SIM}/ready-delay`]) ?? found?.readyDelayMs ?? 0,
  runForMs: seconds(annotated[`${SIM}/exit-after`]) ?? found?.runForMs,
  exitCodes:
    (index === undefined ? undefined : (codes(annotated[`${SIM}/exit-codes-${index}`]) ?? found?.exitCodesByIndex?.[index])) ??
    codes(annotated[`${SIM}/exit-code`]) ??
    found?.exitCodes ??
    SUCCESS,
  terminationDelayMs: seconds(annotated[`${SIM}/term-delay`]) ?? found?.terminationDelayMs ?? 0,
  terminationExitCode: codes(annotated[`${SIM}/term-code`])?.[0] ?? found?.terminationExitCode ?? 143,
  ...present({ log: annotated[`${SIM}/log`]?.split('\n') ?? found?.log }),
});

/** Restart back-off: first 0.5 s, then 10 s doubling to 300 s; ten minutes of running reset it. Models: kubelet's crash-loop back-off. */
const FIRST_RESTART_MS = 500;
const BASE_RESTART_MS = 10_000;
const MAX_RESTART_MS = 300_000;
const RESET_AFTER_MS = 600_000;
/** After a request to the runtime that came to nothing. Models: kubelet's backOffPeriod of pod workers. */
const RETRY_MS = 10_000;
const KILLED = 137;

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface Exit {
  readonly code: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly restart: number;
  readonly oom?: true;
}

export interface Run {
  readonly behavior: Behavior;
  readonly policy: RestartPolicy;
  /** Identifies the sequence of exit codes: shared by the pods of one owner (and index). */
  readonly attemptsOf: string;
  readonly attempts: number;
  readonly stage: 'creating' | 'running' | 'waiting' | 'over';
  /** When the current stage ends; Infinity: not by itself. */
  readonly until: number;
  readonly startedAt: number;
  readonly readyAt: number;
  readonly restarts: number;
  /** The exit code after a termination signal; undefined: the container exits by itself, with the code of its next attempt. */
  readonly signalled: number | undefined;
  readonly last: Exit | undefined;
  /** The previous exit, reported as lastState. */
  readonly previous: Exit | undefined;
  readonly backoffMs: number;
  /** Set by a kill: nothing restarts afterwards. */
  readonly killed: boolean;
  readonly ip: string;
  /** The requests at admission. */
  readonly asks: SpecInfo;
  /** Exclusive CPUs and memory of its containers. The field is always present, because states are copied at every step of every pod. */
  readonly places: readonly Place[] | undefined;
  /** Names and limits that the agent set at the start. */
  readonly given: GivenSettings | undefined;
  /** The fingerprint of the last report: a restarted agent continues from it. */
  readonly reported: string | undefined;
  /** Its volumes are mounted: it waits for images. */
  readonly mounted?: true;
  /** The progress of its image pulls; absent: nothing to pull, or not yet. */
  readonly pulling?: Pulling;
  /** Where creating takes longer than the agent waits for its runtime: how long that is. */
  readonly limitMs?: number;
  /** How often it gave up, and whether it waits for the next try. */
  readonly timeouts?: number;
  readonly rests?: boolean;
  readonly isStatic?: true;
  /** A restored pod: the API has its status as another cluster reported it, which counts until the first report of this one. */
  readonly isAdopted?: true;
  /** Namespace and name, where the API server has no such object. */
  readonly called?: string;
  readonly failure?: { readonly reason: string; readonly message: string };
}

export interface Start extends Pick<Run, 'behavior' | 'policy' | 'attemptsOf' | 'ip' | 'asks'>, Partial<Pick<Run, 'places' | 'given'>> {
  /** They wait for volumes or images first. */
  readonly held: boolean;
  readonly leastStartMs: number;
  /** How long the agent waits for its runtime to create them; absent: as long as it takes. */
  readonly limitMs?: number | undefined;
}

const creationMs = ({ startDelayMs }: Behavior, leastStartMs: number, limitMs = Infinity): number =>
  Math.max(Math.min(startDelayMs, limitMs), leastStartMs);

export const created = (
  { behavior, policy, attemptsOf, ip, asks, places, given, held, leastStartMs, limitMs = Infinity }: Start,
  now: number,
): Run => {
  const run: Run = {
    behavior,
    policy,
    attemptsOf,
    attempts: 0,
    stage: 'creating',
    until: held ? Infinity : now + creationMs(behavior, leastStartMs, limitMs),
    startedAt: 0,
    readyAt: Infinity,
    restarts: 0,
    signalled: undefined,
    last: undefined,
    previous: undefined,
    backoffMs: 0,
    killed: false,
    ip,
    asks,
    reported: undefined,
    places,
    given,
  };
  return behavior.startDelayMs > limitMs ? { ...run, limitMs } : run;
};

export const isHeld = ({ stage, until }: Run): boolean => stage === 'creating' && until === Infinity;

/** Starts containers that waited for volumes or images; `leastStartMs`: the minimum delay. */
export const released = (run: Run, now: number, leastStartMs: number): Run => ({
  ...run,
  until: now + creationMs(run.behavior, leastStartMs, run.limitMs),
});

const begun = (run: Run, at: number): Run => ({
  ...run,
  stage: 'running',
  restarts: run.stage === 'waiting' ? run.restarts + 1 : run.restarts,
  startedAt: at,
  readyAt: at + run.behavior.readyDelayMs,
  until: at + Math.min(run.behavior.runForMs ?? Infinity, run.behavior.oomAfterMs ?? Infinity),
});

/** The runtime has not answered in time: the agent waits, and tries again. */
const timedOut = (run: Run, at: number, limitMs: number): Run =>
  run.rests === true
    ? { ...run, rests: false, until: at + limitMs }
    : { ...run, rests: true, timeouts: (run.timeouts ?? 0) + 1, until: at + RETRY_MS };

const ended = (run: Run, othersAttempts: number): Run => {
  if (run.stage === 'running') return exited(run, run.until, othersAttempts);
  return run.stage === 'creating' && run.limitMs !== undefined ? timedOut(run, run.until, run.limitMs) : begun(run, run.until);
};

const nextBackoffMs = (backoffMs: number): number => {
  if (backoffMs === 0) return FIRST_RESTART_MS;
  return backoffMs === FIRST_RESTART_MS ? BASE_RESTART_MS : Math.min(backoffMs * 2, MAX_RESTART_MS);
};

/** Only containers that exit by themselves use up an attempt: stopped containers repeat theirs. */
function exited(run: Run, at: number, othersAttempts: number): Run {
  const { signalled, behavior, restarts, startedAt, policy } = run;
  const { exitCodes } = behavior;
  const oom = signalled === undefined && behavior.oomAfterMs !== undefined && at - startedAt >= behavior.oomAfterMs;
  const code = oom ? KILLED : (signalled ?? exitCodes[Math.min(othersAttempts + run.attempts, exitCodes.length - 1)] ?? 0);
  const exit = { code, startedAt, finishedAt: at, restart: restarts };
  const last: Exit = oom ? { ...exit, oom } : exit;
  const attempts = signalled === undefined && !oom ? run.attempts + 1 : run.attempts;
  const { last: previous } = run;
  // One copy of the state, because every pod ends.
  if (run.killed || policy === 'Never' || (policy === 'OnFailure' && code === 0))
    return { ...run, attempts, previous, last, stage: 'over', until: Infinity };
  const backoffMs = nextBackoffMs(at - startedAt >= RESET_AFTER_MS ? 0 : run.backoffMs);
  return { ...run, attempts, previous, last, backoffMs, stage: 'waiting', until: at + backoffMs };
}

/** The state at a later instant. `othersAttempts`: attempts of the owner's other pods. */
export function passed(run: Run, now: number, othersAttempts: number): Run {
  let is = run;
  while (is.until <= now && is.stage !== 'over') is = ended(is, othersAttempts);
  return is;
}

/** Sends the termination signal; the containers exit within the grace period. */
export function killed(run: Run, now: number, graceMs: number): Run {
  const { behavior, stage, until, last, restarts } = run;
  if (stage === 'over') return run;
  const dies = now + Math.min(behavior.terminationDelayMs, graceMs);
  if (run.killed) return dies < until ? { ...run, until: dies } : run;
  if (stage === 'running') {
    if (dies >= until) return { ...run, killed: true };
    const signalled = behavior.terminationDelayMs > graceMs ? KILLED : behavior.terminationExitCode;
    return { ...run, killed: true, until: dies, signalled };
  }
  const over = { ...run, killed: true, stage: 'over', until: Infinity } as const;
  // Nothing runs, so there is no wait. Containers that never ran have no exit.
  if (stage === 'creating') return over;
  return {
    ...over,
    previous: last,
    last: { code: behavior.terminationExitCode, startedAt: last?.startedAt ?? now, finishedAt: now, restart: restarts },
  };
}
