/** DaemonSet: a pod on every node that fits. Models: v1.24 apps/v1 DaemonSet, pkg/registry/apps/daemonset. */
import { defineKind, templateWarnings } from '../../machinery/index.ts';
import { daemonSetColumns } from './columns.ts';
import { daemonSetExample } from './example.ts';
import { validateDaemonSet, validateDaemonSetStatusUpdate, validateDaemonSetUpdate } from './rules.ts';
import { type DaemonSet, daemonSetSchema } from './shape.ts';
import { prepareDaemonSet, prepareDaemonSetStatusUpdate, prepareDaemonSetUpdate, unreadableTemplateGeneration } from './strategy.ts';

export const daemonSet = defineKind<DaemonSet>({
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  groupPrefix: 'apps',
  version: 'v1',
  namespaced: true,
  schema: daemonSetSchema,
  subresources: ['status'],
  generation: 'spec',
  prepareForCreate: prepareDaemonSet,
  prepareForUpdate: prepareDaemonSetUpdate,
  prepareForStatusUpdate: prepareDaemonSetStatusUpdate,
  unreadable: unreadableTemplateGeneration,
  warnings: (object, old, context) =>
    templateWarnings(object.spec.template, object.metadata.generation !== old?.metadata.generation, 'spec.template', context),
  validate: validateDaemonSet,
  validateUpdate: validateDaemonSetUpdate,
  validateStatusUpdate: validateDaemonSetStatusUpdate,
  columns: daemonSetColumns,
  models: 'Complete. Upstream: pkg/registry/apps/daemonset/strategy.go, pkg/apis/apps/validation.',
  example: daemonSetExample,
});
