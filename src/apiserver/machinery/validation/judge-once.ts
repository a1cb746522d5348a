/** Parts found right before: a template is shared by reference by every object made from it, a long list's items by its revisions. */
import type { KindContext } from '../kind.ts';
import type { FieldError } from '../status.ts';

/** By what the judgement depends on besides the part. */
const judged = new Map<string, WeakSet<object>>();

/** What `check` finds wrong with a shared part, looked at once. `also`: what it depends on besides the part and the names of the domain. */
export function judgeOnce(part: object, context: KindContext, check: () => FieldError[], also = ''): FieldError[] {
  const under = also === '' ? context.names.domain : `${context.names.domain} ${also}`;
  let right = judged.get(under);
  if (right === undefined) judged.set(under, (right = new WeakSet()));
  if (right.has(part)) return [];
  const errors = check();
  // What is not frozen may change under the same identity.
  if (errors.length === 0 && Object.isFrozen(part)) right.add(part);
  return errors;
}
