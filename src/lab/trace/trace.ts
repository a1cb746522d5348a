/**
 * What happened in a run, in order: every write, delivery, decision, timer, fault, operation and check with all its causes. Steps count
 * from 1 at the start of virtual time; what happened while the cluster came up is kept apart as the prologue.
 */
import type { Observation, RenewalInterval } from '../../controlplane/runtime/index.ts';
import type { Position } from '../../schema/yaml/index.ts';

/** Which object is meant; without a namespace one of the whole cluster. */
export interface ObjectName {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Something a checker or a step found out. Its identity, like a note's, is that of the entry before it: nothing is ever caused by it. */
export interface CheckEntry {
  readonly id: number;
  readonly at: number;
  readonly causes: readonly number[];
  readonly type: 'check';
  readonly name: string;
  readonly held: boolean;
  readonly detail: string;
}

/** Prose, told at its moment. */
export interface NoteEntry {
  readonly id: number;
  readonly at: number;
  readonly causes: readonly number[];
  readonly type: 'note';
  readonly text: string;
  /** What it is about. */
  readonly about?: ObjectName;
}

/** A place worth a stop: a step of the scenario begins (where it says so) or has ended. */
export interface NarrationStep {
  /** What is told; absent: nothing, and `does` has to do. */
  readonly text?: string;
  /** What the step does, in a few words: `apply Job/pi`, `wait for Job/pi`. */
  readonly does: string;
  /** The last entry at that moment. */
  readonly traceStep: number;
  /** Virtual milliseconds since the start. */
  readonly sinceStartMs: number;
  /** The object that it is about. */
  readonly about?: ObjectName;
  /** How many steps of the scenario had been taken. */
  readonly taken: number;
  readonly source?: Position;
  /** The question that this moment answers. */
  readonly ask?: Asked;
  /** Where to look now. */
  readonly look?: { readonly at: ObjectName; readonly as?: string };
  /** What to try now, in words. */
  readonly tries?: readonly string[];
}

/** A question that was asked before time passed for a step, and what the run answered. */
export interface Asked {
  readonly question: string;
  readonly choices: readonly { readonly say: string; readonly because: string }[];
  /** The choice that holds, from 0. */
  readonly right: number;
  /** The last entry when it was asked. */
  readonly traceStep: number;
  /** Virtual milliseconds since the start. */
  readonly sinceStartMs: number;
}

/**
 * One thing that happened: a write, a decision, a delivery, a fault, a check, a note. Instants (`at`) are milliseconds since the epoch;
 * `causes` are the entries that led to it.
 */
export type Entry = Observation | CheckEntry | NoteEntry;

/** Everything that happened in a run, in order. `startAt` is milliseconds since the epoch; the entry of step n stands at index n - 1. */
export interface Trace {
  readonly startAt: number;
  /** Entries before the start. */
  readonly prologue: readonly Entry[];
  /** Entry n is at index n - 1. */
  readonly entries: readonly Entry[];
  /** Renewals of leases that no entry tells of, in the order in which they began; absent: there are none. */
  readonly renewalIntervals?: readonly RenewalInterval[];
  /** Where to stop when walking through; absent: nobody said. */
  readonly narrationSteps?: readonly NarrationStep[];
}

export interface TraceRecorder {
  readonly trace: Trace;
  add(entry: Entry): void;
  /** One that begins, or one that has ended. */
  addRenewalInterval(renewalInterval: RenewalInterval): void;
}

/** Records a run that starts at an instant; `onPulse` hears of renewals as well. */
export function recordTrace(startAt: number, onRenewalInterval?: (renewalInterval: RenewalInterval) => void): TraceRecorder {
  const prologue: Entry[] = [];
  const entries: Entry[] = [];
  const renewalIntervals: RenewalInterval[] = [];
  const places = new Map<number, number>();
  return {
    trace: { startAt, prologue, entries, renewalIntervals },
    add: (entry) => {
      (entry.at < startAt ? prologue : entries).push(entry);
    },
    addRenewalInterval(renewalInterval) {
      const place = places.get(renewalInterval.order) ?? renewalIntervals.length;
      places.set(renewalInterval.order, place);
      renewalIntervals[place] = renewalInterval;
      onRenewalInterval?.(renewalInterval);
    },
  };
}

/**
 * The step of an entry's identity; undefined when it lies before the start or does not exist. Identities never decrease, so this is a
 * binary search.
 */
export function stepOf(trace: Trace, id: number): number | undefined {
  const { entries } = trace;
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.id ?? Infinity) < id) low = middle + 1;
    else high = middle;
  }
  return entries[low]?.id === id ? low + 1 : undefined;
}

/** The entry of a step, from 1. */
export const entryAt = (trace: Trace, step: number): Entry | undefined => trace.entries[step - 1];

/** The last step at or before an instant; 0 when there is none. */
export function stepAt(trace: Trace, at: number): number {
  const { entries } = trace;
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.at ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
