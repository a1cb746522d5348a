/** Validation of resource amounts. Models: v1.24 pkg/apis/core/validation ValidateResourceRequirements and helper names. */
import { amountAsGiven } from '../../schema/shape/index.ts';
import {
  own,
  append,
  compareQuantities,
  compareText,
  isQualifiedName,
  parseQuantity,
  quantityMilliValue,
  quantitySign,
  quantityValue,
  ZERO_QUANTITY,
  type Quantity,
} from '../../schema/values/index.ts';
import type { ResourceRequirements } from '../structs/index.ts';
import type { FieldError } from '../objects/index.ts';
import { forbidden, invalid, required } from './field-errors.ts';
import { shownQuantity } from './go-types.ts';

type Amounts = Readonly<Record<string, string>>;

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const STANDARD: ReadonlySet<string> = new Set([
  ...COMPUTE,
  'storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  ...COUNTED,
]);
const HUGE_PAGES = 'hugepages-';
/** A quota may limit huge pages by their name or as requests for them. */
const isQuotaPage = (name: string): boolean => isHugePage(name) || name.startsWith(`requests.${HUGE_PAGES}`);
/** Whether a quota may limit a resource: any standard one but plain storage. */
export const isQuotaResource = (name: string): boolean => (STANDARD.has(name) && name !== 'storage') || isQuotaPage(name);
const isHugePage = (name: string): boolean => name.startsWith(HUGE_PAGES);

/** Whether a resource is native: without a prefix, or in the domain of the system. */
const isNative = (name: string): boolean => !name.includes('/') || /(^|\.)(kubernetes|orch)\.io\//.test(name);
const isExtendedResource = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;
/** Only native resources that are not huge pages may be overcommitted. */
export const mayOvercommit = (name: string): boolean => isNative(name) && !isHugePage(name);

const amountOf = (text: string | undefined): Quantity => {
  const parsed = parseQuantity(text ?? '0');
  return parsed.error === undefined ? parsed.value : ZERO_QUANTITY;
};

export function validateResourceName(name: string, field: string): FieldError[] {
  const problems = isQualifiedName(name);
  if (problems.length > 0) return problems.map((problem) => invalid(field, name, problem));
  return !name.includes('/') && !STANDARD.has(name) && !isQuotaPage(name)
    ? [invalid(field, name, 'must be a standard resource type or fully qualified')]
    : [];
}

export function validateContainerResourceName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  if (!name.includes('/')) {
    if (!COMPUTE.includes(name) && !isHugePage(name)) errors.push(invalid(field, name, 'must be a standard resource for containers'));
  } else if (!isNative(name) && !isExtendedResource(name))
    errors.push(invalid(field, name, "doesn't follow extended resource name standard"));
  return errors;
}

/** Whether an amount is a multiple of the page size in the resource's name. */
function wholePages(name: string, amount: string): boolean {
  const size = parseQuantity(name.slice(HUGE_PAGES.length));
  if (size.error !== undefined || quantitySign(size.value) <= 0 || quantityMilliValue(size.value) % 1000n !== 0n) return false;
  return quantityValue(amountOf(amount)) % quantityValue(size.value) === 0n;
}

const pageErrors = (name: string, amount: string, field: string): FieldError[] =>
  isHugePage(name) && !wholePages(name, amount) ? [invalid(field, amount, `${amount} is not positive integer multiple of ${name}`)] : [];

/** The amount must not be negative, and must be whole for countable resources. `written`: the amount as written. */
export function validateAmount(name: string, amount: string, field: string, written = amount): FieldError[] {
  const errors: FieldError[] = [];
  const quantity = amountOf(amount);
  if (quantitySign(quantity) < 0) errors.push(invalid(field, amount, 'must be greater than or equal to 0'));
  if ((COUNTED.has(name) || isExtendedResource(name)) && quantityMilliValue(quantity) % 1000n !== 0n)
    errors.push(invalid(field, shownQuantity(written), 'must be an integer'));
  return errors;
}

const given = (amounts: Amounts | undefined, name: string): string => (amounts === undefined ? '0' : amountAsGiven(amounts, name));
const namesOf = (amounts: Amounts | undefined): readonly string[] => Object.keys(amounts ?? {}).sort(compareText);

function againstLimit(name: string, amount: string, limit: string | undefined, field: string): FieldError[] {
  if (limit === undefined)
    return mayOvercommit(name) ? [] : [required(`${field}.limits`, 'Limit must be set for non overcommitable resources')];
  const order = compareQuantities(amountOf(amount), amountOf(limit));
  if (order !== 0 && !mayOvercommit(name)) return [invalid(`${field}.requests`, amount, `must be equal to ${name} limit`)];
  return order > 0 ? [invalid(`${field}.requests`, amount, `must be less than or equal to ${name} limit`)] : [];
}

/** Validates every amount of a list. */
export const validateAmounts = (amounts: Amounts | undefined, fieldOf: (name: string) => string): FieldError[] =>
  amounts === undefined
    ? []
    : Object.keys(amounts).flatMap((name) => validateAmount(name, amounts[name] ?? '0', fieldOf(name), amountAsGiven(amounts, name)));

export function validateResourceRequirements({ limits, requests }: ResourceRequirements, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const [limited, requested] = [namesOf(limits), namesOf(requests)];
  for (const name of limited)
    append(
      errors,
      validateContainerResourceName(name, `${field}.limits[${name}]`),
      validateAmount(name, own(limits, name) ?? '0', `${field}.limits[${name}]`, given(limits, name)),
      pageErrors(name, own(limits, name) ?? '0', `${field}.limits[${name}]`),
    );
  for (const name of requested) {
    const amount = own(requests, name) ?? '0';
    append(
      errors,
      validateContainerResourceName(name, `${field}.requests[${name}]`),
      validateAmount(
        name,
        amount,
        `${field}.requests[${name}]`,
        amount === own(limits, name) ? given(limits, name) : given(requests, name),
      ),
    );
    append(errors, againstLimit(name, amount, own(limits, name), field), pageErrors(name, amount, `${field}.requests[${name}]`));
  }
  const all = [...limited, ...requested];
  if (all.some(isHugePage) && !all.some((name) => name === 'cpu' || name === 'memory'))
    errors.push(forbidden(field, 'HugePages require cpu or memory'));
  return errors;
}
