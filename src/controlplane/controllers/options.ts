/** What the controllers of a controller manager are made with. */
import type { Metered } from '../usage/index.ts';

/** Flags of the real controller manager that change what controllers do, and what metrics APIs tell them. All are optional. */
export interface ControllerOptions extends Metered {
  /** --terminated-pod-gc-threshold; default 12500, 0 switches it off. */
  readonly terminatedPodThreshold?: number;
  /** The time zone that the process is in: that of schedules which name none. Default: UTC. */
  readonly timeZone?: string;
}
