/** The contract of a fault: what it does at a point, what of it a search draws, what would be less of it, and how it is said. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { DecideVerdict, RequestVerdict } from '../../controlplane/runtime/index.ts';
import type { InjectedFault } from '../scenario/index.ts';
import type { Point, Sort } from './address.ts';

export interface FaultKind<D extends InjectedFault = InjectedFault> {
  readonly name: D['do'];
  /** Where it means something. */
  readonly sorts: readonly Sort[];
  /** What it stands for, one sentence. */
  readonly description: string;
  /** What a search draws from. */
  drawn(sort: Sort): readonly D[];
  /** Less of it, the least first: what a shrinking search tries in its place. */
  weaker(injectedFault: D): readonly D[];
  /** What happened at a point, as the end of a sentence about it. */
  says(injectedFault: D): string;
  /** How much later what is seen comes, milliseconds. */
  see?(injectedFault: D): number;
  decide?(cluster: Cluster, injectedFault: D, point: Point): DecideVerdict | undefined;
  write?(cluster: Cluster, injectedFault: D, point: Point): RequestVerdict | undefined;
  /** It never mends by itself: a search does it only when it is asked for. */
  readonly lasts?: true;
}

/** Lengths of time that differ in kind: within an instant, a request, a glance, a lease, a node's silence. */
export const SPANS: readonly number[] = [1, 10, 100, 1_000, 3_000, 10_000, 30_000];

/** Shorter spans, the shortest first. */
export const shorter = (ms: number): readonly number[] => SPANS.filter((each) => each < ms);
