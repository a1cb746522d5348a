/**
 * When nobody has heard of a node for too long: what the node controller waits for, and what renewals of its lease must not leave a gap
 * for.
 */

/** Without a sign of life for so long a node's state is unknown, milliseconds. Models: v1.24 --node-monitor-grace-period. */
export const SILENT_AFTER_MS = 40_000;
