/** Invariants: one file each, one line each. */
import { cronJobInvariants } from './cron-job.ts';
import type { Invariant } from './invariant.ts';
import { jobInvariants } from './job.ts';

export type { Checker, Facts, Invariant, Temporal, Violation } from './invariant.ts';

/** All invariants, in the order in which documentation lists them. */
export const invariants: readonly Invariant[] = [...jobInvariants, ...cronJobInvariants];
