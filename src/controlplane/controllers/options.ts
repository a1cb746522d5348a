/** Flags of the real controller manager that change what controllers do. */
export interface ControllerOptions {
  /** --terminated-pod-gc-threshold; default 12500, 0 switches it off. */
  readonly terminatedPodThreshold?: number;
  /** The time zone that the process is in: that of schedules which name none. Default: UTC. */
  readonly timeZone?: string;
}
