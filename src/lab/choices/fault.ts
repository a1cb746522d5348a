/** The contract of a fault of a search: what it does at a point, the values that a search draws, weaker values, and its description. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { DecideVerdict, RequestVerdict } from '../../controlplane/runtime/index.ts';
import type { InjectedFault } from '../scenario/index.ts';
import type { Point, Sort } from './address.ts';

/** A fault that a search injects, with its values and their description. */
export interface FaultKind<D extends InjectedFault = InjectedFault> {
  readonly name: D['do'];
  /** The sorts of points at which it applies. */
  readonly sorts: readonly Sort[];
  /** What it simulates, one sentence. */
  readonly description: string;
  /** The values that a search draws from. */
  drawn(sort: Sort): readonly D[];
  /** Weaker values, the weakest first: the reduction tries them in its place. */
  weaker(injectedFault: D): readonly D[];
  /** What happened at a point, as the predicate of a sentence. */
  says(injectedFault: D): string;
  /** The delay of a watch event, milliseconds. */
  see?(injectedFault: D): number;
  decide?(cluster: Cluster, injectedFault: D, point: Point): DecideVerdict | undefined;
  write?(cluster: Cluster, injectedFault: D, point: Point): RequestVerdict | undefined;
  /** It does not end by itself: a search uses it only on request. */
  readonly lasts?: true;
}

/** Durations of different kinds: an instant, a request, a watch delay, a lease, the timeout of a node. */
export const SPANS: readonly number[] = [1, 10, 100, 1_000, 3_000, 10_000, 30_000];

/** Shorter spans, the shortest first. */
export const shorter = (ms: number): readonly number[] => SPANS.filter((each) => each < ms);
