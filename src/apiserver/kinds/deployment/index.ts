/** Deployment: pods that are replaced step by step. Models: v1.24 apps/v1 Deployment, pkg/registry/apps/deployment. */
import { defineKind, hasNoGatedFields, templateWarnings } from '../../machinery/index.ts';
import { deploymentColumns } from './columns.ts';
import { deploymentExample } from './example.ts';
import { validateDeployment, validateDeploymentStatusUpdate, validateDeploymentUpdate } from './rules.ts';
import { type Deployment, deploymentSchema } from './shape.ts';
import { prepareDeployment, prepareDeploymentStatusUpdate, prepareDeploymentUpdate, unreadableRollback } from './strategy.ts';
import { deploymentTexts, deploymentValues } from './texts.ts';
import { deploymentWire } from './wire.ts';

export const deployment = defineKind<Deployment>({
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  groupPrefix: 'apps',
  version: 'v1',
  namespaced: true,
  schema: deploymentSchema,
  subresources: ['status', 'scale'],
  missingScale: true,
  generation: 'specAndAnnotations',
  prepareForCreate: prepareDeployment,
  prepareForUpdate: prepareDeploymentUpdate,
  leavesUnchanged: ({ spec }) => hasNoGatedFields(spec.template),
  prepareForStatusUpdate: prepareDeploymentStatusUpdate,
  unreadable: unreadableRollback,
  warnings: (object, old, context) =>
    templateWarnings(object.spec.template, object.metadata.generation !== old?.metadata.generation, 'spec.template', context),
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  validateStatusUpdate: validateDeploymentStatusUpdate,
  columns: deploymentColumns,
  models: 'Complete. Upstream: pkg/registry/apps/deployment/strategy.go, pkg/apis/apps/validation.',
  texts: deploymentTexts,
  values: deploymentValues,
  wire: deploymentWire,
  example: deploymentExample,
});
