/** A scenario as it is being played: what its steps and what watches them share. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Fault } from '../faults/index.ts';
import type { Position, Scenario } from '../scenario/index.ts';
import type { Trace } from '../trace/index.ts';
import type { Record } from './run-record.ts';
import type { Driver } from './drive.ts';

/** Where a scenario stands: all that says what its driver will do next, as plain data. */
export interface SupportStatus {
  /** Of its items (a step, and what is expected beside it), as many have been taken. */
  items: number;
  /** What it waits for: that the next item is due; that it has been taken, or what stands beside it; the end. */
  stage: 'due' | 'taking' | 'beside' | 'end';
  /** Since when, milliseconds since the epoch: what waits for so long counts from there. */
  since: number;
}

export interface Play {
  readonly cluster: Cluster;
  readonly scenario: Scenario;
  readonly driver: Driver;
  /** Where it stands now. */
  readonly position: SupportStatus;
  readonly record: Record;
  /** The trace so far; absent where nobody asked for it. */
  readonly trace?: Trace;
  readonly faults: readonly Fault[];
  /** Follows a stack to a place in the files of whoever brought definitions along. */
  readonly locate?: (stack: string) => Position | undefined;
}
