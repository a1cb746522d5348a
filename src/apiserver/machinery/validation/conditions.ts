/** Validation of conditions of the common type. Models: v1.24 apimachinery pkg/apis/meta/v1/validation ValidateConditions. */
import { byteLength, regexError, validateLabelName } from '../../../schema/values/index.ts';
import type { FieldError } from '../status.ts';
import { duplicate, invalid, notSupported, required, tooLong } from './field-errors.ts';

interface CommonCondition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string | null;
  readonly reason: string;
  readonly message: string;
}

const STATES = ['False', 'True', 'Unknown'];
const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON_TEXT =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
const isReason = new RegExp(`^${REASON}$`);
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;

export function validateConditions(conditions: readonly CommonCondition[] = [], field = 'status.conditions'): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, at) => {
    const again = seen.has(condition.type) ? [duplicate(`${field}[${at}].type`, condition.type)] : [];
    seen.add(condition.type);
    return [...again, ...conditionErrors(condition, `${field}[${at}]`)];
  });
}

function conditionErrors(
  { type, status, observedGeneration = 0, lastTransitionTime, reason, message }: CommonCondition,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [...validateLabelName(type, `${field}.type`)];
  if (!STATES.includes(status)) errors.push(notSupported(`${field}.status`, status, STATES));
  if (observedGeneration < 0)
    errors.push(invalid(`${field}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'));
  if (lastTransitionTime === null) errors.push(required(`${field}.lastTransitionTime`, 'must be set'));
  if (reason === '') errors.push(required(`${field}.reason`, 'must be set'));
  else if (!isReason.test(reason))
    errors.push(
      invalid(
        `${field}.reason`,
        reason,
        regexError(REASON_TEXT, REASON, 'my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'),
      ),
    );
  if (byteLength(reason) > MAX_REASON) errors.push(tooLong(`${field}.reason`, reason, MAX_REASON));
  if (byteLength(message) > MAX_MESSAGE) errors.push(tooLong(`${field}.message`, message, MAX_MESSAGE));
  return errors;
}
