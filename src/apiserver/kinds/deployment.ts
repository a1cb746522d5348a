/** Deployment: pods that are replaced step by step. Models: v1.24 apps/v1 Deployment, pkg/registry/apps/deployment. */
import {
  always,
  bool,
  count32,
  count64,
  field,
  filled,
  intOrString,
  mergeList,
  obj,
  oneOf,
  ptr,
  req,
  str,
  time,
} from '../../schema/shape/index.ts';
import type { Complete, Infer } from '../../schema/shape/index.ts';
import { append } from '../../schema/values/index.ts';
import {
  assign,
  castDraft,
  collisionErrors,
  defineKind,
  immutableSelector,
  keepSpec,
  numberIn,
  partErrors,
  replicatedTemplateErrors,
  selectorColumn,
  templateColumns,
  workloadHooks,
} from '../machinery/index.ts';
import type { Draft } from '../machinery/index.ts';
import type { ApiObject, FieldError } from '../objects/index.ts';
import { conditionType, kindFields, labelSelector, type ObjectOf, podTemplateSpec } from '../structs/index.ts';
import { excessErrors, facetErrors, forbidden, invalid, notSupported, shown } from '../validation/index.ts';

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
          { format: 'share' },
        ),
        maxSurge: field(
          2,
          'The number of pods beyond the desired ones: a number, or a percentage (rounded up). Not 0 when maxUnavailable is.',
          ptr(intOrString),
          { format: 'share' },
        ),
      }),
    ),
  },
  { complete: completeStrategy, patchStrategy: 'retainKeys' },
);

const deploymentSpec = obj('DeploymentSpec', 'The number of pods, their template, and the update strategy.', {
  replicas: field(1, 'The desired number of pods.', filled(ptr(count32), 1)),
  selector: field(2, 'The pods of the Deployment; must match the labels of the template and never changes.', {
    ...labelSelector,
    required: true,
  }),
  template: field(3, 'The template of the pods. When it changes, pods of the old template are replaced.', req(podTemplateSpec)),
  strategy: field(4, 'How pods of an old template are replaced.', always(deploymentStrategy)),
  minReadySeconds: field(5, 'Seconds for which a pod must be ready, without a failing container, to count as available.', count32),
  revisionHistoryLimit: field(6, 'The number of unused old templates that are kept for rollbacks.', filled(ptr(count32), 10)),
  paused: field(7, 'While true, changes of the template are not rolled out; changes of replicas are.', bool),
  progressDeadlineSeconds: field(
    9,
    'Seconds without progress after which the rollout is reported as stuck. Greater than minReadySeconds.',
    filled(ptr(count32), 600),
  ),
});

const deploymentCondition = obj('DeploymentCondition', 'A condition of the Deployment.', {
  ...conditionType('Available, Progressing or ReplicaFailure', 'DeploymentConditionType'),
  lastUpdateTime: field(6, 'When the condition was last confirmed or changed.', always(time)),
  lastTransitionTime: field(7, 'When the status last changed from one value to another.', always(time)),
  reason: field(4, 'The reason as one word in CamelCase, for programs.', str()),
  message: field(5, 'The reason as a sentence.', str()),
});
export type DeploymentCondition = Infer<typeof deploymentCondition>;

const deploymentStatus = obj('DeploymentStatus', 'The observed state.', {
  observedGeneration: field(1, 'The latest generation that the controller has processed.', count64),
  replicas: field(2, 'Existing pods of any template.', count32),
  updatedReplicas: field(3, 'Pods of the current template.', count32, {
    column: ['Up-to-date', 'Pods of the current template.', 'string'],
  }),
  readyReplicas: field(7, 'Ready pods of any template.', count32),
  availableReplicas: field(4, 'Pods that have been ready for at least minReadySeconds.', count32, {
    column: ['Available', 'How many pods have been ready for at least minReadySeconds.', 'string'],
  }),
  unavailableReplicas: field(5, 'Pods that are missing until all are available; they may not exist yet.', count32),
  conditions: field(6, 'Availability, progress, and failures to create pods.', mergeList(deploymentCondition, 'type')),
  collisionCount: field(8, 'The number of collisions of the name of a new ReplicaSet.', ptr(count32)),
});
export type DeploymentStatus = Infer<typeof deploymentStatus>;

const deploymentSchema = obj(
  'Deployment',
  'Pods of one template, replaced step by step when the template changes, with rollback.',
  kindFields({ spec: deploymentSpec, status: deploymentStatus }),
);
export type Deployment = ObjectOf<'Deployment', Infer<typeof deploymentSchema>>;

const deadlineErrors = ({ spec: { progressDeadlineSeconds: deadline, minReadySeconds = 0 } }: Deployment): FieldError[] =>
  deadline <= minReadySeconds ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')] : [];

function strategyErrors({ spec: { strategy } }: Deployment): FieldError[] {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate')
    return rollingUpdate === undefined
      ? []
      : [forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'")];
  if (type !== 'RollingUpdate')
    return [notSupported('spec.strategy', shown(strategy, deploymentStrategy, 'apps'), ['Recreate', 'RollingUpdate'])];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  const field = 'spec.strategy.rollingUpdate.maxUnavailable';
  const errors = facetErrors(deploymentStrategy.fields.rollingUpdate, rollingUpdate, 'spec.strategy.rollingUpdate');
  if (numberIn(maxUnavailable) === 0 && numberIn(maxSurge) === 0)
    errors.push(invalid(field, shown(maxUnavailable, intOrString), 'may not be 0 when `maxSurge` is 0'));
  append(errors, excessErrors(maxUnavailable, field));
  return errors;
}

const SPEC = [
  'spec.replicas',
  replicatedTemplateErrors,
  strategyErrors,
  'spec.minReadySeconds',
  'spec.revisionHistoryLimit',
  'spec.progressDeadlineSeconds',
  deadlineErrors,
] as const;

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
const keepLabels = {
  reads: ['labels'],
  run({ metadata }: Draft<Deployment>, { metadata: { labels } }: Deployment): void {
    assign(metadata, 'labels', labels === undefined ? undefined : castDraft(labels));
  },
} as const;

export const deployment = defineKind<Deployment>({
  shortNames: ['deploy'],
  categories: ['all'],
  groupPrefix: 'apps',
  schema: deploymentSchema,
  subresources: ['status', 'scale'],
  missingScale: true,
  generation: 'specAndAnnotations',
  ...workloadHooks({}),
  prepareForStatusUpdate: [keepSpec, keepLabels],
  unreadable: unreadableRollback,
  create: ['metadata', ...SPEC],
  update: ['changed metadata', ...SPEC, immutableSelector],
  updateStatus: ['changed metadata', 'status', partErrors('updatedReplicas', 'readyReplicas', 'availableReplicas'), collisionErrors],
  columns: [
    'Name',
    ['Ready', 'string', 'Ready pods, and the desired number.', ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas}`],
    'status.updatedReplicas',
    'status.availableReplicas',
    'Age',
    ...templateColumns<Deployment>(({ spec }) => spec.template),
    selectorColumn<Deployment>(({ spec }) => spec.selector),
  ],
  models: 'Complete. Upstream: pkg/registry/apps/deployment/strategy.go, pkg/apis/apps/validation.',
});
