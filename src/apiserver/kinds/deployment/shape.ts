/** The schema of Deployments: fields, types, and the defaults that depend only on the object. */
import {
  always,
  bool,
  type Complete,
  filled,
  type Infer,
  int32,
  int64,
  intOrString,
  mergeList,
  obj,
  ptr,
  req,
  str,
  time,
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, podTemplateSpec, typeMeta } from '../../machinery/index.ts';

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
      'RollingUpdate: some at a time, so that enough are available throughout. Recreate: all old ones go before the first new one comes.',
      oneOf(strategyName, ['Recreate', 'RollingUpdate']),
    ),
    rollingUpdate: field(
      2,
      'Details of a rolling update.',
      obj('RollingUpdateDeployment', 'Details of a rolling update.', {
        maxUnavailable: field(
          1,
          'How many of the wanted pods may be missing meanwhile: a number, or a percentage (rounded down). Not 0 when maxSurge is.',
          ptr(intOrString),
        ),
        maxSurge: field(
          2,
          'How many pods there may be beyond those wanted: a number, or a percentage (rounded up). Not 0 when maxUnavailable is.',
          ptr(intOrString),
        ),
      }),
    ),
  },
  { complete: completeStrategy, patchStrategy: 'retainKeys' },
);

const deploymentSpec = obj('DeploymentSpec', 'How many pods, of what, and how they are replaced.', {
  replicas: field(1, 'How many pods are wanted.', filled(ptr(int32), 1)),
  selector: field(2, 'The pods that count as its own; must fit the labels of the template and never changes.', {
    ...labelSelector,
    required: true,
  }),
  template: field(3, 'What pods are made of. When it changes, the pods of the old one are replaced.', req(podTemplateSpec)),
  strategy: field(4, 'How pods of an old template are replaced.', always(deploymentStrategy)),
  minReadySeconds: field(5, 'How long a pod must have been ready, none of its containers failing, to count as available.', int32),
  revisionHistoryLimit: field(6, 'How many past templates that nobody uses are kept, to go back to.', filled(ptr(int32), 10)),
  paused: field(7, 'While true, changes of the template wait; changes of replicas do not.', bool),
  progressDeadlineSeconds: field(
    9,
    'How long nothing may get better before the rollout is reported as stuck. Greater than minReadySeconds.',
    filled(ptr(int32), 600),
  ),
});
export type DeploymentSpec = Infer<typeof deploymentSpec>;

const deploymentCondition = obj('DeploymentCondition', 'How it stands with the Deployment.', {
  type: field(1, 'What is judged: Available, Progressing or ReplicaFailure. One condition a type.', req(str('DeploymentConditionType'))),
  status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
  lastUpdateTime: field(6, 'When it was last confirmed or changed.', always(time)),
  lastTransitionTime: field(7, 'When the status last changed from one value to another.', always(time)),
  reason: field(4, 'Why, as one word in CamelCase, for programs.', str()),
  message: field(5, 'Why, as a sentence, for people.', str()),
});
export type DeploymentCondition = Infer<typeof deploymentCondition>;

const deploymentStatus = obj('DeploymentStatus', 'How far it is.', {
  observedGeneration: field(1, 'The newest generation that the controller has acted on.', int64),
  replicas: field(2, 'Pods there are, of any template.', int32),
  updatedReplicas: field(3, 'Pods made of the present template.', int32),
  readyReplicas: field(7, 'Pods that are ready, of any template.', int32),
  availableReplicas: field(4, 'Pods that have been ready for at least minReadySeconds.', int32),
  unavailableReplicas: field(5, 'Pods that are still needed for all to be available; they may not exist yet.', int32),
  conditions: field(6, 'Whether enough is available, whether it gets on, and what is in the way.', mergeList(deploymentCondition, 'type')),
  collisionCount: field(8, 'How often the name of a new ReplicaSet was taken by another one.', ptr(int32)),
});
export type DeploymentStatus = Infer<typeof deploymentStatus>;

export const deploymentSchema = obj(
  'Deployment',
  'Pods of one template that are replaced step by step when the template changes, and can go back.',
  { ...typeMeta, spec: field(2, always(deploymentSpec)), status: field(3, always(deploymentStatus)) },
);
/** A stored Deployment: defaulted, validated and frozen. */
export type Deployment = ObjectOf<'Deployment', Infer<typeof deploymentSchema>>;
