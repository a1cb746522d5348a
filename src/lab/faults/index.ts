/** Faults: one file each, one line each. A fault is a rule on messages or a deed to a process. */
import type { Fault } from './fault.ts';

export type { Fault } from './fault.ts';

/** All faults, in the order in which documentation lists them. */
export const faults: readonly Fault[] = [];
