/** Deployment: pods that are replaced step by step. Models: v1.24 apps/v1 Deployment, pkg/registry/apps/deployment. */
import {
  always,
  bool,
  type Complete,
  field,
  filled,
  type Infer,
  int32,
  int64,
  intOrString,
  mergeList,
  obj,
  oneOf,
  ptr,
  req,
  str,
  time,
} from '../../schema/shape/index.ts';
import { append, type GoType, isValidPercent } from '../../schema/values/index.ts';
import {
  type ApiObject,
  assign,
  castDraft,
  conditionType,
  defineKind,
  type Draft,
  dropGatedPodFields,
  EXAMPLE_LABELS,
  EXAMPLE_TEMPLATE,
  type FieldError,
  forbidden,
  hasNoGatedFields,
  immutableSelector,
  invalid,
  keepSpec,
  keepStatus,
  type KindContext,
  labelSelector,
  nonNegative,
  notSupported,
  type ObjectOf,
  podTemplateSpec,
  pointer,
  replicatedTemplateErrors,
  shown,
  statusCountErrors,
  struct,
  subdomainName,
  templateWarnings,
  text,
  typeMeta,
  validateMeta,
  validateMetaUpdate,
} from '../machinery/index.ts';
import { selectorColumn, templateColumns } from './pod/template-columns.ts';

const QUARTER = '25%';

/** The default is a rolling update with a quarter of the pods in either direction. */
const completeStrategy: Complete = ({ type, rollingUpdate }) => {
  if (type !== undefined && type !== '' && type !== 'RollingUpdate') return undefined;
  const { maxUnavailable, maxSurge } = (rollingUpdate ?? {}) as Readonly<Record<string, unknown>>;
  if (type === 'RollingUpdate' && maxUnavailable !== undefined && maxSurge !== undefined) return undefined;
  return { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: maxUnavailable ?? QUARTER, maxSurge: maxSurge ?? QUARTER } };
};

/** Always present after `completeStrategy`. */
const strategyName = str('DeploymentStrategyType') as { readonly type: 'string'; readonly always: true };

const deploymentStrategy = obj(
  'DeploymentStrategy',
  'How pods of an old template are replaced.',
  {
    type: field(
      1,
      'RollingUpdate: some at a time, so that enough are always available. Recreate: all old pods are deleted before the first new one is created.',
      oneOf(strategyName, ['Recreate', 'RollingUpdate']),
    ),
    rollingUpdate: field(
      2,
      'Details of a rolling update.',
      obj('RollingUpdateDeployment', 'Details of a rolling update.', {
        maxUnavailable: field(
          1,
          'The number of desired pods that may be unavailable during the update: a number, or a percentage (rounded down). Not 0 when maxSurge is.',
          ptr(intOrString),
        ),
        maxSurge: field(
          2,
          'The number of pods beyond the desired ones: a number, or a percentage (rounded up). Not 0 when maxUnavailable is.',
          ptr(intOrString),
        ),
      }),
    ),
  },
  { complete: completeStrategy, patchStrategy: 'retainKeys' },
);

const deploymentSpec = obj('DeploymentSpec', 'The number of pods, their template, and the update strategy.', {
  replicas: field(1, 'The desired number of pods.', filled(ptr(int32), 1)),
  selector: field(2, 'The pods of the Deployment; must match the labels of the template and never changes.', {
    ...labelSelector,
    required: true,
  }),
  template: field(3, 'The template of the pods. When it changes, pods of the old template are replaced.', req(podTemplateSpec)),
  strategy: field(4, 'How pods of an old template are replaced.', always(deploymentStrategy)),
  minReadySeconds: field(5, 'Seconds for which a pod must be ready, without a failing container, to count as available.', int32),
  revisionHistoryLimit: field(6, 'The number of unused old templates that are kept for rollbacks.', filled(ptr(int32), 10)),
  paused: field(7, 'While true, changes of the template are not rolled out; changes of replicas are.', bool),
  progressDeadlineSeconds: field(
    9,
    'Seconds without progress after which the rollout is reported as stuck. Greater than minReadySeconds.',
    filled(ptr(int32), 600),
  ),
});
type DeploymentSpec = Infer<typeof deploymentSpec>;

const deploymentCondition = obj('DeploymentCondition', 'A condition of the Deployment.', {
  ...conditionType('Available, Progressing or ReplicaFailure', 'DeploymentConditionType'),
  lastUpdateTime: field(6, 'When the condition was last confirmed or changed.', always(time)),
  lastTransitionTime: field(7, 'When the status last changed from one value to another.', always(time)),
  reason: field(4, 'The reason as one word in CamelCase, for programs.', str()),
  message: field(5, 'The reason as a sentence.', str()),
});
export type DeploymentCondition = Infer<typeof deploymentCondition>;

const deploymentStatus = obj('DeploymentStatus', 'The observed state.', {
  observedGeneration: field(1, 'The latest generation that the controller has processed.', int64),
  replicas: field(2, 'Existing pods of any template.', int32),
  updatedReplicas: field(3, 'Pods of the current template.', int32),
  readyReplicas: field(7, 'Ready pods of any template.', int32),
  availableReplicas: field(4, 'Pods that have been ready for at least minReadySeconds.', int32),
  unavailableReplicas: field(5, 'Pods that are missing until all are available; they may not exist yet.', int32),
  conditions: field(6, 'Availability, progress, and failures to create pods.', mergeList(deploymentCondition, 'type')),
  collisionCount: field(8, 'The number of collisions of the name of a new ReplicaSet.', ptr(int32)),
});
export type DeploymentStatus = Infer<typeof deploymentStatus>;

const deploymentSchema = obj('Deployment', 'Pods of one template, replaced step by step when the template changes, with rollback.', {
  ...typeMeta,
  spec: field(2, always(deploymentSpec)),
  status: field(3, always(deploymentStatus)),
});
/** A stored Deployment: defaulted, validated and frozen. */
export type Deployment = ObjectOf<'Deployment', Infer<typeof deploymentSchema>>;

const shareType: GoType = { type: 'intOrString' };
const rollingType = struct('apps.RollingUpdateDeployment', { MaxUnavailable: shareType, MaxSurge: shareType });
const strategyType = struct('apps.DeploymentStrategy', { Type: text, RollingUpdate: pointer(rollingType) });

const validateDeployment = (object: Deployment, context: KindContext): readonly FieldError[] => [
  ...validateMeta(object, true, subdomainName, context),
  ...specErrors(object.spec, context),
];

function specErrors(spec: DeploymentSpec, context: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  nonNegative(spec.replicas, 'spec.replicas', errors);
  append(errors, replicatedTemplateErrors(spec, context), strategyErrors(spec.strategy));
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors);
  nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit', errors);
  nonNegative(spec.progressDeadlineSeconds, 'spec.progressDeadlineSeconds', errors);
  if (spec.progressDeadlineSeconds <= (spec.minReadySeconds ?? 0))
    errors.push(invalid('spec.progressDeadlineSeconds', spec.progressDeadlineSeconds, 'must be greater than minReadySeconds'));
  return errors;
}

function strategyErrors(strategy: DeploymentSpec['strategy']): FieldError[] {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate')
    return rollingUpdate === undefined
      ? []
      : [forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'")];
  if (type !== 'RollingUpdate') return [notSupported('spec.strategy', shown(strategy, strategyType), ['Recreate', 'RollingUpdate'])];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  const field = 'spec.strategy.rollingUpdate.maxUnavailable';
  const errors = [...shareErrors(maxUnavailable, field), ...shareErrors(maxSurge, 'spec.strategy.rollingUpdate.maxSurge')];
  if (numberIn(maxUnavailable) === 0 && numberIn(maxSurge) === 0)
    errors.push(invalid(field, shown(maxUnavailable, shareType), 'may not be 0 when `maxSurge` is 0'));
  if (typeof maxUnavailable === 'string' && isValidPercent(maxUnavailable).length === 0 && numberIn(maxUnavailable) > 100)
    errors.push(invalid(field, shown(maxUnavailable, shareType), 'must not be greater than 100%'));
  return errors;
}

function shareErrors(value: number | string, field: string): FieldError[] {
  if (typeof value === 'number') return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
  return isValidPercent(value).map((problem) => invalid(field, shown(value, shareType), problem));
}

/** Returns the number, or the percentage as a number; any other text counts as the number that Go parses from it. */
function numberIn(value: number | string): number {
  if (typeof value === 'number') return value;
  if (isValidPercent(value).length === 0) return Number(value.slice(0, -1));
  return /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}

const validateDeploymentUpdate = (object: Deployment, old: Deployment, context: KindContext): readonly FieldError[] => [
  ...validateMetaUpdate(object, old, context),
  ...specErrors(object.spec, context),
  ...immutableSelector(object.spec.selector, old.spec.selector),
];

function validateDeploymentStatusUpdate(object: Deployment, old: Deployment, context: KindContext): readonly FieldError[] {
  const errors = [
    ...validateMetaUpdate(object, old, context),
    ...statusCountErrors(
      object.status,
      ['observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas', 'collisionCount'],
      ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
    ),
  ];
  const [collisions, before] = [object.status.collisionCount, old.status.collisionCount];
  if (before !== undefined && (collisions ?? -1) < before)
    errors.push(invalid('status.collisionCount', collisions ?? 0, 'cannot be decremented'));
  return errors;
}

function prepareDeployment(draft: Draft<Deployment>, context: KindContext): void {
  draft.status = {};
  dropGatedPodFields(draft.spec.template, undefined, context);
}

function prepareDeploymentUpdate(draft: Draft<Deployment>, old: Deployment, context: KindContext): void {
  keepStatus(draft, old);
  dropGatedPodFields(draft.spec.template, old.spec.template, context);
}

/** The revision to roll back to: a field of older versions that this version keeps as an annotation. */
const ROLLBACK = 'deprecated.deployment.rollback.to';

/** Upstream parses the annotation as a number when it decodes a Deployment. Source: v1.24 pkg/apis/apps/v1/conversion.go. */
function unreadableRollback({ metadata }: ApiObject): string | undefined {
  const to = metadata.annotations?.[ROLLBACK];
  return to === undefined || /^[+-]?\d+$/.test(to)
    ? undefined
    : `failed to parse annotation[${ROLLBACK}]=${to} as int64: strconv.ParseInt: parsing ${JSON.stringify(to)}: invalid syntax`;
}

/** A status update keeps the labels, but may change annotations: the controller stores its revision number in one. */
function prepareDeploymentStatusUpdate(draft: Draft<Deployment>, old: Deployment): void {
  keepSpec(draft, old);
  const { labels } = old.metadata;
  assign(draft.metadata, 'labels', labels === undefined ? undefined : castDraft(labels));
}

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
  columns: [
    'Name',
    ['Ready', 'string', 'Ready pods, and the desired number.', ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas}`],
    ['Up-to-date', 'string', 'Pods of the current template.', ({ status }) => status.updatedReplicas ?? 0],
    ['Available', 'string', 'How many pods have been ready for at least minReadySeconds.', ({ status }) => status.availableReplicas ?? 0],
    'Age',
    ...templateColumns<Deployment>(({ spec }) => spec.template),
    selectorColumn<Deployment>(({ spec }) => spec.selector),
  ],
  models: 'Complete. Upstream: pkg/registry/apps/deployment/strategy.go, pkg/apis/apps/validation.',
  example: {
    spec: { replicas: 2, selector: { matchLabels: EXAMPLE_LABELS }, template: EXAMPLE_TEMPLATE, progressDeadlineSeconds: 60 },
  },
});
