/** StatefulSet: pods with stable names and storage. Models: v1.24 apps/v1 StatefulSet, pkg/registry/apps/statefulset, pkg/apis/apps/validation. */
import { intOrString } from '../../../schema/shape/index.ts';
import { append, isValidPercent, labelSelectorAsSelection, validateLabels } from '../../../schema/values/index.ts';
import { collisionErrors, defineKind, type Draft, endlessErrors, mismatchErrors, numberIn, partErrors } from '../../machinery/index.ts';
import { selectorErrors, templateColumns, workloadHooks } from '../../machinery/index.ts';
import type { FieldError, KindContext } from '../../objects/index.ts';
import { labelSelector } from '../../structs/index.ts';
import {
  absentErrors,
  conditionStates,
  excessErrors,
  facetErrors,
  forbidden,
  invalid,
  notFound,
  oneConditionOfAType,
  required,
  sameValue,
  shown,
  validateAnnotations,
  validatePodAnnotations,
} from '../../validation/index.ts';
import { retentionPolicy, rollingUpdateSchema, statefulSetSchema, updateStrategy } from './shape.ts';
import type { StatefulSet, StatefulSetSpec } from './shape.ts';

function selectionErrors({ spec: { selector, template } }: StatefulSet, context: KindContext): FieldError[] {
  const errors = selectorErrors(selector, 'statefulset');
  if (labelSelectorAsSelection(selector).error === undefined) append(errors, templateErrors({ selector, template }, context));
  else errors.push(invalid('spec.selector', selector === undefined ? undefined : shown(selector, labelSelector), ''));
  return [...errors, ...endlessErrors(template, 'StatefulSet')];
}

function strategyErrors({ spec: { updateStrategy: strategy } }: StatefulSet): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const field = 'spec.updateStrategy';
  if (type === '') return [required(field)];
  if (type === 'OnDelete')
    return rollingUpdate === undefined
      ? []
      : [
          invalid(
            `${field}.rollingUpdate`,
            shown(rollingUpdate, rollingUpdateSchema, 'apps'),
            "only allowed for updateStrategy 'RollingUpdate'",
          ),
        ];
  if (type !== 'RollingUpdate') return [invalid(field, shown(strategy, updateStrategy, 'apps'), "must be 'RollingUpdate' or 'OnDelete'")];
  const errors = facetErrors(rollingUpdateSchema, rollingUpdate, `${field}.rollingUpdate`);
  append(errors, maxUnavailableErrors(rollingUpdate?.maxUnavailable, `${field}.rollingUpdate.maxUnavailable`));
  return errors;
}

/** The value must be a positive number, or a percentage from 1 to 100. */
const maxUnavailableErrors = (value: number | string | undefined, field: string): FieldError[] =>
  value === undefined
    ? []
    : [
        ...(numberIn(value) === 0 || (typeof value === 'string' && isValidPercent(value).length > 0)
          ? [invalid(field, shown(value, intOrString), 'cannot be 0')]
          : []),
        ...excessErrors(value, field),
      ];

const retentionErrors = ({ spec }: StatefulSet, { gates }: KindContext): readonly FieldError[] =>
  gates['StatefulSetAutoDeletePVC'] === true
    ? facetErrors(retentionPolicy, spec.persistentVolumeClaimRetentionPolicy, 'spec.persistentVolumeClaimRetentionPolicy')
    : [];

/** Only the parts of the template that the set depends on are validated: its pods are validated when they are created. */
function templateErrors({ selector, template }: Pick<StatefulSetSpec, 'selector' | 'template'>, context: KindContext): FieldError[] {
  const { labels, annotations } = template.metadata;
  return [
    ...mismatchErrors(selector, template),
    ...validateLabels(labels, 'spec.template.labels'),
    ...validateAnnotations(annotations ?? {}, 'spec.template.annotations'),
    ...validatePodAnnotations(annotations, template.spec, 'spec.template.annotations', context),
  ];
}

const CHANGEABLE: ReadonlySet<string> = new Set([
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'persistentVolumeClaimRetentionPolicy',
]);

const unchangeable = (spec: StatefulSetSpec): Record<string, unknown> =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => !CHANGEABLE.has(name)));

const changeErrors = ({ spec }: StatefulSet, _: KindContext, { spec: before }: StatefulSet): FieldError[] =>
  spec === before || sameValue(unchangeable(spec), unchangeable(before))
    ? []
    : [
        forbidden(
          'spec',
          "updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ),
      ];

const CREATED = [
  'metadata',
  'spec.podManagementPolicy',
  strategyErrors,
  retentionErrors,
  'spec.replicas',
  'spec.minReadySeconds',
  selectionErrors,
] as const;

/** With the gate on, every set has a retention policy for its claims. */
function defaultStatefulSet({ spec }: Draft<StatefulSet>, { gates }: KindContext): void {
  if (gates['StatefulSetAutoDeletePVC'] === true)
    spec.persistentVolumeClaimRetentionPolicy ??= { whenDeleted: 'Retain', whenScaled: 'Retain' };
  const rolling = spec.updateStrategy.rollingUpdate;
  if (gates['MaxUnavailableStatefulSet'] === true && rolling !== undefined) rolling.maxUnavailable ??= 1;
}

export const statefulSet = defineKind<StatefulSet>({
  shortNames: ['sts'],
  categories: ['all'],
  groupPrefix: 'apps',
  schema: statefulSetSchema,
  subresources: ['status', 'scale'],
  generation: 'spec',
  applyDefaults: { reads: ['spec'], run: defaultStatefulSet },
  ...workloadHooks({ replicas: 0, availableReplicas: 0 }),
  create: CREATED,
  update: [...CREATED, 'changed metadata', changeErrors, 'spec.replicas'],
  updateStatus: [
    'status',
    partErrors('readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'),
    'changed metadata',
    collisionErrors,
  ],
  columns: [
    'Name',
    ['Ready', 'string', 'Ready pods, and the desired number.', ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas}`],
    'Age',
    ...templateColumns<StatefulSet>(({ spec }) => spec.template),
  ],
  models: 'Complete. Upstream: pkg/registry/apps/statefulset/strategy.go, pkg/apis/apps/validation.',
  specification: [
    {
      name: 'stateful-set/service-is-named',
      field: 'spec.serviceName',
      statement: 'A StatefulSet names its governing Service.',
      recorded: 'accepts a set without one, whose pods get no subdomain',
      check: ({ spec }) => (spec.serviceName === '' ? [required('spec.serviceName')] : []),
    },
    {
      name: 'stateful-set/service-comes-first',
      field: 'spec.serviceName',
      statement: 'The governing Service exists before the StatefulSet is created; its later deletion does not concern the set.',
      recorded: 'never checks',
      check: ({ metadata: { namespace }, spec: { serviceName } }, { old, find }) =>
        old !== undefined || serviceName === '' || find('Service', namespace, serviceName) !== undefined
          ? []
          : [notFound('spec.serviceName', serviceName)],
    },
    {
      name: 'stateful-set/claims-are-mounted',
      field: 'spec.volumeClaimTemplates',
      statement: 'Every claim template is mounted by its name in a container of the pod template (a block device counts as a mount).',
      recorded: 'accepts claims that no container mounts',
      check({ spec: { volumeClaimTemplates, template } }) {
        const containers = [...(template.spec.initContainers ?? []), ...(template.spec.containers ?? [])];
        const mounted = new Set(
          containers.flatMap(({ volumeMounts, volumeDevices }) =>
            [...(volumeMounts ?? []), ...(volumeDevices ?? [])].map(({ name }) => name),
          ),
        );
        return (volumeClaimTemplates ?? []).flatMap(({ metadata }, at) =>
          mounted.has(metadata?.name ?? '')
            ? []
            : [
                required(
                  `spec.volumeClaimTemplates[${at}]`,
                  `a container must mount it: no volumeMount is named ${JSON.stringify(metadata?.name ?? '')}`,
                ),
              ],
        );
      },
    },
    {
      name: 'stateful-set/gated-min-ready-seconds',
      field: 'spec.minReadySeconds',
      statement: 'minReadySeconds depends on the feature gate StatefulSetMinReadySeconds.',
      recorded: 'keeps the field while the gate is off, and ignores it',
      does: 'the server drops the field while the gate is off, unless the stored set has it',
    },
    {
      name: 'stateful-set/max-unavailable-rounds-up',
      field: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
      statement: 'A percentage of the pods is rounded up to whole pods.',
      recorded: 'rounds down, to at least one',
      does: 'the controller rounds up',
    },
    {
      name: 'stateful-set/replicas-are-counted',
      field: 'status.replicas',
      statement: 'status.replicas is set.',
      recorded: 'fills in 0',
      asSent: true,
      // The server sets the status of a new object, whatever its document has.
      check: (_, { sent, subresource }) => (subresource === 'status' ? absentErrors(sent, ['status?', 'replicas']) : []),
    },
    conditionStates('stateful-set'),
    oneConditionOfAType('stateful-set'),
  ],
});
