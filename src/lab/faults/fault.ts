/**
 * The contracts of faults. A scenario names a fault, with its fields in a table from which they are checked and documented; a search injects
 * one at a point of a run, with values that it draws and makes weaker.
 */
import type { Envelope } from '../../apiserver/request/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { DecideVerdict, RequestVerdict } from '../../controlplane/runtime/index.ts';
import type { FaultCall, FaultSpec, InjectedFault, SORTS } from '../scenario/index.ts';

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

/** The sorts of choice points: watch events, decisions, writes, starts of containers, and actors. */
export type Sort = (typeof SORTS)[number];

/** What a fault may know about its point. */
export interface Injected {
  readonly process: string;
  /** Returns the revision just before or after something has happened to an object; undefined: it has not happened. */
  revision(asOf: string): number | undefined;
}

/** A fault that a search injects, with its values and their description. */
export interface FaultKind<D extends InjectedFault = InjectedFault> {
  readonly name: D['do'];
  readonly sorts: readonly Sort[];
  /** What it simulates, one sentence. */
  readonly description: string;
  /** Values to draw from; `transitions` are names of what happens to objects in the run. */
  drawn(sort: Sort, transitions?: readonly string[]): readonly D[];
  weaker(injectedFault: D): readonly D[];
  /** What happened at a point, as the predicate of a sentence. */
  says(injectedFault: D): string;
  /** Returns the extra delay of the watch event of this kind, milliseconds. */
  see?(cluster: Cluster, injectedFault: D, at: Injected & { readonly kind: string }): number;
  decide?(cluster: Cluster, injectedFault: D, at: Injected): DecideVerdict | undefined;
  write?(cluster: Cluster, injectedFault: D, at: Injected & { readonly envelope: Envelope }): RequestVerdict | undefined;
  /** Why a search uses it only on request. */
  readonly onRequest?: string;
}

export type Of<N extends InjectedFault['do']> = Extract<InjectedFault, { do: N }>;
export type Injection<N extends InjectedFault['do']> = FaultKind<Of<N>>;

/** Durations of different kinds: an instant, a request, a watch delay, a lease, the timeout of a node. */
export const SPANS: readonly number[] = [1, 10, 100, 1_000, 3_000, 10_000, 30_000];

/** Shorter spans, the shortest first. */
export const shorter = (ms: number): readonly number[] => SPANS.filter((each) => each < ms);
