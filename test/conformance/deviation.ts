/** An expected difference. */
export interface Deviation {
  readonly case: string;
  /** The recordings that have it; absent: all that have the case. */
  readonly folder?: 'v1.24' | 'v1.24-gates' | 'v1.24-workloads';
  readonly reason: string;
  /** Each difference must match one of these. */
  readonly differences: readonly RegExp[];
}
