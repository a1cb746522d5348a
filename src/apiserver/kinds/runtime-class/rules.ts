/** Validation of RuntimeClasses. */
import { repeats, append, isDns1123Label, validateLabels } from '../../../schema/values/index.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  shown,
  type Toleration,
  tolerationType,
  validateResourceRequirements,
  validateTolerations,
} from '../../machinery/index.ts';
import type { RuntimeClass } from './shape.ts';

export function fieldErrors({ handler, overhead, scheduling }: RuntimeClass): FieldError[] {
  const errors: FieldError[] = isDns1123Label(handler).map((problem) => invalid('handler', handler, problem));
  // Upstream validates overhead as limits of a container, which shows in the path.
  if (overhead?.podFixed !== undefined) append(errors, validateResourceRequirements({ limits: overhead.podFixed }, 'overhead'));
  if (scheduling !== undefined)
    append(errors, validateLabels(scheduling.nodeSelector, 'scheduling.nodeSelector'), tolerationErrors(scheduling.tolerations ?? []));
  return errors;
}

function tolerationErrors(tolerations: readonly Toleration[]): FieldError[] {
  const errors = validateTolerations(tolerations, 'scheduling.tolerations.tolerations');
  // The tolerations are decoded, so equal ones have equal JSON texts.
  const seenBefore = repeats<string>();
  for (const [at, one] of tolerations.entries()) {
    if (seenBefore(JSON.stringify(one))) errors.push(duplicate(`scheduling.tolerations[${at}]`, shown(one, tolerationType)));
  }
  return errors;
}
