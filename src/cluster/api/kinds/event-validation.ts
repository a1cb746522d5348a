/** Rules of events. Models: v1.24 pkg/apis/core/validation/events.go, legacy part. */
import type { KindContext } from '../kind.ts';
import type { ApiObject } from '../object.ts';
import type { FieldError } from '../status.ts';
import { validateMeta } from '../validation/object-meta.ts';

export function validateEvent(object: ApiObject, context: KindContext): readonly FieldError[] {
  return validateMeta(object, true, () => [], context);
}
