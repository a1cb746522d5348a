/**
 * PodDisruptionBudget: how many pods may be disrupted at once. Models: v1.24 policy/v1 PodDisruptionBudget,
 * pkg/registry/policy/poddisruptionbudget.
 */
import { field, type Infer, int64, intOrString, map, mapList, obj, ptr, req, time, count32 } from '../../schema/shape/index.ts';
import { append, validateLabelSelector } from '../../schema/values/index.ts';
import { defineKind, EXAMPLE_LABELS, excessErrors, keepSpec, keepStatus } from '../machinery/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import { condition, kindFields, labelSelector, type ObjectOf } from '../structs/index.ts';
import { facetErrors, invalid, pathSegmentName, shown, validateConditions, validateMeta } from '../validation/index.ts';

const podDisruptionBudgetSchema = obj(
  'PodDisruptionBudget',
  'Limits the number of pods that are evicted at the same time.',
  kindFields({
    spec: obj('PodDisruptionBudgetSpec', 'The budget: either minAvailable or maxUnavailable.', {
      minAvailable: field(1, 'The number of pods that must stay, or a percentage.', ptr(intOrString), { format: 'share' }),
      selector: field(2, 'The pods.', { ...labelSelector, patchStrategy: 'replace' }),
      maxUnavailable: field(3, 'The number of pods that may be missing, or a percentage.', ptr(intOrString), { format: 'share' }),
    }),
    status: obj('PodDisruptionBudgetStatus', 'The observed state.', {
      observedGeneration: field(1, 'The latest generation that the controller has processed.', int64),
      disruptedPods: field(2, 'Pods whose eviction was granted and that still exist.', map(time)),
      disruptionsAllowed: field(3, 'The number of evictions allowed now.', req(count32)),
      currentHealthy: field(4, 'Healthy pods.', req(count32)),
      desiredHealthy: field(5, 'The required number of healthy pods.', req(count32)),
      expectedPods: field(6, 'The expected number of pods.', req(count32)),
      conditions: field(7, 'Whether evictions are allowed.', mapList(condition, 'type')),
    }),
  }),
);
export type PodDisruptionBudget = ObjectOf<'PodDisruptionBudget', Infer<typeof podDisruptionBudgetSchema>>;

const SPEC = podDisruptionBudgetSchema.fields.spec;

function specErrors({ spec }: PodDisruptionBudget): FieldError[] {
  const errors: FieldError[] = [];
  const { minAvailable, maxUnavailable } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    errors.push(invalid('spec', shown(spec, SPEC, 'policy'), 'minAvailable and maxUnavailable cannot be both set'));
  for (const name of ['minAvailable', 'maxUnavailable'] as const)
    append(errors, facetErrors(SPEC, spec, 'spec', name), excessErrors(spec[name] ?? 0, `spec.${name}`));
  return [...errors, ...validateLabelSelector(spec.selector, 'spec.selector')];
}

/** Metadata is not validated here: the common rules apply after the others, and any path segment is a valid name. */
function fieldErrors(object: PodDisruptionBudget, context: KindContext): FieldError[] {
  const errors = specErrors(object);
  return errors.length > 0 ? errors : validateMeta(object, true, pathSegmentName, context, 'metadata', false);
}

export const podDisruptionBudget = defineKind<PodDisruptionBudget>({
  shortNames: ['pdb'],
  groupPrefix: 'policy',
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
  updateStatus: [({ status }) => validateConditions(status.conditions), 'status'],
  columns: [
    'Name',
    ['Min Available', 'string', 'Pods that must stay available.', ({ spec }) => String(spec.minAvailable ?? 'N/A')],
    ['Max Unavailable', 'string', 'Pods that may be unavailable.', ({ spec }) => String(spec.maxUnavailable ?? 'N/A')],
    ['Allowed Disruptions', 'integer', 'Disruptions that are allowed now.', ({ status }) => status.disruptionsAllowed],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/policy/poddisruptionbudget, pkg/apis/policy/validation.',
  example: { spec: { minAvailable: '50%', selector: { matchLabels: EXAMPLE_LABELS } } },
});
