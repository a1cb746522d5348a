/** ResourceQuota: limits the resources of a namespace. Models: v1.24 core/v1 ResourceQuota, pkg/registry/core/resourcequota. */
import { amountAsGiven, asGiven, field, type Infer, list, obj, req, str } from '../../schema/shape/index.ts';
import { compareText } from '../../schema/values/index.ts';
import { defineKind, keepSpec, keepStatus } from '../machinery/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import { kindFields, type ObjectOf, resourceList } from '../structs/index.ts';
import {
  ENOUGH_ERRORS,
  immutableText,
  invalid,
  isQuotaResource,
  required,
  shown,
  shownField,
  validateAmount,
  validateResourceName,
} from '../validation/index.ts';

const scopeSelector = obj(
  'ScopeSelector',
  'The objects that are counted.',
  {
    matchExpressions: field(
      1,
      'All must match.',
      list(
        obj('ScopedResourceSelectorRequirement', 'One requirement.', {
          scopeName: field(1, 'The scope.', req(str('ResourceQuotaScope'))),
          operator: field(2, 'In, NotIn, Exists or DoesNotExist.', req(str('ScopeSelectorOperator'))),
          values: field(3, 'For In and NotIn.', list(str())),
        }),
      ),
    ),
  },
  { mapType: 'atomic' },
);

const resourceQuotaSchema = obj(
  'ResourceQuota',
  'Limits the resources of a namespace.',
  kindFields({
    spec: obj('ResourceQuotaSpec', 'The limits.', {
      hard: field(1, 'By resource, or count/PLURAL.GROUP.', resourceList),
      scopes: field(2, 'Counts only objects that match all scopes.', list(str('ResourceQuotaScope'))),
      scopeSelector: field(3, 'Scopes with values.', scopeSelector),
    }),
    status: obj('ResourceQuotaStatus', 'The observed usage.', {
      hard: field(1, 'The enforced limits.', resourceList),
      used: field(2, 'The usage.', resourceList),
    }),
  }),
);
export type ResourceQuota = ObjectOf<'ResourceQuota', Infer<typeof resourceQuotaSchema>>;

type Spec = ResourceQuota['spec'];

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

const SPEC = resourceQuotaSchema.fields.spec;

function nameErrors(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  return !name.includes('/') && !isQuotaResource(name)
    ? [...errors, invalid(field, name, 'must be a standard resource for quota')]
    : errors;
}

const quotaAmountErrors = (amounts: Readonly<Record<string, string>> | undefined, field: string): FieldError[] =>
  amounts === undefined
    ? []
    : Object.keys(amounts).flatMap((name) => [
        ...nameErrors(name, `${field}[${name}]`),
        ...validateAmount(name, amounts[name] ?? '0', `${field}[${name}]`, amountAsGiven(amounts, name)),
      ]);

const specErrors = ({ spec }: ResourceQuota): FieldError[] => [
  ...quotaAmountErrors(spec.hard, 'spec.hard'),
  ...scopeErrors(spec),
  ...selectorErrors(spec),
];
const shownScopes = (spec: Spec): unknown => shownField(spec, 'scopes', SPEC.fields.scopes);

/** Returns the number of resources that a scope cannot count. */
function uncountableIn(spec: Spec): (scope: string) => number {
  const counted = Object.keys(spec.hard ?? {}).filter(isQuotaResource);
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
  const refuse = (why: string): FieldError => invalid('spec.scopes', (all ??= shownScopes(spec)), why);
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
      errors.push(
        invalid(field, (all ??= shown(asGiven(scopeSelector), SPEC.fields.scopeSelector)), 'unsupported scope applied to resource'),
      );
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
    errors.push(invalid(field, shownScopes(spec), 'conflicting scopes'));
  return errors;
}

/** Scopes are immutable; their order does not count. */
function scopeChange({ spec }: ResourceQuota, _: KindContext, { spec: before }: ResourceQuota): FieldError[] {
  const [now, then] = [new Set(spec.scopes ?? []), new Set(before.scopes ?? [])];
  const same = now.size === then.size && [...now].every((scope) => then.has(scope));
  return same ? [] : [invalid('spec.scopes', shownScopes(spec), immutableText)];
}

/** The status counts: limits in the spec are not in force before the controller has copied them. */
function usage({ status: { hard = {}, used = {} } }: ResourceQuota, limits: boolean): string {
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits.') === limits)
    .sort(compareText)
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name] ?? '0'}`)
    .join(', ');
}

export const resourceQuota = defineKind<ResourceQuota>({
  shortNames: ['quota'],
  schema: resourceQuotaSchema,
  subresources: ['status'],
  deleteReturns: 'object',
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  create: ['metadata', specErrors],
  update: ['changed metadata', specErrors, scopeChange],
  updateStatus: [
    'changed metadata',
    ({ status: { hard, used } }) => [...quotaAmountErrors(hard, 'status.hard'), ...quotaAmountErrors(used, 'status.used')],
  ],
  columns: [
    'Name',
    'Age',
    ['Request', 'string', 'Usage and limit of requests and counts.', (object) => usage(object, false)],
    ['Limit', 'string', 'Usage and limit of limits.', (object) => usage(object, true)],
  ],
  models: 'Complete. Upstream: pkg/registry/core/resourcequota.',
});
