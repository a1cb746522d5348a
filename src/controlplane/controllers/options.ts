/** What the controllers of a controller manager are made with. */
import type { Usage } from '../usage/index.ts';

/** Flags of the real controller manager that change what controllers do, and what the world around tells them. All are optional. */
export interface ControllerOptions {
  /** --terminated-pod-gc-threshold; default 12500, 0 switches it off. */
  readonly terminatedPodThreshold?: number;
  /** What pods use, as a metrics server tells it; absent: what they say in their annotations is all there is. */
  readonly usage?: Usage;
  /** The time zone that the process is in: that of schedules which name none. Default: UTC. */
  readonly timeZone?: string;
}
