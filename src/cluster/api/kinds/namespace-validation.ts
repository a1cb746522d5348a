/** Rules of namespaces. Models: v1.24 pkg/apis/core/validation ValidateNamespace. */
import type { KindContext } from '../kind.ts';
import type { ApiObject } from '../object.ts';
import type { FieldError } from '../status.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';

export const validateNamespace = (object: ApiObject, context: KindContext): readonly FieldError[] => validateMeta(object, false, subdomainName, context);
export const validateNamespaceUpdate = (object: ApiObject, old: ApiObject): readonly FieldError[] => validateMetaUpdate(object, old);
