/**
 * The time after which a node without renewals counts as unknown: used by the node controller, and as an upper bound for elided renewals of
 * its lease.
 */

/** The state of a node is unknown after so long without a renewal, milliseconds. Models: v1.24 --node-monitor-grace-period. */
export const SILENT_AFTER_MS = 40_000;
