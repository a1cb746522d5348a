/** A card of the ledger as data: slots, sets, time left, a line, a note, conditions. */
import type { Phase } from './phase.ts';
import type { Held } from './world.ts';

export interface Slot {
  readonly is: 'open' | 'active' | 'done' | 'failed' | Phase;
  /** An ordinal or an index. */
  readonly label?: string;
  /** Of the template that it was made from. */
  readonly revision?: string;
  /** What it stands for. */
  readonly title?: string;
}

/** A set of a Deployment, on its card. */
export interface CardSet {
  readonly held: Held;
  /** `revision 2`. */
  readonly label: string;
  /** Of the template: what colours it and its pods. */
  readonly revision: string;
  readonly slots: readonly Slot[];
  readonly note: string;
}

export interface Card {
  readonly held: Held;
  readonly slots?: readonly Slot[];
  readonly sets?: readonly CardSet[];
  /** Time left of a lease: 0 to 1. */
  readonly left?: number;
  /** A line in letters of one width: a schedule, a phase. */
  readonly code?: string;
  readonly note: string;
  readonly conditions: readonly { readonly type: string; readonly bad: boolean }[];
  readonly leaving: boolean;
}

export type Saying = Pick<Card, 'slots' | 'sets' | 'left' | 'code' | 'note'>;
