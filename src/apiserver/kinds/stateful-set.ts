/** StatefulSet: pods with stable names and storage. Models: v1.24 apps/v1 StatefulSet, pkg/registry/apps/statefulset. */
import {
  always,
  type Complete,
  field,
  filled,
  type Infer,
  int32,
  intOrString,
  list,
  mergeList,
  obj,
  oneOf,
  ptr,
  req,
  str,
  count32,
  count64,
} from '../../schema/shape/index.ts';
import { append, isValidPercent, labelSelectorAsSelection, validateLabels } from '../../schema/values/index.ts';
import {
  collisionErrors,
  defineKind,
  type Draft,
  endlessErrors,
  EXAMPLE_LABELS,
  EXAMPLE_TEMPLATE,
  mismatchErrors,
  numberIn,
  partErrors,
  selectorErrors,
  templateColumns,
  workloadHooks,
} from '../machinery/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import {
  claimTemplateInSet,
  conditionReason,
  conditionType,
  kindFields,
  labelSelector,
  type ObjectOf,
  podTemplateSpec,
} from '../structs/index.ts';
import {
  excessErrors,
  absentErrors,
  conditionStates,
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
} from '../validation/index.ts';

/** The default is a rolling update with its parameters; an explicit rolling update without parameters has none. */
const completeStrategy: Complete = ({ type, rollingUpdate }) => {
  if (type !== undefined && (type !== 'RollingUpdate' || rollingUpdate === undefined)) return undefined;
  const given = (rollingUpdate ?? {}) as Readonly<Record<string, unknown>>;
  return type === undefined || given['partition'] === undefined
    ? { type: 'RollingUpdate', rollingUpdate: { partition: 0, ...given } }
    : undefined;
};

/** Always present after `completeStrategy`. */
const strategyName = str('StatefulSetUpdateStrategyType') as { readonly type: 'string'; readonly always: true };

const rollingUpdateSchema = obj('RollingUpdateStatefulSetStrategy', 'Details of a rolling update.', {
  partition: field(1, 'Pods with lower ordinals keep the old template, even when they are created again.', ptr(count32)),
  maxUnavailable: field(
    2,
    'The number of pods that may be unavailable, or a percentage of replicas (rounded up); not 0.',
    ptr(intOrString),
    { format: 'share', since: 'MaxUnavailableStatefulSet' },
  ),
});

const updateStrategy = obj(
  'StatefulSetUpdateStrategy',
  'How pods are updated to a new template.',
  {
    type: field(
      1,
      'RollingUpdate: the controller replaces them, from the highest ordinal down. OnDelete: a pod is replaced after a user has deleted it.',
      oneOf(strategyName, ['OnDelete', 'RollingUpdate']),
    ),
    rollingUpdate: field(2, 'Details of a rolling update.', rollingUpdateSchema),
  },
  { complete: completeStrategy },
);

const retention = { among: ['Retain', 'Delete'] };
const retentionPolicy = obj('StatefulSetPersistentVolumeClaimRetentionPolicy', 'Whether claims are deleted.', {
  whenDeleted: field(
    1,
    'When the set is deleted: Retain or Delete.',
    filled(str('PersistentVolumeClaimRetentionPolicyType'), 'Retain'),
    retention,
  ),
  whenScaled: field(
    2,
    'When the set is scaled down: Retain or Delete.',
    filled(str('PersistentVolumeClaimRetentionPolicyType'), 'Retain'),
    retention,
  ),
});

const statefulSetSpec = obj('StatefulSetSpec', 'The number of pods, their template, and how they are created, deleted and updated.', {
  replicas: field(1, 'The desired number of pods; their ordinals are 0 to replicas-1.', filled(ptr(count32), 1)),
  selector: field(2, 'The pods of the set; must match the labels of the template.', { ...labelSelector, required: true }),
  template: field(3, 'The template of the pods, without name, host name and claims.', req(podTemplateSpec)),
  volumeClaimTemplates: field(
    4,
    'Claims of each pod, TEMPLATE-NAME-ORDINAL, which are kept when the pod is replaced. A claim takes precedence over a volume of its name.',
    list(claimTemplateInSet),
  ),
  serviceName: field(5, 'The service for the host names of the pods: POD.SERVICE.', req(str())),
  podManagementPolicy: field(
    6,
    'OrderedReady: pods are created one after the other, each when its predecessors are ready, and deleted in reverse. Parallel: all at once.',
    oneOf(filled(str('PodManagementPolicyType'), 'OrderedReady'), ['OrderedReady', 'Parallel']),
    { among: ['OrderedReady', 'Parallel'], words: "must be 'OrderedReady' or 'Parallel'" },
  ),
  updateStrategy: field(7, 'How the pods are updated when the template changes.', always(updateStrategy)),
  revisionHistoryLimit: field(8, 'The number of unused old templates that are kept for rollbacks.', filled(ptr(int32), 10)),
  minReadySeconds: field(9, 'Seconds for which a pod must be ready to count as available.', count32, {
    since: { gate: 'StatefulSetMinReadySeconds', ruled: true },
  }),
  persistentVolumeClaimRetentionPolicy: field(10, 'Whether claims are deleted with their pods or with the set.', retentionPolicy, {
    since: 'StatefulSetAutoDeletePVC',
  }),
});
type StatefulSetSpec = Infer<typeof statefulSetSpec>;

const statefulSetStatus = obj(
  'StatefulSetStatus',
  'The observed state.',
  {
    observedGeneration: field(1, 'The latest generation that the controller has processed.', count64),
    replicas: field(2, 'Existing pods.', req(count32)),
    readyReplicas: field(3, 'Ready pods.', count32),
    currentReplicas: field(4, 'Pods of currentRevision.', count32),
    updatedReplicas: field(5, 'Pods of updateRevision.', count32),
    currentRevision: field(6, 'The revision of pods that are not updated.', str()),
    updateRevision: field(7, 'The revision of the current template. Equals currentRevision when no update is in progress.', str()),
    collisionCount: field(9, "The number of collisions of the hash in a revision's name.", ptr(count32)),
    conditions: field(
      10,
      'Not used by the controller.',
      mergeList(
        obj('StatefulSetCondition', 'A condition of the set.', {
          ...conditionType('no types are defined', 'StatefulSetConditionType'),
          ...conditionReason(3),
        }),
        'type',
      ),
    ),
    availableReplicas: field(11, 'Pods that have been ready for at least minReadySeconds.', always(count32)),
  },
  {
    order: ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas', 'observedGeneration', 'collisionCount'],
  },
);
export type StatefulSetStatus = Infer<typeof statefulSetStatus>;

const statefulSetSchema = obj(
  'StatefulSet',
  'Pods with stable names, network identities and storage: NAME-0, NAME-1 and so on.',
  kindFields({ spec: statefulSetSpec, status: statefulSetStatus }),
);
/** A stored StatefulSet: defaulted, validated and frozen. */
export type StatefulSet = ObjectOf<'StatefulSet', Infer<typeof statefulSetSchema>>;

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
  example: {
    spec: {
      serviceName: 's',
      replicas: 2,
      selector: { matchLabels: EXAMPLE_LABELS },
      template: EXAMPLE_TEMPLATE,
      volumeClaimTemplates: [
        { metadata: { name: 'd' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      ],
    },
  },
});
