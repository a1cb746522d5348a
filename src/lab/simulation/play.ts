/** The state of a running scenario that its steps and its observers share. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Fault } from '../faults/index.ts';
import type { Position, Scenario } from '../scenario/index.ts';
import type { Trace } from '../trace/index.ts';
import type { Record } from './run-record.ts';
import type { Driver } from './drive.ts';

/** The position in a scenario: the state that determines what its driver does next, as plain data. */
export interface ScenarioPosition {
  /** The number of items taken (an item is a step, or an expectation beside it). */
  items: number;
  /** due: the next item is waited for; taking: the item runs; beside: the expectation beside it runs; end: all are taken. */
  stage: 'due' | 'taking' | 'beside' | 'end';
  /** The start of that stage, milliseconds since the epoch; timeouts count from there. */
  since: number;
}

export interface Play {
  readonly cluster: Cluster;
  readonly scenario: Scenario;
  readonly driver: Driver;
  /** The current position. */
  readonly position: ScenarioPosition;
  readonly record: Record;
  /** The trace so far; absent: the run keeps none. */
  readonly trace?: Trace;
  readonly faults: readonly Fault[];
  /** Maps a stack to a position in the files of the definitions' author. */
  readonly locate?: (stack: string) => Position | undefined;
}
