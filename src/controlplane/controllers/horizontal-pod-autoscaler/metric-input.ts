/** The input and the result of evaluating one metric. Models: v1.24 apimachinery pkg/api/resource NewMilliQuantity. */
import type { KindRegistry, MetricStatus, Pod } from '../../../apiserver/kinds/index.ts';
import type { Names, LabelSelector } from '../../../apiserver/machinery/index.ts';
import type { Meter, Series } from '../../usage/index.ts';
import { formatQuantity, makeQuantity, compareText } from '../../../schema/values/index.ts';

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

/** `90000` is `90`, `90` is `90m`. */
export const milliText = (thousandths: number): string => formatQuantity(makeQuantity(BigInt(thousandths), -3, 'DecimalSI', false));

/** A label selector in Go's text format. Models: v1.24 apimachinery pkg/apis/meta/v1 generated.pb.go String. */
export function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
