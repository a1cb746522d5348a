/** Validation of PriorityClasses. */
import {
  type FieldError,
  forbidden,
  type KindContext,
  notSupported,
  required,
  subdomainName,
  validateMeta,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import type { PriorityClass } from './shape.ts';

const HIGHEST_OF_USERS = 1_000_000_000;
const SYSTEM: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

function policyErrors({ preemptionPolicy }: PriorityClass): FieldError[] {
  if (preemptionPolicy === '') return [required('preemptionPolicy')];
  return preemptionPolicy === 'PreemptLowerPriority' || preemptionPolicy === 'Never'
    ? []
    : [notSupported('preemptionPolicy', preemptionPolicy, ['PreemptLowerPriority', 'Never'])];
}

export function validate(priority: PriorityClass, context: KindContext): FieldError[] {
  const { name } = priority.metadata;
  const errors = validateMeta(priority, false, subdomainName, context);
  if (name.startsWith('system-')) {
    if (SYSTEM.get(name) !== priority.value)
      errors.push(
        forbidden(
          'metadata.name',
          `priority class names with 'system-' prefix are reserved for system use only. error: ${SYSTEM.has(name) ? `value of ${name} PriorityClass must be ${SYSTEM.get(name) ?? 0}` : `${name} is not a known system priority class`}`,
        ),
      );
  } else if (priority.value > HIGHEST_OF_USERS)
    errors.push(forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST_OF_USERS}`));
  return [...errors, ...policyErrors(priority)];
}

export function validateUpdate(object: PriorityClass, old: PriorityClass, context: KindContext): readonly FieldError[] {
  const errors = validateMetaUpdate(object, old, context);
  if (object.value !== old.value) errors.push(forbidden('value', 'may not be changed in an update.'));
  if (object.preemptionPolicy !== old.preemptionPolicy)
    errors.push({ type: 'Invalid', field: 'preemptionPolicy', value: object.preemptionPolicy, detail: 'field is immutable' });
  return errors;
}
