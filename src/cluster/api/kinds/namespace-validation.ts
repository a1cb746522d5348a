/** Rules of namespaces. Models: v1.24 pkg/apis/core/validation ValidateNamespace. */
import { isQualifiedName } from '../../values/index.ts';
import type { KindContext } from '../kind.ts';
import type { ApiObject } from '../object.ts';
import type { FieldError } from '../status.ts';
import { invalid } from '../validation/field-errors.ts';
import { labelName, standardFinalizer, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import type { Namespace } from './namespace.ts';

function finalizerErrors(object: ApiObject, context: KindContext): FieldError[] {
  return ((object as unknown as Namespace).spec.finalizers ?? []).flatMap((finalizer) => [...isQualifiedName(finalizer).map((problem) => invalid('spec.finalizers', finalizer, problem)), ...standardFinalizer(finalizer, 'spec.finalizers', context)]);
}

export const validateNamespace = (object: ApiObject, context: KindContext): readonly FieldError[] => [...validateMeta(object, false, labelName, context), ...finalizerErrors(object, context)];
export const validateNamespaceUpdate = (object: ApiObject, old: ApiObject, context: KindContext): readonly FieldError[] => [...validateNamespace(object, context), ...validateMetaUpdate(object, old, context)];
