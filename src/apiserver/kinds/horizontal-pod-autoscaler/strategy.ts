/**
 * Changes of a HorizontalPodAutoscaler before it is stored. It is stored as autoscaling/v1 encodes it: the CPU target is a separate member
 * there and comes back last. Models: v1.24 pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go,
 * pkg/apis/autoscaling/v1/conversion.go.
 */
import { assign, castDraft, type Draft, keepSpec, keepStatus, type KindContext } from '../../machinery/index.ts';
import { validateAutoscaler, validateAutoscalerUpdate } from './rules.ts';
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from './shape.ts';

const isShareOfCpu = ({ resource }: MetricSpec): boolean => resource?.name === 'cpu' && resource.target.averageUtilization !== undefined;

/** The first CPU metric counts, if it is a utilization; further CPU utilizations are lost. */
function asKept(metrics: readonly MetricSpec[]): readonly MetricSpec[] {
  const first = metrics.find(({ type, resource }) => type === 'Resource' && resource?.name === 'cpu');
  const others = metrics.filter((metric) => !(metric.type === 'Resource' && isShareOfCpu(metric)));
  if (first === undefined || !isShareOfCpu(first)) return others;
  const { name, target } = first.resource as NonNullable<MetricSpec['resource']>;
  const { averageUtilization = 0 } = target;
  return [...others, { type: 'Resource', resource: { name, target: { type: 'Utilization', averageUtilization } } }];
}

function keepMetrics(draft: Draft<HorizontalPodAutoscaler>): void {
  draft.spec.metrics = castDraft(asKept(draft.spec.metrics as readonly MetricSpec[]));
}

/** Metrics of a single container have a gate of their own. */
function dropContainers(draft: Draft<HorizontalPodAutoscaler>, old: HorizontalPodAutoscaler | undefined, { gates }: KindContext): void {
  const had = (old?.spec.metrics ?? []).some(({ containerResource }) => containerResource !== undefined);
  if (gates['HPAContainerMetrics'] === true || had) return;
  for (const metric of draft.spec.metrics) delete metric.containerResource;
}

export function prepareAutoscaler(draft: Draft<HorizontalPodAutoscaler>, context: KindContext): void {
  draft.status = { desiredReplicas: 0, currentMetrics: null };
  dropContainers(draft, undefined, context);
  // A refused object keeps the order as sent, because the errors name its paths.
  if (validateAutoscaler(draft, context).length === 0) keepMetrics(draft);
}

export function prepareAutoscalerUpdate(draft: Draft<HorizontalPodAutoscaler>, old: HorizontalPodAutoscaler, context: KindContext): void {
  keepStatus(draft, old);
  dropContainers(draft, old, context);
  if (validateAutoscalerUpdate(draft, old, context).length === 0) keepMetrics(draft);
}

/** The current CPU utilization comes last, too. */
export function prepareAutoscalerStatus(draft: Draft<HorizontalPodAutoscaler>, old: HorizontalPodAutoscaler): void {
  keepSpec(draft, old);
  const all = (draft.status.currentMetrics ?? []) as readonly MetricStatus[];
  const isShare = ({ type, resource }: MetricStatus): boolean =>
    type === 'Resource' && resource?.name === 'cpu' && resource.current.averageUtilization !== undefined;
  const share = all.find(isShare);
  if (share !== undefined && all.at(-1) !== share)
    assign(draft.status, 'currentMetrics', castDraft([...all.filter((each) => !isShare(each)), share]));
}
