/**
 * The contract of a fault: what a scenario may say of it (a table, from which it is checked and documented), and what it does to a running
 * cluster.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { FaultCall, FaultSpec } from '../scenario/index.ts';

/** A fault as it is registered: how a scenario writes it, and how it is done to a cluster. */
export interface Fault extends FaultSpec {
  /** What several that overlap do together: a sentence for the guide. */
  readonly overlap?: string;
  /**
   * Makes it happen now, because of `causes`; later parts (a restart, the end of a lag) are planned on the cluster. Answers what it did,
   * for the trace; an error text when it cannot.
   */
  apply(cluster: Cluster, call: FaultCall, causes: readonly number[]): { readonly detail: string } | { readonly error: string };
}
