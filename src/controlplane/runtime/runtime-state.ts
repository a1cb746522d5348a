/** What the functions of the runtime work on: the processes there are, and the numbers by which pending events name their parts. */
import type { Pending } from '../../engine/index.ts';
import { createCache } from './cache.ts';
import type { RuntimeContext } from './context.ts';
import type { Enqueue, ObserveContext, Outcome, ReconcileInput } from './contract.ts';
import type { KeyState } from './key-state.ts';
import type { ClusterEvent, Roster } from './pending.ts';
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
  /** Whether a lease is being renewed unseen: what decisions may ask. */
  readonly renewalInterval: ReconcileInput['renewalInterval'];
  /** Who is asked where a run may go another way; undefined: nobody. */
  points: Points | undefined;
  /** Decisions that a choice point has postponed: the point is not called again for them. */
  readonly held: WeakSet<Pending<ClusterEvent>>;
  /** Ends what forbids elided renewals while the clock of a process is wrong. */
  readonly skews: Map<Process, () => void>;
  /** Last reasons of keys that are about to reach the limit of one instant. */
  readonly lastWhys: WeakMap<KeyState, string>;
}

/** What an outcome may do to its process, and a fault in the middle of its writes. */
export interface Control {
  crash(process: Process, causes: readonly number[]): void;
  /** An outcome decides about its whole process. */
  turn(process: Process, what: NonNullable<Outcome['process']>, causes: readonly number[]): void;
}

/** A process that has not started; `groups`: who it is to the server besides its name. */
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

export const rosterOf = ({ runnings, streams }: Pick<RuntimeState, 'runnings' | 'streams'>): Roster => ({
  controllerOf(number) {
    const running = runnings[number];
    return running === undefined ? undefined : { process: running.process.spec.name, controller: running.controller.name };
  },
  keyOf: (number, keyId) => runnings[number]?.queue.at(keyId)?.key,
  receiverOf: (number) => streams.byNumber(number)?.process.spec.name,
});

/** What a controller's mappings may know, as of now. */
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
