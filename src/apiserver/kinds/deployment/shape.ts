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
  {
    type: strategyName,
    rollingUpdate: obj('RollingUpdateDeployment', { maxUnavailable: ptr(intOrString), maxSurge: ptr(intOrString) }),
  },
  { complete: completeStrategy, patchStrategy: 'retainKeys' },
);

const deploymentSpec = obj('DeploymentSpec', {
  replicas: filled(ptr(int32), 1),
  selector: { ...labelSelector, required: true },
  template: req(podTemplateSpec),
  strategy: always(deploymentStrategy),
  minReadySeconds: int32,
  revisionHistoryLimit: filled(ptr(int32), 10),
  paused: bool,
  progressDeadlineSeconds: filled(ptr(int32), 600),
});
export type DeploymentSpec = Infer<typeof deploymentSpec>;

const deploymentCondition = obj('DeploymentCondition', {
  type: req(str('DeploymentConditionType')),
  status: req(str('ConditionStatus')),
  lastUpdateTime: always(time),
  lastTransitionTime: always(time),
  reason: str(),
  message: str(),
});
export type DeploymentCondition = Infer<typeof deploymentCondition>;

const deploymentStatus = obj('DeploymentStatus', {
  observedGeneration: int64,
  replicas: int32,
  updatedReplicas: int32,
  readyReplicas: int32,
  availableReplicas: int32,
  unavailableReplicas: int32,
  conditions: mergeList(deploymentCondition, 'type'),
  collisionCount: ptr(int32),
});
export type DeploymentStatus = Infer<typeof deploymentStatus>;

export const deploymentSchema = obj('Deployment', { ...typeMeta, spec: always(deploymentSpec), status: always(deploymentStatus) });
/** A stored Deployment: defaulted, validated and frozen. */
export type Deployment = ObjectOf<'Deployment', Infer<typeof deploymentSchema>>;
