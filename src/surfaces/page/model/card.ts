/** The content of an object's card: slots, sets, time left, a line of code, a note, conditions. */
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

export interface Card {
  readonly held: Held;
  readonly slots?: readonly Slot[];
  readonly sets?: readonly CardSet[];
  /** The remaining time of a lease: 0 to 1. */
  readonly left?: number;
  /** A line in monospace: a schedule, a phase. */
  readonly code?: string;
  readonly note: string;
  readonly conditions: readonly { readonly type: string; readonly bad: boolean }[];
  readonly leaving: boolean;
}

export type CardContent = Pick<Card, 'slots' | 'sets' | 'left' | 'code' | 'note'>;
