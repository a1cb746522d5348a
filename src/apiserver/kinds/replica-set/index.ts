/** ReplicaSet: a number of pods of one template. Models: v1.24 apps/v1 ReplicaSet, pkg/registry/apps/replicaset. */
import { defineKind, hasNoGatedFields, templateWarnings } from '../../machinery/index.ts';
import { replicaSetColumns } from './columns.ts';
import { replicaSetExample } from './example.ts';
import { validateReplicaSet, validateReplicaSetStatusUpdate, validateReplicaSetUpdate } from './rules.ts';
import { type ReplicaSet, replicaSetSchema } from './shape.ts';
import { prepareReplicaSet, prepareReplicaSetUpdate } from './strategy.ts';
import { replicaSetTexts } from './texts.ts';
import { replicaSetWire } from './wire.ts';

export const replicaSet = defineKind<ReplicaSet>({
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  groupPrefix: 'apps',
  version: 'v1',
  namespaced: true,
  schema: replicaSetSchema,
  subresources: ['status', 'scale'],
  missingScale: true,
  generation: 'spec',
  prepareForCreate: prepareReplicaSet,
  prepareForUpdate: prepareReplicaSetUpdate,
  leavesUnchanged: ({ spec }) => hasNoGatedFields(spec.template),
  warnings: (object, old, context) =>
    templateWarnings(object.spec.template, object.metadata.generation !== old?.metadata.generation, 'spec.template', context),
  validate: validateReplicaSet,
  validateUpdate: validateReplicaSetUpdate,
  validateStatusUpdate: validateReplicaSetStatusUpdate,
  columns: replicaSetColumns,
  models: 'Complete. Upstream: pkg/registry/apps/replicaset/strategy.go, pkg/apis/apps/validation.',
  texts: replicaSetTexts,
  wire: replicaSetWire,
  example: replicaSetExample,
});
