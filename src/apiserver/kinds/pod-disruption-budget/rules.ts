/** Validation of PodDisruptionBudgets. */
import { append, type GoType, isValidPercent, validateLabelSelector } from '../../../schema/values/index.ts';
import {
  type FieldError,
  invalid,
  type KindContext,
  labelSelectorType,
  pathSegmentName,
  pointer,
  shown,
  struct,
  validateConditions,
  validateMeta,
} from '../../machinery/index.ts';
import type { PodDisruptionBudget } from './shape.ts';

const shareType: GoType = { type: 'intOrString' };
const specType = struct('policy.PodDisruptionBudgetSpec', {
  MinAvailable: pointer(shareType),
  Selector: pointer(labelSelectorType),
  MaxUnavailable: pointer(shareType),
});

function shareErrors(value: number | string | undefined, field: string): FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
  const as = shown(value, shareType);
  const errors: FieldError[] = isValidPercent(value).map((problem) => invalid(field, as, problem));
  if (errors.length === 0 && Number(value.slice(0, -1)) > 100) errors.push(invalid(field, as, 'must not be greater than 100%'));
  return errors;
}

export function specErrors({ spec }: PodDisruptionBudget): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined)
    errors.push(invalid('spec', shown(spec, specType), 'minAvailable and maxUnavailable cannot be both set'));
  append(errors, shareErrors(spec.minAvailable, 'spec.minAvailable'), shareErrors(spec.maxUnavailable, 'spec.maxUnavailable'));
  return [...errors, ...validateLabelSelector(spec.selector, 'spec.selector')];
}

/** Metadata is not validated here: the common rules apply after the others, and any path segment is a valid name. */
export function fieldErrors(object: PodDisruptionBudget, context: KindContext): FieldError[] {
  const errors = specErrors(object);
  return errors.length > 0 ? errors : validateMeta(object, true, pathSegmentName, context, 'metadata', false);
}

const COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;
export const statusErrors = ({ status }: PodDisruptionBudget): FieldError[] => [
  ...validateConditions(status.conditions),
  ...COUNTS.filter((name) => status[name] < 0).map((name) => invalid(`status.${name}`, status[name], 'must be greater than or equal to 0')),
];
