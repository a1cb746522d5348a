/** PodDisruptionBudget: how many pods may be away at once. Models: v1.24 policy/v1 PodDisruptionBudget, pkg/registry/policy/poddisruptionbudget. */
import { always, int32, int64, intOrString, map, mapList, obj, ptr, req, time, type Infer } from '../../schema/index.ts';
import { isValidPercent, validateLabelSelector, type GoType } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { condition, labelSelector, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { keepSpec, keepStatus } from '../strategy.ts';
import { validateConditions } from '../validation/conditions.ts';
import { invalid } from '../validation/field-errors.ts';
import { labelSelectorType, pointer, shown, struct } from '../validation/go-shapes.ts';
import { pathSegmentName, validateMeta } from '../validation/object-meta.ts';

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

const shareType: GoType = { type: 'intOrString' };
const specType = struct('policy.PodDisruptionBudgetSpec', { MinAvailable: pointer(shareType), Selector: pointer(labelSelectorType), MaxUnavailable: pointer(shareType) });

function shareErrors(value: number | string | undefined, field: string): FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
  const as = shown(value, shareType);
  const errors: FieldError[] = isValidPercent(value).map((problem) => invalid(field, as, problem));
  if (errors.length === 0 && Number(value.slice(0, -1)) > 100) errors.push(invalid(field, as, 'must not be greater than 100%'));
  return errors;
}

function specErrors({ spec }: PodDisruptionBudget): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) errors.push(invalid('spec', shown(spec, specType), 'minAvailable and maxUnavailable cannot be both set'));
  errors.push(...shareErrors(spec.minAvailable, 'spec.minAvailable'), ...shareErrors(spec.maxUnavailable, 'spec.maxUnavailable'));
  return [...errors, ...validateLabelSelector(spec.selector, 'spec.selector')];
}

/** Metadata has no rules of its own here: what holds for all kinds is asked where the rest is in order, and any segment of a path is a name. */
function fieldErrors(object: PodDisruptionBudget, context: KindContext): FieldError[] {
  const errors = specErrors(object);
  return errors.length > 0 ? errors : validateMeta(object, true, pathSegmentName, context, 'metadata', false);
}

const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;
const statusErrors = ({ status }: PodDisruptionBudget): FieldError[] => [
  ...validateConditions(status.conditions),
  ...COUNTS.filter((name) => status[name] < 0).map((name) => invalid(`status.${name}`, status[name], 'must be greater than or equal to 0')),
];

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
  validateName: pathSegmentName,
  validate: fieldErrors,
  validateUpdate: specErrors,
  validateStatusUpdate: statusErrors,
  columns: [
    nameColumn,
    { name: 'Min Available', type: 'string', description: 'How many must stay.', priority: 0, cell: (object) => String(object.spec.minAvailable ?? 'N/A') },
    { name: 'Max Unavailable', type: 'string', description: 'How many may be away.', priority: 0, cell: (object) => String(object.spec.maxUnavailable ?? 'N/A') },
    { name: 'Allowed Disruptions', type: 'integer', description: 'How many more may go now.', priority: 0, cell: (object) => object.status.disruptionsAllowed },
    ageColumn,
  ],
  models: 'Complete. Upstream: pkg/registry/policy/poddisruptionbudget, pkg/apis/policy/validation.',
});
