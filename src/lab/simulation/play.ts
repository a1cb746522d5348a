/** A scenario as it is being played: what its steps and what watches them share. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Fault } from '../faults/index.ts';
import type { Position, Scenario } from '../scenario/index.ts';
import type { Trace } from '../trace/index.ts';
import type { Book } from './book.ts';
import type { Driver } from './drive.ts';

export interface Play {
  readonly cluster: Cluster;
  readonly scenario: Scenario;
  readonly driver: Driver;
  readonly book: Book;
  /** The trace so far; absent where nobody asked for it. */
  readonly trace?: Trace;
  readonly faults: readonly Fault[];
  /** Follows a stack to a place in the files of whoever brought definitions along. */
  readonly locate?: (stack: string) => Position | undefined;
}
