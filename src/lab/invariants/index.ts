/** Invariants: properties of whole runs, a file or folder for each kind of object, a line for each. */
import { cronJobInvariants } from './cron-job.ts';
import { generalInvariants } from './general.ts';
import type { Invariant } from './invariant.ts';
import { jobInvariants } from './job/index.ts';
import { leaseInvariants } from './lease.ts';
import { nodeInvariants } from './node.ts';
import { statefulSetInvariants } from './stateful-set/index.ts';
import { volumeAttachmentInvariants } from './volume-attachment.ts';

export type { Checker, Facts, Invariant, Temporal, Violation } from './invariant.ts';

/** All invariants, in the order in which documentation lists them. */
export const invariants: readonly Invariant[] = [
  ...jobInvariants,
  ...cronJobInvariants,
  ...statefulSetInvariants,
  ...leaseInvariants,
  ...nodeInvariants,
  ...volumeAttachmentInvariants,
  ...generalInvariants,
];
