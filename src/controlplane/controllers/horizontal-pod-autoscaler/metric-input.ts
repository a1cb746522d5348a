/** The input and the result of evaluating one metric. */
import type { KindRegistry, MetricStatus, Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Meter, Series } from '../../usage/index.ts';

/** The input of an evaluation. */
export interface MetricInput {
  readonly namespace: string;
  /** The pods of the target. */
  readonly pods: readonly Pod[];
  /** All pods. */
  readonly everyPod: () => readonly Pod[];
  /** The metrics server, if there is one. */
  readonly meter: Meter | undefined;
  /** The adapter of other metrics, if there is one. */
  readonly series: Series | undefined;
  readonly names: Names;
  readonly kinds: KindRegistry;
  readonly now: number;
  /** The replicas in the target's spec. */
  readonly current: number;
  /** The replicas in the target's status. */
  readonly found: number;
}

export interface Evaluated {
  readonly replicas: number;
  /** The name of the metric in events. */
  readonly name: string;
  readonly status: MetricStatus;
}
export interface Refused {
  readonly reason: string;
  /** The text in the condition and in an event. */
  readonly error: string;
  /** The text in the event about all metrics, where it is longer. */
  readonly within?: string;
}
