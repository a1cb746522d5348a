/** The controller's state of a volume on a node: its part of upstream's actual state of the world, with the operation in progress. */

export interface OnNode {
  /** `uncertain`: an attach failed, or an earlier incarnation started it; the volume may be attached or not. */
  readonly state: 'attaching' | 'attached' | 'detaching' | 'uncertain';
  /** When the operation in progress started, when it is polled next, and the delay until that poll. */
  readonly begunAt: number;
  readonly pollAt: number;
  readonly pollMs: number;
  /** No attempt is made before this instant. */
  readonly notBefore: number;
  /** Consecutive failures. */
  readonly failed: number;
  /** Since when no pod needs it there. */
  readonly unwantedSince: number | undefined;
  /** Whether the node reported that it uses the volume, by its last known status. */
  readonly inUse: boolean;
}

/** The state of a volume, by node. Driver and handle are kept when the PersistentVolume object is gone. */
export interface VolumeRecord {
  readonly driver: string;
  readonly handle: string;
  readonly exclusive: boolean;
  readonly nodes: Readonly<Record<string, OnNode>>;
  /** Nodes for which a multi-attach error was reported. */
  readonly refused: readonly string[];
}

/** The period of the reconciler's loop, milliseconds. */
export const TICK_MS = 100;
/**
 * The delay before an attach or detach first polls its VolumeAttachment; each further delay is a little longer. Upstream adds up to a tenth
 * at random; this is the mean. Milliseconds.
 */
const POLL_MS = 525;
const POLL_GROWTH = 1.05;
/** The time limit of an operation, milliseconds. */
export const OPERATION_MS = 120_000;
/** The period after which attached volumes are verified: at the first tick more than a minute after the last verification. */
const CHECK_MS = 60_100;
/** A volume that is still in use is force-detached after this time, milliseconds. */
export const FORCE_MS = 360_000;
const BACKOFF_MS = 500;
const MOST_BACKOFF_MS = 122_000;

/** The first tick of the reconciler's loop at or after an instant. */
export const tickAtOrAfter = (startedAt: number, at: number): number => startedAt + Math.ceil((at - startedAt) / TICK_MS) * TICK_MS;

/** The back-off after so many failures: 0.5 s, doubling to 2 min 2 s. Models: goroutinemap/exponentialbackoff. */
export function waitAfter(failed: number): number {
  let wait = BACKOFF_MS;
  for (let i = 1; i < failed && wait < MOST_BACKOFF_MS; i++) wait *= 2;
  return Math.min(wait, MOST_BACKOFF_MS);
}

/** An operation that starts now. */
export const startedNow = (now: number): Pick<OnNode, 'begunAt' | 'pollAt' | 'pollMs'> => ({
  begunAt: now,
  pollAt: now + POLL_MS,
  pollMs: POLL_MS,
});
/** The same after a poll without a result. */
export function polledAt({ pollMs: before }: OnNode, now: number): Pick<OnNode, 'pollAt' | 'pollMs'> {
  const pollMs = Math.round(before * POLL_GROWTH);
  return { pollAt: now + pollMs, pollMs };
}

/** The next verification of attached volumes, at an instant or after it. */
export const checkAtOrAfter = (startedAt: number, at: number): number =>
  startedAt + Math.max(1, Math.ceil((at - startedAt) / CHECK_MS)) * CHECK_MS;
