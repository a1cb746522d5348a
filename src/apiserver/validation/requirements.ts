/**
 * Validation of what pods require of nodes: amounts of resources, affinity, tolerations and topology spread. Models: v1.24
 * pkg/apis/core/validation ValidateResourceRequirements and helper names, ValidateNodeSelector, ValidateTolerations.
 */
import { amountAsGiven } from '../../schema/shape/index.ts';
import {
  append,
  compareQuantities,
  compareText,
  isDns1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  own,
  parseQuantity,
  quantityMilliValue,
  quantitySign,
  quantityValue,
  validateLabelName,
  ZERO_QUANTITY,
} from '../../schema/values/index.ts';
import type { Quantity } from '../../schema/values/index.ts';
import type { FieldError } from '../objects/index.ts';
import { affinity as schema, toleration as tolerationSchema, topologySpreadConstraint } from '../structs/index.ts';
import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  ResourceRequirements,
  Toleration,
  TopologySpreadConstraint,
} from '../structs/index.ts';
import { facetErrors } from './facets.ts';
import { duplicate, forbidden, invalid, notSupported, ofEach, problemsAt, required } from './field-errors.ts';
import { shown, shownQuantity } from './go-types.ts';

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

/** Whether a resource is native: without a prefix, or with one of the system. Upstream takes each prefix that ends in `kubernetes.io`. */
const isNative = (name: string): boolean => !name.includes('/') || /kubernetes\.io\/|(^|\.)orch\.io\//.test(name);
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

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Affinity, field: string): FieldError[] {
  const { nodeAffinity: node = {} } = affinity;
  const fields = schema.fields.nodeAffinity.fields;
  const errors = node[REQUIRED] === undefined ? [] : validateNodeSelector(node[REQUIRED], `${field}.nodeAffinity.${REQUIRED}`);
  append(
    errors,
    ofEach(node[PREFERRED], `${field}.nodeAffinity.${PREFERRED}`, (term, path) => [
      ...facetErrors(fields[PREFERRED].items, term, path, 'weight'),
      ...validateNodeSelectorTerm(term.preference, `${path}.preference`),
    ]),
    facetErrors(schema, affinity, field, 'podAffinity', 'podAntiAffinity'),
  );
  return errors;
}

export function validateNodeSelector({ nodeSelectorTerms: terms }: NodeSelector, field: string): FieldError[] {
  return (terms ?? []).length === 0
    ? [required(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')]
    : ofEach(terms, `${field}.nodeSelectorTerms`, validateNodeSelectorTerm);
}

const validateNodeSelectorTerm = ({ matchExpressions, matchFields }: NodeSelectorTerm, field: string): FieldError[] => [
  ...ofEach(matchExpressions, `${field}.matchExpressions`, validateExpression),
  ...ofEach(matchFields, `${field}.matchFields`, validateFieldExpression),
];

function validateExpression({ key, operator, values = [] }: NodeSelectorRequirement, field: string): FieldError[] {
  const errors: FieldError[] = [];
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) errors.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0)
        errors.push(forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) errors.push(required(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      break;
    default:
      errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  }
  return [...errors, ...validateLabelName(key, `${field}.key`)];
}

function validateFieldExpression({ key, operator, values = [] }: NodeSelectorRequirement, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  else if (values.length !== 1)
    errors.push(required(`${field}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  if (key !== 'metadata.name') errors.push(invalid(`${field}.key`, key, 'not a valid field selector key'));
  else
    append(
      errors,
      ofEach(values, `${field}.values`, (value, path) => problemsAt(isDns1123Subdomain(value), path, value)),
    );
  return errors;
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const validateTolerations = (tolerations: readonly Toleration[] | undefined, field: string): FieldError[] =>
  ofEach(tolerations, field, (toleration, path) => {
    const errors: FieldError[] = [];
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const refuse = (shownValue: unknown, why: string): unknown => errors.push(invalid(`${path}.operator`, shownValue, why));
    if (key !== '') append(errors, validateLabelName(key, `${path}.key`));
    else if (operator !== 'Exists')
      refuse(operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"');
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute')
      errors.push(invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    if (operator === '' || operator === 'Equal') {
      const problems = isValidLabelValue(value);
      if (problems.length > 0) refuse(value, problems.join(';'));
    } else if (operator === 'Exists') {
      if (value !== '') refuse(shown(toleration, tolerationSchema), "value must be empty when `operator` is 'Exists'");
    } else errors.push(notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
    if (effect !== '' && !EFFECTS.includes(effect)) errors.push(notSupported(`${path}.effect`, effect, EFFECTS));
    return errors;
  });

const pairOf = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string => JSON.stringify([topologyKey, whenUnsatisfiable]);

export function validateTopologySpread(constraints: readonly TopologySpreadConstraint[], field: string): FieldError[] {
  const last = new Map(constraints.map((one, at) => [pairOf(one), `${field}[${at}]`]));
  return ofEach(constraints, field, (constraint, path) => {
    const { topologyKey, whenUnsatisfiable, minDomains } = constraint;
    const errors = facetErrors(topologySpreadConstraint, constraint, path, 'maxSkew', 'topologyKey', 'whenUnsatisfiable');
    if (last.get(pairOf(constraint)) !== path)
      errors.push(duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`));
    append(errors, facetErrors(topologySpreadConstraint, constraint, path, 'minDomains'));
    if (minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule')
      errors.push(
        invalid(`${path}.minDomains`, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`),
      );
    return errors;
  });
}
