/** PodDisruptionBudget: how many pods may be away at once. Models: v1.24 policy/v1 PodDisruptionBudget, pkg/registry/policy/poddisruptionbudget. */
import { always, int32, int64, intOrString, map, mapList, obj, ptr, req, time, type Infer } from '../../schema/index.ts';
import { isValidPercent, validateLabelSelector } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { condition, labelSelector, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { keepSpec, keepStatus } from '../strategy.ts';
import { invalid } from '../validation/field-errors.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';

export const podDisruptionBudgetSchema = obj('PodDisruptionBudget', {
  ...typeMeta,
  spec: always(obj('PodDisruptionBudgetSpec', { minAvailable: ptr(intOrString), selector: { ...labelSelector, patchStrategy: 'replace' }, maxUnavailable: ptr(intOrString) })),
  status: always(obj('PodDisruptionBudgetStatus', {
    observedGeneration: int64,
    disruptedPods: map(time),
    disruptionsAllowed: req(int32),
    currentHealthy: req(int32),
    desiredHealthy: req(int32),
    expectedPods: req(int32),
    conditions: mapList(condition, 'type'),
  })),
});
export type PodDisruptionBudget = ObjectOf<'PodDisruptionBudget', Infer<typeof podDisruptionBudgetSchema>>;

function shareErrors(value: number | string | undefined, field: string): FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
  const errors: FieldError[] = isValidPercent(value).map((problem) => invalid(field, value, problem));
  if (errors.length === 0 && Number(value.slice(0, -1)) > 100) errors.push(invalid(field, value, 'must not be greater than 100%'));
  return errors;
}

function specErrors({ spec }: PodDisruptionBudget): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) errors.push(invalid('spec', undefined, 'minAvailable and maxUnavailable cannot be both set'));
  errors.push(...shareErrors(spec.minAvailable, 'spec.minAvailable'), ...shareErrors(spec.maxUnavailable, 'spec.maxUnavailable'));
  return [...errors, ...validateLabelSelector(spec.selector, 'spec.selector')];
}

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
    draft['status'] = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context), ...specErrors(object)],
  validateUpdate: (object, old, context) => [...validateMeta(object, true, subdomainName, context), ...specErrors(object), ...validateMetaUpdate(object, old, context)],
  columns: [
    nameColumn,
    { name: 'Min Available', type: 'string', description: 'How many must stay.', priority: 0, cell: (object) => String(object.spec.minAvailable ?? 'N/A') },
    { name: 'Max Unavailable', type: 'string', description: 'How many may be away.', priority: 0, cell: (object) => String(object.spec.maxUnavailable ?? 'N/A') },
    { name: 'Allowed Disruptions', type: 'integer', description: 'How many more may go now.', priority: 0, cell: (object) => object.status.disruptionsAllowed },
    ageColumn,
  ],
  models: 'Complete. Upstream: pkg/registry/policy/poddisruptionbudget, pkg/apis/policy/validation.',
});
