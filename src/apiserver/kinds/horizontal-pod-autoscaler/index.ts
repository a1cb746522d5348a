/**
 * HorizontalPodAutoscaler: sets the number of replicas from the usage of pods. Models: v1.24 autoscaling/v2,
 * pkg/registry/autoscaling/horizontalpodautoscaler.
 */
import { assign, castDraft, defineKind, type Draft, keepSpec, keepStatus, type KindOf } from '../../machinery/index.ts';
import type { KindContext } from '../../objects/index.ts';
import { autoscalerErrors, newAutoscalerErrors } from './rules.ts';
import {
  type HorizontalPodAutoscaler,
  horizontalPodAutoscalerSchema,
  type MetricSpec,
  type MetricStatus,
  type MetricTarget,
  type MetricValueStatus,
} from './shape.ts';

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

/** A refused object keeps the order as sent, because the errors name its paths. */
function prepareAutoscaler(draft: Draft<HorizontalPodAutoscaler>, context: KindContext): void {
  draft.status = { desiredReplicas: 0, currentMetrics: null };
  if (horizontalPodAutoscaler.validate(draft, context).length === 0) keepMetrics(draft);
}

function prepareAutoscalerUpdate(draft: Draft<HorizontalPodAutoscaler>, old: HorizontalPodAutoscaler, context: KindContext): void {
  keepStatus(draft, old);
  if (horizontalPodAutoscaler.validateUpdate(draft, old, context).length === 0) keepMetrics(draft);
}

/** The current CPU utilization comes last, too. */
function prepareAutoscalerStatus(draft: Draft<HorizontalPodAutoscaler>, old: HorizontalPodAutoscaler): void {
  keepSpec(draft, old);
  const all = (draft.status.currentMetrics ?? []) as readonly MetricStatus[];
  const isShare = ({ type, resource }: MetricStatus): boolean =>
    type === 'Resource' && resource?.name === 'cpu' && resource.current.averageUtilization !== undefined;
  const share = all.find(isShare);
  if (share !== undefined && all.at(-1) !== share)
    assign(draft.status, 'currentMetrics', castDraft([...all.filter((each) => !isShare(each)), share]));
}

const UNKNOWN = '<unknown>';
const SHOWN = 2;

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return amountText(spec.external?.target, status?.external?.current);
    case 'Object':
      return amountText(spec.object?.target, status?.object?.current);
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? UNKNOWN}/${spec.pods?.target.averageValue ?? UNKNOWN}`;
    case 'Resource':
      return usageText(spec.resource?.target, status?.resource?.current);
    case 'ContainerResource':
      return usageText(spec.containerResource?.target, status?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

const amountText = (target: MetricTarget | undefined, current: MetricValueStatus | undefined): string =>
  target?.averageValue === undefined
    ? `${current?.value ?? UNKNOWN}/${target?.value ?? UNKNOWN}`
    : `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;

function usageText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${target.averageValue}`;
  const share = (value: number | undefined, otherwise: string): string => (value === undefined ? otherwise : `${value}%`);
  return `${share(current?.averageUtilization, UNKNOWN)}/${share(target?.averageUtilization, '<auto>')}`;
}

function targets({ spec, status }: HorizontalPodAutoscaler): string {
  const all = spec.metrics.map((metric, at) => metricText(metric, status.currentMetrics?.[at]));
  if (all.length === 0) return '<none>';
  return all.slice(0, SHOWN).join(', ') + (all.length > SHOWN ? ` + ${all.length - SHOWN} more...` : '');
}

export const horizontalPodAutoscaler: KindOf<HorizontalPodAutoscaler> = defineKind<HorizontalPodAutoscaler>({
  shortNames: ['hpa'],
  categories: ['all'],
  groupPrefix: 'autoscaling',
  version: 'v2',
  schema: horizontalPodAutoscalerSchema,
  subresources: ['status'],
  prepareForCreate: prepareAutoscaler,
  prepareForUpdate: prepareAutoscalerUpdate,
  prepareForStatusUpdate: prepareAutoscalerStatus,
  create: ['metadata', newAutoscalerErrors],
  update: ['changed metadata', autoscalerErrors],
  updateStatus: ['changed metadata', 'status.currentReplicas', 'status.desiredReplicas'],
  columns: [
    'Name',
    ['Reference', 'string', 'Kind and name of the scaled object.', ({ spec }) => `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`],
    ['Targets', 'string', 'Current and target value of each metric.', targets],
    ['MinPods', 'string', 'Minimum number of pods.', ({ spec }) => String(spec.minReplicas)],
    ['MaxPods', 'string', 'Maximum number of pods.', ({ spec }) => spec.maxReplicas],
    ['Replicas', 'string', 'Pods at the last evaluation.', ({ status }) => status.currentReplicas ?? 0],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go, pkg/apis/autoscaling/validation.',
});
