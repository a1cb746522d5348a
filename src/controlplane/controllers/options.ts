/** The options of a controller manager's controllers. */
import type { Metered } from '../usage/index.ts';
import type { CertificateAuthority } from './certificates/issue.ts';

/** Flags of the real controller manager that change the behaviour of controllers, and the data of the metrics APIs. All are optional. */
export interface ControllerOptions extends Metered {
  /** --terminated-pod-gc-threshold; default 12500, 0 disables it. */
  readonly terminatedPodThreshold?: number;
  /** The time zone of the process, for schedules without one. Default: UTC. */
  readonly timeZone?: string;
  /** Signs certificates; absent: a stand-in does. */
  readonly certificateAuthority?: CertificateAuthority;
}
