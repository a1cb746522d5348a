/** The plans of a kind, as `orchsim kinds KIND --plan` prints them. */
import { createAdmission } from '../admission/index.ts';
import { type Kind, type Names, partNames } from '../machinery/index.ts';
import { resourceOf } from '../request/index.ts';
import { plansOf } from '../write/index.ts';

/** Returns the stages of each write of a kind, in order, with what they read: one is skipped where a write changes none of it. */
export function plansFor(kind: Kind, names: Names) {
  const admission = createAdmission();
  const resource = resourceOf(kind, names);
  const plans = plansOf(kind, (verb, subresource) => admission.pluginsFor({ verb, resource, subresource }));
  return new Map([...plans].map(([verb, plan]) => [verb, plan.map(({ name, reads }) => ({ name, reads: partNames(reads) }))]));
}
