/** What metrics are judged by, and what a judgement is. */
import type { KindRegistry, MetricStatus, Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Meter, Series } from '../../usage/index.ts';

/** What there is to go by. */
export interface Around {
  readonly namespace: string;
  /** Of the target. */
  readonly pods: readonly Pod[];
  /** All there are. */
  readonly everyPod: () => readonly Pod[];
  /** Who answers for what pods use, if anybody does. */
  readonly meter: Meter | undefined;
  /** Who answers for other metrics, if anybody does. */
  readonly series: Series | undefined;
  readonly names: Names;
  readonly kinds: KindRegistry;
  readonly now: number;
  /** Replicas that are wanted now. */
  readonly current: number;
  /** Replicas there are, as the status of the target says. */
  readonly found: number;
}

export interface Judged {
  readonly replicas: number;
  /** As events name it. */
  readonly name: string;
  readonly status: MetricStatus;
}
export interface Refused {
  readonly reason: string;
  /** As the condition and an event say it. */
  readonly error: string;
  /** As the event about all metrics says it, where that is more. */
  readonly within?: string;
}
