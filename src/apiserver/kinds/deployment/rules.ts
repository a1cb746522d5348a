/** Validation of Deployments. Models: v1.24 pkg/apis/apps/validation, pkg/registry/apps/deployment/strategy.go. */
import { append, type GoType, isValidPercent } from '../../../schema/values/index.ts';
import {
  type FieldError,
  forbidden,
  immutableSelector,
  invalid,
  type KindContext,
  nonNegative,
  notSupported,
  pointer,
  replicatedTemplateErrors,
  shown,
  statusCountErrors,
  struct,
  subdomainName,
  text,
  validateMeta,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import type { Deployment, DeploymentSpec } from './shape.ts';

const shareType: GoType = { type: 'intOrString' };
const rollingType = struct('apps.RollingUpdateDeployment', { MaxUnavailable: shareType, MaxSurge: shareType });
const strategyType = struct('apps.DeploymentStrategy', { Type: text, RollingUpdate: pointer(rollingType) });

export const validateDeployment = (object: Deployment, context: KindContext): readonly FieldError[] => [
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

export const validateDeploymentUpdate = (object: Deployment, old: Deployment, context: KindContext): readonly FieldError[] => [
  ...validateMetaUpdate(object, old, context),
  ...specErrors(object.spec, context),
  ...immutableSelector(object.spec.selector, old.spec.selector),
];

export function validateDeploymentStatusUpdate(object: Deployment, old: Deployment, context: KindContext): readonly FieldError[] {
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
