/** What the controller knows of one volume on one node: its part of upstream's actual state of the world, with the operation under way. */

export interface OnNode {
  /** `uncertain`: an attach failed or was left by an earlier incarnation; it may be attached or not. */
  readonly state: 'attaching' | 'attached' | 'detaching' | 'uncertain';
  /** When the operation under way began, when it is looked at again, and how long the wait until then is. */
  readonly begunAt: number;
  readonly pollAt: number;
  readonly pollMs: number;
  /** Not tried again before. */
  readonly notBefore: number;
  /** Failures in a row. */
  readonly failed: number;
  /** Since when nobody wants it there any more. */
  readonly unwantedSince: number | undefined;
  /** The node said that it uses the volume, when it was last heard. */
  readonly inUse: boolean;
}

/** Everything about one volume, by node. Driver and handle outlive the PersistentVolume object. */
export interface VolumeRecord {
  readonly driver: string;
  readonly handle: string;
  readonly exclusive: boolean;
  readonly nodes: Readonly<Record<string, OnNode>>;
  /** Nodes for which a multi-attach refusal was reported. */
  readonly refused: readonly string[];
}

/** The reconciler's loop. */
export const TICK_MS = 100;
/**
 * An attach or detach waits this long until its first look at its VolumeAttachment, and a little longer before each further one. Upstream
 * draws up to a tenth more; this is the mean.
 */
const POLL_MS = 525;
const POLL_GROWTH = 1.05;
/** Then it gives up. */
export const OPERATION_MS = 120_000;
/** What is taken for attached is checked this often: the first tick more than a minute after the last time. */
const CHECK_MS = 60_100;
/** A volume still in use is torn off after this long. */
export const FORCE_MS = 360_000;
const BACKOFF_MS = 500;
const MOST_BACKOFF_MS = 122_000;

export const tickAtOrAfter = (startedAt: number, at: number): number => startedAt + Math.ceil((at - startedAt) / TICK_MS) * TICK_MS;

/** Wait after so many failures: 0.5 s, doubling to 2 min 2 s. Models: goroutinemap/exponentialbackoff. */
export function waitAfter(failed: number): number {
  let wait = BACKOFF_MS;
  for (let i = 1; i < failed && wait < MOST_BACKOFF_MS; i++) wait *= 2;
  return Math.min(wait, MOST_BACKOFF_MS);
}

/** An operation that begins now. */
export const begun = (now: number): Pick<OnNode, 'begunAt' | 'pollAt' | 'pollMs'> => ({
  begunAt: now,
  pollAt: now + POLL_MS,
  pollMs: POLL_MS,
});
/** The same after a look that found nothing new. */
export function lookedAt({ pollMs: before }: OnNode, now: number): Pick<OnNode, 'pollAt' | 'pollMs'> {
  const pollMs = Math.round(before * POLL_GROWTH);
  return { pollAt: now + pollMs, pollMs };
}

/** When attached volumes are checked next, at an instant or after it. */
export const checkAtOrAfter = (startedAt: number, at: number): number =>
  startedAt + Math.max(1, Math.ceil((at - startedAt) / CHECK_MS)) * CHECK_MS;
