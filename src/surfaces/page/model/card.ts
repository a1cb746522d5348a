/** The content of an object's card: slots, sets, time left, a line of code, lines, a chart, a note, conditions. */
import type { Phase } from './phase.ts';
import type { Held } from './world.ts';

export interface Slot {
  readonly is: 'open' | 'active' | 'done' | 'failed' | Phase;
  /** An ordinal or an index. */
  readonly label?: string;
  /** The revision of the pod's template. */
  readonly revision?: string;
  /** The object behind the slot. */
  readonly title?: string;
}

/** A ReplicaSet on the card of its Deployment. */
export interface CardSet {
  readonly held: Held;
  /** `revision 2`. */
  readonly label: string;
  /** The revision of the template, which selects the colour of the set and its pods. */
  readonly revision: string;
  readonly slots: readonly Slot[];
  readonly note: string;
}

/** A line of a card: the amount of a resource, a clock, what remains of a namespace. */
export interface CardLine {
  readonly label: string;
  readonly text: string;
  /** A used share: 0 to 1. */
  readonly part?: number;
  readonly bad?: boolean;
}

/** Load against pods over the time of the run, from 0 to 1 on both axes; a value holds until the next point. */
export interface Chart {
  readonly points: readonly { readonly x: number; readonly load: number; readonly pods: number }[];
  /** The present, and the bounds of the replicas. */
  readonly now: number;
  readonly bounds: readonly number[];
  /** The current values, in words. */
  readonly load: string;
  readonly pods: string;
}

export interface CardCondition {
  /** `Complete`, or `Progressing: False`. */
  readonly text: string;
  /** Its reason and message. */
  readonly because: string;
  readonly bad: boolean;
}

export interface Card {
  readonly held: Held;
  readonly slots?: readonly Slot[];
  readonly sets?: readonly CardSet[];
  /** The remaining time of a lease: 0 to 1. */
  readonly left?: number;
  /** A line in monospace: a schedule, a phase. */
  readonly code?: string;
  readonly lines?: readonly CardLine[];
  readonly chart?: Chart;
  readonly note: string;
  /** Those that are true, and those that are False and matter, which come first. */
  readonly conditions: readonly CardCondition[];
  readonly leaving: boolean;
}

export type CardContent = Pick<Card, 'slots' | 'sets' | 'left' | 'code' | 'lines' | 'chart' | 'note'>;
