/**
 * A cache of parts that were found valid: all objects made from a template share it by reference, as revisions share the items of a long
 * list.
 */
import type { KindContext } from '../kind.ts';
import type { FieldError } from '../status.ts';

/** By the input of the validation besides the part. */
const valid = new Map<string, WeakSet<object>>();

/**
 * Returns the errors of a shared part, which is validated once. `also`: the input of the validation besides the part and the names of the
 * domain.
 */
export function validateOnce(part: object, context: KindContext, check: () => FieldError[], also = ''): FieldError[] {
  const under = also === '' ? context.names.domain : `${context.names.domain} ${also}`;
  let right = valid.get(under);
  if (right === undefined) valid.set(under, (right = new WeakSet()));
  if (right.has(part)) return [];
  const errors = check();
  // A part that is not frozen may change.
  if (errors.length === 0 && Object.isFrozen(part)) right.add(part);
  return errors;
}
