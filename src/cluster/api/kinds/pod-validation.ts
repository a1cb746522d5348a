/** Rules of pods as objects. Models: v1.24 pkg/apis/core/validation ValidatePodCreate, ValidatePodUpdate, ValidatePodStatusUpdate. */
import type { KindContext } from '../kind.ts';
import type { ApiObject } from '../object.ts';
import type { FieldError } from '../status.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';

export const validatePod = (object: ApiObject, context: KindContext): readonly FieldError[] => validateMeta(object, true, subdomainName, context);
export const validatePodUpdate = (object: ApiObject, old: ApiObject): readonly FieldError[] => validateMetaUpdate(object, old);
export const validatePodStatusUpdate = (object: ApiObject, old: ApiObject): readonly FieldError[] => validateMetaUpdate(object, old);
