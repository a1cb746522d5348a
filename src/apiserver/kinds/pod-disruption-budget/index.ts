/**
 * PodDisruptionBudget: how many pods may be disrupted at once. Models: v1.24 policy/v1 PodDisruptionBudget,
 * pkg/registry/policy/poddisruptionbudget.
 */
import { defineKind, keepSpec, keepStatus, pathSegmentName } from '../../machinery/index.ts';
import { podDisruptionBudgetColumns } from './columns.ts';
import { fieldErrors, specErrors, statusErrors } from './rules.ts';
import { type PodDisruptionBudget, podDisruptionBudgetSchema } from './shape.ts';
import { podDisruptionBudgetExample } from './example.ts';

export const podDisruptionBudget = defineKind<PodDisruptionBudget>({
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  groupPrefix: 'policy',
  version: 'v1',
  namespaced: true,
  schema: podDisruptionBudgetSchema,
  subresources: ['status'],
  generation: 'spec',
  allowUnconditionalUpdate: false,
  prepareForCreate(draft) {
    draft.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  validateName: pathSegmentName,
  validate: fieldErrors,
  validateUpdate: specErrors,
  validateStatusUpdate: statusErrors,
  columns: podDisruptionBudgetColumns,
  models: 'Complete. Upstream: pkg/registry/policy/poddisruptionbudget, pkg/apis/policy/validation.',
  example: podDisruptionBudgetExample,
});
