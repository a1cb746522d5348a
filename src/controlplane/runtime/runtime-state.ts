/** The state of the runtime: its processes, and the numbers by which pending events name their parts. */
import type { Pending } from '../../engine/index.ts';
import type { RuntimeContext, Points } from './context.ts';
import type { ReconcileInput } from './contract.ts';
import type { Recorder } from './events.ts';
import type { Outcome } from './outcome.ts';
import type { ClusterEvent, Recurrences } from './pending.ts';
import type { Process, Running, Streams } from './process.ts';
import type { KeyState } from './work-queue.ts';

export type TimerListener = (process: string, controller: string, key: string) => void;

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
  /** Decisions that a choice point has postponed, until they are made: the point is not called again for them. */
  readonly held: Set<Pending<ClusterEvent>>;
  /** For each process with a skewed clock, the function that allows elision again. */
  readonly skews: Map<Process, () => void>;
  /** Last reasons of keys that are close to the limit on decisions at one instant. */
  readonly lastWhys: Map<KeyState, string>;
  readonly onTimer: Set<TimerListener>;
  /** Crashes a process: a fault does so between two writes of an outcome. */
  crash(process: Process, causes: readonly number[]): void;
  /** An outcome decides about its whole process. */
  turn(process: Process, what: NonNullable<Outcome['process']>, causes: readonly number[]): void;
}
