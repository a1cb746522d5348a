/**
 * Printer columns of HorizontalPodAutoscalers. Models: v1.24 pkg/printers/internalversion printHorizontalPodAutoscaler,
 * formatHPAMetrics.
 */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
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
  {
    name: 'Reference',
    type: 'string',
    description: 'Kind and name of the scaled object.',
    priority: 0,
    cell: ({ spec }) => `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`,
  },
  { name: 'Targets', type: 'string', description: 'Current and target value of each metric.', priority: 0, cell: targets },
  {
    name: 'MinPods',
    type: 'string',
    description: 'Minimum number of pods.',
    priority: 0,
    cell: ({ spec }) => String(spec.minReplicas),
  },
  { name: 'MaxPods', type: 'string', description: 'Maximum number of pods.', priority: 0, cell: ({ spec }) => spec.maxReplicas },
  {
    name: 'Replicas',
    type: 'string',
    description: 'Pods at the last evaluation.',
    priority: 0,
    cell: ({ status }) => status.currentReplicas ?? 0,
  },
  ageColumn,
];
