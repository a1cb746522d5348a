/** What the controller knows of one volume on one node: its part of upstream's actual state of the world, with the operation under way. */

export interface OnNode {
  readonly state: 'attaching' | 'attached' | 'detaching';
  /** When the operation under way is looked at again. */
  readonly pollAt: number;
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
/** An attach or detach waits this long between looks at its VolumeAttachment. */
export const POLL_MS = 525;
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
