/** The state of the runtime: its processes, and the numbers by which pending events name their parts. */
import type { Pending } from '../../engine/index.ts';
import { createCache } from './cache.ts';
import type { RuntimeContext } from './context.ts';
import type { Enqueue, ObserveContext, Outcome, ReconcileInput } from './contract.ts';
import type { KeyState } from './key-state.ts';
import type { ClusterEvent, EventResolver } from './pending.ts';
import type { Points } from './choice-points.ts';
import type { Process, ProcessSpec, Running } from './process.ts';
import type { Recorder } from './recorder.ts';
import type { Recurrences } from './recurrences.ts';
import type { Streams } from './streams.ts';

export interface RuntimeState {
  readonly context: RuntimeContext;
  readonly processes: Map<string, Process>;
  /** By number. */
  readonly runnings: (Running | undefined)[];
  readonly streams: Streams;
  readonly recorder: Recorder;
  readonly recurrences: Recurrences;
  /** Whether the renewals of a lease are elided: part of a decision's input. */
  readonly renewalInterval: ReconcileInput['renewalInterval'];
  /** The strategy that is called at choice points; undefined: none. */
  points: Points | undefined;
  /** Decisions that a choice point has postponed: the point is not called again for them. */
  readonly held: WeakSet<Pending<ClusterEvent>>;
  /** For each process with a skewed clock, the function that allows elision again. */
  readonly skews: Map<Process, () => void>;
  /** Last reasons of keys that are close to the limit on decisions at one instant. */
  readonly lastWhys: WeakMap<KeyState, string>;
}

/** What an outcome, or a fault between its writes, may do to its process. */
export interface Control {
  crash(process: Process, causes: readonly number[]): void;
  /** An outcome decides about its whole process. */
  turn(process: Process, what: NonNullable<Outcome['process']>, causes: readonly number[]): void;
}

/** A process that has not started; `groups`: the groups of its user at the server. */
export function newProcess(spec: ProcessSpec, number: number, groups: readonly string[], now: number): Process {
  return {
    spec,
    next: undefined,
    number,
    user: { name: spec.name, groups },
    incarnation: 0,
    up: false,
    changedAt: now,
    leading: false,
    listsAt: undefined,
    skewMs: spec.skewMs ?? 0,
    skews: [],
    ends: [],
    limiter: undefined,
    eventLimiter: undefined,
    cache: createCache(),
    streams: new Map(),
    running: new Map(),
  };
}

/** Resolves numbers in pending events by the present controllers and streams. */
export const resolverOf = ({ runnings, streams }: Pick<RuntimeState, 'runnings' | 'streams'>): EventResolver => ({
  controllerOf(number) {
    const running = runnings[number];
    return running === undefined ? undefined : { process: running.process.spec.name, controller: running.controller.name };
  },
  keyOf: (number, keyId) => runnings[number]?.queue.at(keyId)?.key,
  receiverOf: (number) => streams.byNumber(number)?.process.spec.name,
});

/** The input of a controller's mappings, as of now. */
export function observing({ context: { kernel } }: RuntimeState, running: Running): ObserveContext {
  running.observing.now = kernel.now + running.process.skewMs;
  running.observing.elapsed = kernel.now;
  return running.observing;
}

const isList = (wanted: readonly Enqueue[] | Enqueue): wanted is readonly Enqueue[] => Array.isArray(wanted);

/** Puts keys into a controller's queue, at once or later. */
export function enqueue(
  runtimeState: RuntimeState,
  running: Running,
  wanted: readonly Enqueue[] | Enqueue | undefined,
  cause: number,
): void {
  if (wanted === undefined) return;
  if (typeof wanted === 'string') running.queue.add(wanted, [cause]);
  else if (!isList(wanted)) running.queue.addAt(wanted.key, runtimeState.context.kernel.now + wanted.afterMs, [cause]);
  else for (let at = 0; at < wanted.length; at++) enqueue(runtimeState, running, wanted[at], cause);
}
