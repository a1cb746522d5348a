/** Flags of the real controller manager that change what controllers do. */
export interface ControllerOptions {
  /** --terminated-pod-gc-threshold; default 12500, 0 switches it off. */
  readonly terminatedPodThreshold?: number;
}
