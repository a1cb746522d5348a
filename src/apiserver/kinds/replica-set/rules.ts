/** Validation of ReplicaSets. Models: v1.24 pkg/apis/apps/validation, pkg/registry/apps/replicaset/strategy.go. */
import { append } from '../../../schema/values/index.ts';
import {
  type FieldError,
  immutableSelector,
  type KindContext,
  nonNegative,
  replicatedTemplateErrors,
  statusCountErrors,
  subdomainName,
  validateMeta,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import type { ReplicaSet, ReplicaSetSpec } from './shape.ts';

export const validateReplicaSet = (object: ReplicaSet, context: KindContext): readonly FieldError[] => [
  ...validateMeta(object, true, subdomainName, context),
  ...specErrors(object.spec, context),
];

function specErrors(spec: ReplicaSetSpec, context: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  nonNegative(spec.replicas, 'spec.replicas', errors);
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors);
  append(errors, replicatedTemplateErrors(spec, context));
  return errors;
}

/** Upstream validates the whole new object, then the change, and with it the specification again. */
export const validateReplicaSetUpdate = (object: ReplicaSet, old: ReplicaSet, context: KindContext): readonly FieldError[] => [
  ...validateReplicaSet(object, context),
  ...validateMetaUpdate(object, old, context),
  ...specErrors(object.spec, context),
  ...immutableSelector(object.spec.selector, old.spec.selector),
];

export const validateReplicaSetStatusUpdate = (object: ReplicaSet, old: ReplicaSet, context: KindContext): readonly FieldError[] => [
  ...validateMetaUpdate(object, old, context),
  ...statusCountErrors(
    object.status,
    ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
    ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  ),
];
