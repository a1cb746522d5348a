/**
 * Validation of ResourceQuotas: the resources that can be counted, and their scopes. Models: v1.24 pkg/apis/core/validation
 * ValidateResourceQuotaSpec, pkg/apis/core/helper.
 */
import { amountAsGiven, asGiven } from '../../../schema/shape/index.ts';
import {
  type FieldError,
  immutableText,
  invalid,
  isQuotaPage,
  listOf,
  ENOUGH_ERRORS,
  required,
  shown,
  shownField,
  struct,
  text,
  validateAmount,
  validateResourceName,
} from '../../machinery/index.ts';
import type { ResourceQuota } from './shape.ts';

type Spec = ResourceQuota['spec'];

const COUNTED: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);
const OF_PODS: ReadonlySet<string> = new Set(['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']);
/** The scopes of pods, and the resources that can be counted under each. */
const SCOPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['Terminating', 'NotTerminating', 'NotBestEffort', 'PriorityClass', 'CrossNamespacePodAffinity'].map(
    (scope) => [scope, OF_PODS] as const,
  ),
  ['BestEffort', new Set(['pods'])],
]);
const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

const scopesType = { type: 'list', of: text, name: '[]core.ResourceQuotaScope' } as const;
const selectorType = struct('core.ScopeSelector', {
  MatchExpressions: listOf(struct('core.ScopedResourceSelectorRequirement', { ScopeName: text, Operator: text, Values: listOf(text) })),
});

const isCounted = (name: string): boolean => COUNTED.has(name) || isQuotaPage(name);

function nameErrors(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  return !name.includes('/') && !isCounted(name) ? [...errors, invalid(field, name, 'must be a standard resource for quota')] : errors;
}

export const quotaAmountErrors = (amounts: Readonly<Record<string, string>> | undefined, field: string): FieldError[] =>
  amounts === undefined
    ? []
    : Object.keys(amounts).flatMap((name) => [
        ...nameErrors(name, `${field}[${name}]`),
        ...validateAmount(name, amounts[name] ?? '0', `${field}[${name}]`, amountAsGiven(amounts, name)),
      ]);

export function quotaSpecErrors(spec: Spec): FieldError[] {
  return [...quotaAmountErrors(spec.hard, 'spec.hard'), ...scopeErrors(spec), ...selectorErrors(spec)];
}

/** Returns the number of resources that a scope cannot count. */
function uncountableIn(spec: Spec): (scope: string) => number {
  const counted = Object.keys(spec.hard ?? {}).filter(isCounted);
  const known = new Map<string, number>();
  return (scope) => {
    let count = known.get(scope);
    if (count === undefined) known.set(scope, (count = counted.filter((name) => SCOPES.get(scope)?.has(name) === false).length));
    return count;
  };
}
const opposed = (scopes: ReadonlySet<string>): number => OPPOSITES.filter((pair) => pair.every((scope) => scopes.has(scope))).length;

function scopeErrors(spec: Spec): FieldError[] {
  const scopes = spec.scopes ?? [];
  // The error prints all scopes, and may occur once for each of them.
  let all: unknown;
  const refuse = (why: string): FieldError => invalid('spec.scopes', (all ??= shownField(spec, 'scopes', scopesType)), why);
  const uncountable = uncountableIn(spec);
  const errors: FieldError[] = [];
  for (const scope of scopes) {
    if (!SCOPES.has(scope)) errors.push(refuse('unsupported scope'));
    for (let left = uncountable(scope); left > 0 && errors.length < ENOUGH_ERRORS; left--)
      errors.push(refuse('unsupported scope applied to resource'));
  }
  for (let pair = opposed(new Set(scopes)); pair > 0; pair--) errors.push(refuse('conflicting scopes'));
  return errors;
}

const ONLY_EXIST =
  "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function selectorErrors(spec: Spec): FieldError[] {
  const { scopeSelector } = spec;
  if (scopeSelector === undefined) return [];
  const field = 'spec.scopeSelector.matchExpressions';
  const errors: FieldError[] = [];
  const requirements = scopeSelector.matchExpressions ?? [];
  const uncountable = uncountableIn(spec);
  let all: unknown;
  for (const { scopeName, operator, values = [] } of requirements) {
    if (!SCOPES.has(scopeName)) errors.push(invalid(`${field}.scopeName`, scopeName, 'unsupported scope'));
    for (let left = uncountable(scopeName); left > 0 && errors.length < ENOUGH_ERRORS; left--)
      errors.push(invalid(field, (all ??= shown(asGiven(scopeSelector), selectorType)), 'unsupported scope applied to resource'));
    if (SCOPES.has(scopeName) && scopeName !== 'PriorityClass' && operator !== 'Exists')
      errors.push(invalid(`${field}.operator`, operator, ONLY_EXIST));
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0)
        errors.push(required(`${field}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0)
        errors.push(invalid(`${field}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"));
    } else errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  }
  // Upstream prints the scopes beside the selector here.
  for (let pair = opposed(new Set(requirements.map(({ scopeName }) => scopeName))); pair > 0; pair--)
    errors.push(invalid(field, shownField(spec, 'scopes', scopesType), 'conflicting scopes'));
  return errors;
}

/** Scopes are immutable; their order does not count. */
export function quotaScopeChange(spec: Spec, before: Spec): FieldError[] {
  const [now, then] = [new Set(spec.scopes ?? []), new Set(before.scopes ?? [])];
  const same = now.size === then.size && [...now].every((scope) => then.has(scope));
  return same ? [] : [invalid('spec.scopes', shownField(spec, 'scopes', scopesType), immutableText)];
}
