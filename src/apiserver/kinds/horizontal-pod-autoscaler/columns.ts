/**
 * Printer columns of HorizontalPodAutoscalers. Models: v1.24 pkg/printers/internalversion printHorizontalPodAutoscaler,
 * formatHPAMetrics.
 */
import { ageColumn, type ColumnOf, nameColumn, column } from '../../machinery/index.ts';
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from './shape.ts';

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

export const horizontalPodAutoscalerColumns: readonly ColumnOf<HorizontalPodAutoscaler>[] = [
  nameColumn,
  column(
    'Reference',
    'string',
    'Kind and name of the scaled object.',
    ({ spec }) => `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`,
  ),
  column('Targets', 'string', 'Current and target value of each metric.', targets),
  column('MinPods', 'string', 'Minimum number of pods.', ({ spec }) => String(spec.minReplicas)),
  column('MaxPods', 'string', 'Maximum number of pods.', ({ spec }) => spec.maxReplicas),
  column('Replicas', 'string', 'Pods at the last evaluation.', ({ status }) => status.currentReplicas ?? 0),
  ageColumn,
];
