/**
 * Conditions of the common type, and what rules of the specification for several kinds share: required members, CamelCase. Models: v1.24
 * apimachinery pkg/apis/meta/v1/validation ValidateConditions.
 */
import {
  byteLength,
  formatTime,
  isDns1123Subdomain,
  parseIp,
  regexError,
  validateLabelName,
  isMapping,
} from '../../schema/values/index.ts';
import type { ApiObject, FieldError } from '../objects/index.ts';
import { duplicate, invalid, notSupported, ofEach, problemsAt, repeatedErrors, required, tooLong } from './field-errors.ts';

const STATES = ['False', 'True', 'Unknown'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

const CAMEL_CASE = /^[A-Z][A-Za-z0-9]*$/;
/** Whether a text is one word such as `PortOutOfRange`. */
const isCamelCase = (text: string): boolean => CAMEL_CASE.test(text);

const DOMAIN = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)*$/;
/** Whether a text is such a word, optionally after a domain: `example.com/PortOutOfRange`. */
export function isCamelCaseOfDomain(text: string): boolean {
  const slash = text.indexOf('/');
  return slash < 0 ? isCamelCase(text) : DOMAIN.test(text.slice(0, slash)) && isCamelCase(text.slice(slash + 1));
}

/** Checks the status of a condition: True, False or Unknown. */
const stateErrors = (status: string, field: string): FieldError[] =>
  status === '' ? [required(field)] : STATES.includes(status) ? [] : [notSupported(field, status, STATES)];

export const protocolErrors = (protocol: string, field: string): FieldError[] =>
  protocol === '' ? [required(field)] : PROTOCOLS.includes(protocol) ? [] : [notSupported(field, protocol, PROTOCOLS)];

/** A service name by RFC 6335, section 5.1. */
const SERVICE_NAME = /^(?=.*[A-Za-z])(?!.*--)[A-Za-z0-9](?:[A-Za-z0-9-]{0,13}[A-Za-z0-9])?$/;

/** A protocol without a prefix must be a registered service name; texts that cannot be one are refused. */
export const appProtocolErrors = (
  ports: readonly { readonly appProtocol?: string | undefined }[] | null | undefined,
  field: string,
): FieldError[] =>
  (ports ?? []).flatMap(({ appProtocol }, at) =>
    appProtocol === undefined || appProtocol.includes('/') || SERVICE_NAME.test(appProtocol)
      ? []
      : [
          invalid(
            `${field}[${at}].appProtocol`,
            appProtocol,
            "names without a prefix are reserved for services (RFC 6335: at most 15 letters, digits and single hyphens, with a letter): other protocols have one, as in 'example.com/my-protocol'",
          ),
        ],
  );

type Stated = { readonly type: string; readonly status: string };

/** Checks that conditions have a type (of the closed set `types`, if given) and a status. */
export function conditionErrors(conditions: readonly Stated[] | null | undefined, types?: readonly string[]): FieldError[] {
  return (conditions ?? []).flatMap(({ type, status }, at) => {
    const field = `status.conditions[${at}]`;
    const named =
      type === ''
        ? [required(`${field}.type`)]
        : types === undefined || types.includes(type)
          ? []
          : [notSupported(`${field}.type`, type, types)];
    return [...named, ...stateErrors(status, `${field}.status`)];
  });
}

export const reasonErrors = (conditions: readonly { readonly reason?: string | undefined }[] | null | undefined): FieldError[] =>
  (conditions ?? []).flatMap(({ reason = '' }, at) =>
    reason === '' || isCamelCase(reason)
      ? []
      : [invalid(`status.conditions[${at}].reason`, reason, 'must be one word in CamelCase, such as FailedDiscoveryCheck')],
  );

/**
 * Returns errors for a member that a document omits. `way`: the path to the member. A step that ends in `?` is optional; a step that ends
 * in `[]` is a list, and the rest applies to each item.
 */
export function absentErrors(document: unknown, way: readonly string[], field = ''): FieldError[] {
  const [step, ...rest] = way;
  // Without a document nothing was omitted.
  if (step === undefined || (document === undefined && field === '')) return [];
  const name = step.replace(/[?[\]]+$/, '');
  const path = field === '' ? name : `${field}.${name}`;
  const found = isMapping(document) && Object.hasOwn(document, name) ? document[name] : undefined;
  if (step.endsWith('[]'))
    return (Array.isArray(found) ? (found as readonly unknown[]) : []).flatMap((item, at) => absentErrors(item, rest, `${path}[${at}]`));
  if (step.endsWith('?') && (found === undefined || found === null)) return [];
  if (rest.length > 0) return absentErrors(found, rest, path);
  return found === undefined || found === null ? [required(path)] : [];
}

/** The same for a list that may be empty. Storage drops an empty list and shows `null`, so `null` is accepted if `stored` is empty. */
export const absentListErrors = (document: unknown, way: readonly string[], stored: readonly unknown[] | null | undefined): FieldError[] =>
  stored !== undefined && (stored ?? []).length === 0 && isNullAt(document, way) ? [] : absentErrors(document, way);

const isNullAt = (document: unknown, [step = '', ...rest]: readonly string[]): boolean =>
  isMapping(document) && Object.hasOwn(document, step) && (rest.length === 0 ? document[step] === null : isNullAt(document[step], rest));

interface CommonCondition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string | null;
  readonly reason: string;
  readonly message: string;
}

const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON_TEXT =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
const isReason = new RegExp(`^${REASON}$`);
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;

export function validateConditions(conditions: readonly CommonCondition[] = []): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, at) => {
    const field = `status.conditions[${at}]`;
    const again = seen.has(condition.type) ? [duplicate(`${field}.type`, condition.type)] : [];
    seen.add(condition.type);
    return [...again, ...commonConditionErrors(condition, field)];
  });
}

function commonConditionErrors(
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

/** What is found out of an object, as a condition of it. */
export type FoundCondition = Readonly<Record<'type' | 'status' | 'reason' | 'message', string>>;
type Kept = Pick<CommonCondition, 'type' | 'status' | 'lastTransitionTime'> & { readonly reason?: string; readonly message?: string };

/** Returns the conditions with this one; the same list when nothing changes. The time changes only with the status. */
export function withCondition(conditions: readonly Kept[] = [], found: FoundCondition, now: number): readonly Kept[] {
  const old = conditions.find(({ type }) => type === found.type);
  if (old?.status === found.status && old.reason === found.reason && old.message === found.message) return conditions;
  const { type, status, reason, message } = found;
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : formatTime(now);
  const made: Kept = { type, status, lastTransitionTime, reason, message };
  return old === undefined ? [...conditions, made] : conditions.map((each) => (each === old ? made : each));
}

interface Conditioned extends ApiObject {
  readonly status: { readonly conditions?: readonly Stated[] | undefined };
}

/** Returns the rule that conditions have a type and a status; `kind` is the first part of its name. */
export const conditionStates = (kind: string) => ({
  name: `${kind}/condition-states`,
  field: 'status.conditions[].status, .type',
  statement: 'A condition has a type, and the status True, False or Unknown.',
  recorded: 'accepts any text',
  check: ({ status }: Conditioned): readonly FieldError[] => conditionErrors(status.conditions),
});

/** Returns the rule that the types of conditions differ. */
export const oneConditionOfAType = (kind: string) => ({
  name: `${kind}/one-condition-of-a-type`,
  field: 'status.conditions[].type',
  statement: 'Each type has at most one condition.',
  place: 'status.conditions; Conventions 4',
  recorded: 'accepts several',
  check: ({ status }: Conditioned): readonly FieldError[] =>
    repeatedErrors(
      status.conditions,
      'status.conditions',
      ({ type }) => type,
      (field, { type }) => duplicate(`${field}.type`, type),
    ),
});

/** The status of a load balancer. Models: v1.24 pkg/apis/core/validation ValidateLoadBalancerStatus. */
type Point = { readonly ip?: string; readonly hostname?: string };

export const validateLoadBalancerStatus = ({ ingress }: { readonly ingress?: readonly Point[] }): FieldError[] =>
  ofEach(ingress, 'status.loadBalancer.ingress', ({ ip, hostname }, path) => [
    ...(ip !== undefined && parseIp(ip) === undefined ? [invalid(`${path}.ip`, ip, 'must be a valid IP address')] : []),
    ...(hostname === undefined ? [] : problemsAt(isDns1123Subdomain(hostname), `${path}.hostname`, hostname)),
    ...(hostname !== undefined && parseIp(hostname) !== undefined
      ? [invalid(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address')]
      : []),
  ]);
