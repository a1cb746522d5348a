/** Parts that objects share by reference: those of a template, the items of a long list. They are compared and validated once. */
import type { FieldError, KindContext } from '../objects/index.ts';

export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!sameValue(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  let count = 0;
  for (const key in left) {
    const value = left[key];
    if (value === undefined) continue;
    if (!sameValue(value, right[key])) return false;
    count++;
  }
  for (const key in right) if (right[key] !== undefined) count--;
  return count === 0;
}

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
