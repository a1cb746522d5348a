/**
 * HorizontalPodAutoscaler: sets the number of replicas from the usage of pods. Models: v1.24 autoscaling/v2,
 * pkg/registry/autoscaling/horizontalpodautoscaler.
 */
import { defineKind } from '../../machinery/index.ts';
import { horizontalPodAutoscalerColumns } from './columns.ts';
import { horizontalPodAutoscalerExample } from './example.ts';
import { validateAutoscaler, validateAutoscalerStatus, validateAutoscalerUpdate } from './rules.ts';
import { type HorizontalPodAutoscaler, horizontalPodAutoscalerSchema } from './shape.ts';
import { prepareAutoscaler, prepareAutoscalerStatus, prepareAutoscalerUpdate } from './strategy.ts';

export const horizontalPodAutoscaler = defineKind<HorizontalPodAutoscaler>({
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  groupPrefix: 'autoscaling',
  version: 'v2',
  namespaced: true,
  schema: horizontalPodAutoscalerSchema,
  subresources: ['status'],
  prepareForCreate: prepareAutoscaler,
  prepareForUpdate: prepareAutoscalerUpdate,
  prepareForStatusUpdate: prepareAutoscalerStatus,
  validate: validateAutoscaler,
  validateUpdate: validateAutoscalerUpdate,
  validateStatusUpdate: validateAutoscalerStatus,
  columns: horizontalPodAutoscalerColumns,
  models: 'Complete. Upstream: pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go, pkg/apis/autoscaling/validation.',
  example: horizontalPodAutoscalerExample,
});
