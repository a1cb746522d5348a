/** Limits of a run and the error that names who ran into one. */

export interface Limits {
  /** Events handled in all. */
  readonly steps: number;
  /** Virtual milliseconds from the start. */
  readonly timeMs: number;
  /** How often one thing (a key of a controller, say) may act at one instant. */
  readonly sameInstant: number;
}

/** What may trip: one of these, or something that whoever drives the kernel bounds. */
export type LimitName = keyof Limits | 'objects';

export const DEFAULT_LIMITS: Limits = { steps: 200_000_000, timeMs: 10 * 366 * 86_400_000, sameInstant: 10_000 };

/** A run that does not settle. `culprit` is who looped, as a sentence. */
export class LimitTripped extends Error {
  readonly limit: LimitName;
  readonly culprit: string;
  /** The name of the controller that looped, where one did. */
  readonly controller: string | undefined;
  constructor(limit: LimitName, culprit: string, controller?: string) {
    super(culprit);
    this.name = 'LimitTripped';
    this.limit = limit;
    this.culprit = culprit;
    this.controller = controller;
  }
}
