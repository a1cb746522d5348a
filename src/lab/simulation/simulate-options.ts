/** The options of a run. */
import type { AskWebhook } from '../../apiserver/admission/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Cluster, ClusterOptions } from '../../controlplane/cluster.ts';
import type { Chooser } from '../choices/index.ts';
import type { Definitions } from '../definitions/index.ts';
import type { Invariant } from '../invariants/index.ts';
import type { Entry } from '../trace/index.ts';
import type { RunFailure } from './run.ts';

/** Options of a run: the seed, whether the trace is kept, a user's definitions. */
export interface SimulateOptions extends Pick<
  ClusterOptions,
  'certificateAuthority' | 'onRequest' | 'onRenewalInterval' | 'choose' | 'controllers' | 'alter' | 'broadcast' | 'eagerLeases' | 'digest'
> {
  /** Asks webhooks that the scenario does not answer itself; absent: only those are asked. */
  readonly webhooks?: AskWebhook | undefined;
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
  /** Called for each object change at or after the start. */
  readonly onObjectChange?: (change: Change) => void;
  /** Called with the cluster when it exists, for introspection during the run. */
  readonly onCluster?: (cluster: Cluster) => void;
  /** A user's controllers, invariants, faults and kinds, in addition to the built-in ones. */
  readonly with?: Definitions;
  /** Replaces the built-in invariants. */
  readonly invariants?: readonly Invariant[];
  /** Called at each choice point, in place of the scenario's own choices. */
  readonly chooser?: Chooser;
  /** Named invariants need not have been exercised. They need not in a run with a `chooser` either. */
  readonly mayBeIdle?: boolean;
  /** Called once, between two events, when the run has made 100,000 entries. */
  readonly onLongRun?: () => void;
  /** false: the suggestions of a lesson are not run. */
  readonly tries?: boolean;
}
