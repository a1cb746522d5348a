/** StatefulSet: pods with stable names and storage. Models: v1.24 apps/v1 StatefulSet, pkg/registry/apps/statefulset. */
import { defineKind, templateWarnings } from '../../machinery/index.ts';
import { statefulSetSpecification } from './specification.ts';
import { statefulSetColumns } from './columns.ts';
import { validateStatefulSet, validateStatefulSetStatusUpdate, validateStatefulSetUpdate } from './rules.ts';
import { type StatefulSet, statefulSetSchema } from './shape.ts';
import { statefulSetExample } from './example.ts';
import { defaultStatefulSet, prepareStatefulSet, prepareStatefulSetUpdate } from './strategy.ts';

export const statefulSet = defineKind<StatefulSet>({
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  groupPrefix: 'apps',
  version: 'v1',
  namespaced: true,
  schema: statefulSetSchema,
  subresources: ['status', 'scale'],
  generation: 'spec',
  applyDefaults: { reads: ['spec'], run: defaultStatefulSet },
  prepareForCreate: prepareStatefulSet,
  prepareForUpdate: prepareStatefulSetUpdate,
  warnings: (object, old, context) =>
    templateWarnings(object.spec.template, object.metadata.generation !== old?.metadata.generation, 'spec.template', context),
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  validateStatusUpdate: validateStatefulSetStatusUpdate,
  columns: statefulSetColumns,
  models: 'Complete. Upstream: pkg/registry/apps/statefulset/strategy.go, pkg/apis/apps/validation.',
  specification: statefulSetSpecification,
  example: statefulSetExample,
});
