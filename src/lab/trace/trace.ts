/**
 * The record of a run, in order: every write, delivery, decision, timer, fault, operation and check with its causes. Steps count from 1 at
 * the start of virtual time; entries before it are the prologue.
 */
import type { Observation, RenewalInterval } from '../../controlplane/runtime/index.ts';
import { bisect } from '../../schema/values/index.ts';
import type { Position } from '../../schema/yaml/index.ts';

/** An object by its name; without a namespace, a cluster-scoped one. */
export interface ObjectName {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/**
 * The result of a check by an invariant or a step. It has the identity of the entry before it, as notes have: no entry has it as a cause.
 */
export interface CheckEntry extends Pick<Observation, 'id' | 'at' | 'causes'> {
  readonly type: 'check';
  readonly name: string;
  readonly held: boolean;
  readonly detail: string;
}

/** A text of the scenario, at its moment. */
export interface NoteEntry extends Pick<Observation, 'id' | 'at' | 'causes'> {
  readonly type: 'note';
  readonly text: string;
  readonly about?: ObjectName;
}

/** A stop of a walk through the run: the start of a scenario step that asks for it, or the end of a step. */
export interface NarrationStep {
  /** The narration; absent: `does` is shown in its place. */
  readonly text?: string;
  /** The action of the scenario step, in a few words: `apply Job/pi`, `wait for Job/pi`. */
  readonly does: string;
  /** The last entry at that moment. */
  readonly traceStep: number;
  /** Virtual milliseconds since the start. */
  readonly sinceStartMs: number;
  readonly about?: ObjectName;
  /** The number of scenario steps taken by then. */
  readonly taken: number;
  readonly source?: Position;
  /** The question that the run answers at this moment. */
  readonly ask?: Asked;
  /** The object to show now. */
  readonly look?: { readonly at: ObjectName; readonly as?: string };
  /** Suggestions of what to try now, as sentences. */
  readonly tries?: readonly string[];
}

/** A question that was asked before time passed for a step, with the answer of the run. */
export interface Asked {
  readonly question: string;
  readonly choices: readonly { readonly say: string; readonly because: string }[];
  /** The index of the right choice, from 0. */
  readonly right: number;
  /** The last entry at the time of the question. */
  readonly traceStep: number;
  /** Virtual milliseconds since the start. */
  readonly sinceStartMs: number;
}

/**
 * One entry of a trace: a write, a decision, a delivery, a fault, a check, a note. `at` is in milliseconds since the epoch; `causes` are
 * the identities of the entries that led to it.
 */
export type Entry = Observation | CheckEntry | NoteEntry;

/** The entries of a run, in order. `startAt` is in milliseconds since the epoch; the entry of step n is at index n - 1. */
export interface Trace {
  readonly startAt: number;
  /** The entries before the start. */
  readonly prologue: readonly Entry[];
  /** The entry of step n is at index n - 1. */
  readonly entries: readonly Entry[];
  /** Lease renewals that have no entries of their own, in the order in which they began; absent: there are none. */
  readonly renewalIntervals?: readonly RenewalInterval[];
  /** Where a walk stops; absent: the run recorded none. */
  readonly narrationSteps?: readonly NarrationStep[];
}

/**
 * Creates a recorder for a run that starts at `startAt`, in milliseconds since the epoch. `onRenewalInterval` is called for each renewal
 * interval that is added or replaced.
 */
export function recordTrace(startAt: number, onRenewalInterval?: (renewalInterval: RenewalInterval) => void) {
  const prologue: Entry[] = [];
  const entries: Entry[] = [];
  const renewalIntervals: RenewalInterval[] = [];
  const places = new Map<number, number>();
  const trace: Trace = { startAt, prologue, entries, renewalIntervals };
  return {
    trace,
    add: (entry: Entry): void => void (entry.at < startAt ? prologue : entries).push(entry),
    /** Adds a renewal interval, or replaces the one of the same order when it has ended. */
    addRenewalInterval(renewalInterval: RenewalInterval): void {
      const place = places.get(renewalInterval.order) ?? renewalIntervals.length;
      places.set(renewalInterval.order, place);
      renewalIntervals[place] = renewalInterval;
      onRenewalInterval?.(renewalInterval);
    },
  };
}

/**
 * Returns the step of an entry by its identity; undefined: the entry is in the prologue, or does not exist. Identities never decrease, so
 * the search is binary.
 */
export function stepOf(trace: Trace, id: number): number | undefined {
  const { entries } = trace;
  const place = bisect(entries, (entry) => entry.id < id);
  return entries[place]?.id === id ? place + 1 : undefined;
}

/** Returns the entry of a step, counted from 1. */
export const entryAt = (trace: Trace, step: number): Entry | undefined => trace.entries[step - 1];

/** Returns the last step at or before an instant; 0: there is none. */
export const stepAt = ({ entries }: Trace, at: number): number => bisect(entries, (entry) => entry.at <= at);
