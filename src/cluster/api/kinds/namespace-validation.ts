/** Rules of namespaces. Models: v1.24 pkg/apis/core/validation ValidateNamespace. */
import { isQualifiedName } from '../../values/index.ts';
import type { KindContext } from '../kind.ts';
import type { FieldError } from '../status.ts';
import { invalid } from '../validation/field-errors.ts';
import { labelName, standardFinalizer, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import type { Namespace } from './namespace.ts';

function finalizerErrors(object: Namespace, context: KindContext): FieldError[] {
  return (object.spec.finalizers ?? []).flatMap((finalizer) => [...isQualifiedName(finalizer).map((problem) => invalid('spec.finalizers', finalizer, problem)), ...standardFinalizer(finalizer, 'spec.finalizers', context)]);
}

export const validateNamespace = (object: Namespace, context: KindContext): readonly FieldError[] => [...validateMeta(object, false, labelName, context), ...finalizerErrors(object, context)];
export const validateNamespaceUpdate = (object: Namespace, old: Namespace, context: KindContext): readonly FieldError[] => [...validateNamespace(object, context), ...validateMetaUpdate(object, old, context)];
