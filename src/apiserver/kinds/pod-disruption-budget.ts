/**
 * PodDisruptionBudget: how many pods may be disrupted at once. Models: v1.24 policy/v1 PodDisruptionBudget,
 * pkg/registry/policy/poddisruptionbudget.
 */
import { field, type Infer, int64, intOrString, map, mapList, obj, ptr, req, time, count32 } from '../../schema/shape/index.ts';
import { defineKind, keepSpec, keepStatus } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { condition, kindFields, labelSelector, type ObjectOf } from '../structs/index.ts';
import { invalid, pathSegmentName, shown, validateConditions } from '../validation/index.ts';

const podDisruptionBudgetSchema = obj(
  'PodDisruptionBudget',
  'Limits the number of pods that are evicted at the same time.',
  kindFields({
    spec: obj(
      'PodDisruptionBudgetSpec',
      'The budget: either minAvailable or maxUnavailable.',
      {
        minAvailable: field(1, 'The number of pods that must stay, or a percentage.', ptr(intOrString), { format: 'share of all' }),
        selector: field(2, 'The pods.', { ...labelSelector, patchStrategy: 'replace' }, { format: 'label selector' }),
        maxUnavailable: field(3, 'The number of pods that may be missing, or a percentage.', ptr(intOrString), { format: 'share of all' }),
      },
      { order: ['minAvailable', 'maxUnavailable', 'selector'] },
    ),
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

const bothErrors = ({ spec }: PodDisruptionBudget): FieldError[] =>
  spec.minAvailable !== undefined && spec.maxUnavailable !== undefined
    ? [invalid('spec', shown(spec, SPEC, 'policy'), 'minAvailable and maxUnavailable cannot be both set')]
    : [];

const CHECKS = [bothErrors, 'spec'] as const;

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
  anyFinalizers: true,
  // Upstream's strategy validates no metadata: the common rules apply after its own.
  create: [...CHECKS, 'metadata if valid'],
  update: CHECKS,
  updateStatus: [({ status }) => validateConditions(status.conditions), 'status'],
  columns: [
    'Name',
    ['Min Available', 'string', 'Pods that must stay available.', ({ spec }) => String(spec.minAvailable ?? 'N/A')],
    ['Max Unavailable', 'string', 'Pods that may be unavailable.', ({ spec }) => String(spec.maxUnavailable ?? 'N/A')],
    ['Allowed Disruptions', 'integer', 'Disruptions that are allowed now.', ({ status }) => status.disruptionsAllowed],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/policy/poddisruptionbudget, pkg/apis/policy/validation.',
});
