/** Validation of namespaces. Models: v1.24 pkg/apis/core/validation ValidateNamespace. */
import { isQualifiedName } from '../../../schema/values/index.ts';
import {
  type FieldError,
  invalid,
  type KindContext,
  labelName,
  standardFinalizer,
  validateMeta,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import type { Namespace } from './shape.ts';

function finalizerErrors(object: Namespace, context: KindContext): FieldError[] {
  return (object.spec.finalizers ?? []).flatMap((finalizer) => [
    ...isQualifiedName(finalizer).map((problem) => invalid('spec.finalizers', finalizer, problem)),
    ...standardFinalizer(finalizer, 'spec.finalizers', context),
  ]);
}

export const validateNamespace = (object: Namespace, context: KindContext): readonly FieldError[] => [
  ...validateMeta(object, false, labelName, context),
  ...finalizerErrors(object, context),
];
export const validateNamespaceUpdate = (object: Namespace, old: Namespace, context: KindContext): readonly FieldError[] => [
  ...validateNamespace(object, context),
  ...validateMetaUpdate(object, old, context),
];

/** The phase is Terminating exactly while the namespace is being deleted. */
export function validateNamespaceStatus(object: Namespace, old: Namespace, context: KindContext): readonly FieldError[] {
  const errors = validateMetaUpdate(object, old, context);
  const { phase } = object.status;
  if (object.metadata.deletionTimestamp === undefined) {
    if (phase !== 'Active') errors.push(invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty"));
  } else if (phase !== 'Terminating')
    errors.push(invalid('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty"));
  return errors;
}
