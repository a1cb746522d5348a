/**
 * The contract of a fault: its fields in a scenario, as a table from which they are checked and documented, and its effect on a running
 * cluster.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { FaultCall, FaultSpec } from '../scenario/index.ts';

/** A registered fault: its syntax in a scenario, and its effect on a cluster. */
export interface Fault extends FaultSpec {
  /** The effect of overlapping faults of this sort: a sentence for the guide. */
  readonly overlap?: string;
  /**
   * Applies the fault now, with these causes; later parts (a restart, the end of a delay) are scheduled on the cluster. Returns a
   * description for the trace, or an error text when the fault cannot be applied.
   */
  apply(cluster: Cluster, call: FaultCall, causes: readonly number[]): { readonly detail: string } | { readonly error: string };
}
