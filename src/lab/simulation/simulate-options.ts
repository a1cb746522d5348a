/** The options of a run. */
import type { AskWebhook } from '../../apiserver/admission/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Cluster, ClusterOptions } from '../../controlplane/cluster.ts';
import type { CertificateAuthority } from '../../controlplane/controllers/index.ts';
import type { ClusterEvent } from '../../controlplane/runtime/index.ts';
import type { Pending } from '../../engine/index.ts';
import type { Chooser } from '../choices/index.ts';
import type { Definitions } from '../definitions/index.ts';
import type { Invariant } from '../invariants/index.ts';
import type { Entry } from '../trace/index.ts';
import type { RunFailure } from './run.ts';

/** Options of a run: the seed, whether the trace is kept, a user's definitions. */
export interface SimulateOptions {
  /** Asks webhooks that the scenario does not answer itself; absent: only those are asked. */
  readonly webhooks?: AskWebhook | undefined;
  /** Signs certificates; absent: a stand-in, whose certificates nothing trusts. */
  readonly certificateAuthority?: CertificateAuthority | undefined;
  /** Overrides the scenario's seed. */
  readonly seed?: number;
  /** Keeps every entry, for walks, `why` and pages. Memory grows with the length of the run. */
  readonly trace?: boolean;
  /** Called for each entry at or after the start. */
  readonly onEntry?: (entry: Entry) => void;
  /** Called for each failure, right after the entry that it is about; `isByWrite`: the last write violated an invariant. */
  readonly onFailure?: (failure: RunFailure, isByWrite: boolean) => void;
  /** Called for each entry before the start. */
  readonly onPrologue?: (entry: Entry) => void;
  /** Called for each request to the server, with its response. */
  readonly onRequest?: NonNullable<ClusterOptions['onRequest']>;
  /** Called when the elided renewals of a lease begin or end. */
  readonly onRenewalInterval?: NonNullable<ClusterOptions['onRenewalInterval']>;
  /** Called for each object change at or after the start. */
  readonly onObjectChange?: (change: Change) => void;
  /** Called with the cluster when it exists, for introspection during the run. */
  readonly onCluster?: (cluster: Cluster) => void;
  readonly choose?: (candidates: readonly Pending<ClusterEvent>[]) => number;
  /** A user's controllers, invariants, faults and kinds, in addition to the built-in ones. */
  readonly with?: Definitions;
  /** Replaces the built-in invariants. */
  readonly invariants?: readonly Invariant[];
  /** Replaces the built-in controllers, for planting bugs. */
  readonly controllers?: NonNullable<ClusterOptions['controllers']>;
  /** Changes a process before it starts: for planting bugs outside the controller manager. */
  readonly alter?: NonNullable<ClusterOptions['alter']>;
  /** Sends every change to every controller that watches its kind, regardless of its predicates. */
  readonly broadcast?: boolean;
  /** Called at each choice point, in place of the scenario's own choices. */
  readonly chooser?: Chooser;
  /** Makes a write for every lease renewal, also of leases without watchers. */
  readonly eagerLeases?: boolean;
  /** Named invariants need not have been exercised. They need not in a run with a `chooser` either. */
  readonly mayBeIdle?: boolean;
  /** false: the run has no digest, and is faster. */
  readonly digest?: boolean;
  /** false: the suggestions of a lesson are not run. */
  readonly tries?: boolean;
}
