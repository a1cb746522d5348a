/** Checks that rules of the specification for several kinds share: required members, conditions, CamelCase. */
import type { FieldError } from '../status.ts';
import { duplicate, invalid, notSupported, required } from './field-errors.ts';

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

/** Checks that a protocol is set. */
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

interface Stated {
  readonly type: string;
  readonly status: string;
}

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

/** Checks that the types of conditions are distinct. */
export function repeatedTypeErrors(conditions: readonly { readonly type: string }[] | null | undefined): FieldError[] {
  const seen = new Set<string>();
  return (conditions ?? []).flatMap(({ type }, at) => {
    if (seen.has(type)) return [duplicate(`status.conditions[${at}].type`, type)];
    seen.add(type);
    return [];
  });
}

/** Checks that reasons, if set, are one word. */
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
  const found = isObject(document) && Object.hasOwn(document, name) ? document[name] : undefined;
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
  isObject(document) && Object.hasOwn(document, step) && (rest.length === 0 ? document[step] === null : isNullAt(document[step], rest));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
