/** Limits of a run, and the error that names the process that exceeded one. */

export interface Limits {
  /** The total number of events handled. */
  readonly steps: number;
  /** Virtual milliseconds from the start. */
  readonly timeMs: number;
  /** How often one source (such as a key of a controller) may act at one instant. */
  readonly sameInstant: number;
}

/** The name of an exceeded limit: one of these, or a bound of the kernel's caller. */
export type LimitName = keyof Limits | 'objects';

export const DEFAULT_LIMITS: Limits = { steps: 200_000_000, timeMs: 10 * 366 * 86_400_000, sameInstant: 10_000 };

/** A run that does not settle. `culprit` is a sentence that names the source of the loop. */
export class LimitTripped extends Error {
  readonly limit: LimitName;
  readonly culprit: string;
  /** The name of the controller that loops; undefined when the source is not a controller. */
  readonly controller: string | undefined;
  constructor(limit: LimitName, culprit: string, controller?: string) {
    super(culprit);
    this.name = 'LimitTripped';
    this.limit = limit;
    this.culprit = culprit;
    this.controller = controller;
  }
}
