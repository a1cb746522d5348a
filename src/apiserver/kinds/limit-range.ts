/**
 * LimitRange: defaults and bounds for resources of a namespace's objects. Models: v1.24 core/v1 LimitRange, pkg/registry/core/limitrange.
 */
import { amountAsGiven, field, type Infer, list, obj, published, req, str } from '../../schema/shape/index.ts';
import {
  append,
  compareQuantities,
  compareText,
  isQualifiedName,
  own,
  quantity,
  quantityMilliValue,
  quantityValue,
  repeats,
} from '../../schema/values/index.ts';
import { createdAtColumn, currentOf, defineKind, type Draft, nameColumn } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { kindFields, type ObjectOf, resourceList } from '../structs/index.ts';
import {
  duplicate,
  forbidden,
  invalid,
  mayOvercommit,
  ofEach,
  problemsAt,
  required,
  shownQuantity,
  validateContainerResourceName,
  validateResourceName,
} from '../validation/index.ts';

const limitRangeItem = obj('LimitRangeItem', 'Limits of one type.', {
  type: field(1, 'Pod, Container or PersistentVolumeClaim.', req(str('LimitType'))),
  max: field(2, 'By resource: cpu, memory, pods and so on.', resourceList),
  min: field(3, 'By resource: cpu, memory, pods and so on.', resourceList),
  default: field(4, 'Default limits of a container.', resourceList),
  defaultRequest: field(5, 'Default requests of a container.', resourceList),
  maxLimitRequestRatio: field(6, 'The maximum ratio of limit and request.', resourceList),
});
export type LimitRangeItem = Infer<typeof limitRangeItem>;

const limitRangeSchema = obj(
  'LimitRange',
  'Limits of individual pods, containers and claims.',
  kindFields({
    spec: obj('LimitRangeSpec', 'The limits.', { limits: field(1, 'One entry for each type.', published(list(limitRangeItem))) }),
  }),
);
export type LimitRange = ObjectOf<'LimitRange', Infer<typeof limitRangeSchema>>;

const TYPES: ReadonlySet<string> = new Set(['Container', 'PersistentVolumeClaim', 'Pod']);
type Bound = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio';

function limitErrors({ spec }: LimitRange): FieldError[] {
  const isRepeated = repeats<string>();
  return ofEach(spec.limits, 'spec.limits', (item, field) => [
    ...typeErrors(item.type, `${field}.type`),
    ...(isRepeated(item.type) ? [duplicate(`${field}.type`, item.type)] : []),
    ...itemErrors(item, field),
  ]);
}

function typeErrors(type: string, field: string): FieldError[] {
  const errors = problemsAt(isQualifiedName(type), field, type);
  if (errors.length > 0 || type.includes('/') || TYPES.has(type)) return errors;
  return [invalid(field, type, 'must be a standard limit type or fully qualified')];
}

function itemErrors(item: LimitRangeItem, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const ofPods = item.type === 'Pod';
  const validateName = ofPods || item.type === 'Container' ? validateContainerResourceName : validateResourceName;
  const names = new Set<string>();
  const check = (bound: Bound): void => {
    for (const name of Object.keys(item[bound] ?? {})) {
      append(errors, validateName(name, `${field}.${bound}[${name}]`));
      names.add(name);
    }
  };
  check('max');
  check('min');
  for (const bound of ['default', 'defaultRequest'] as const) {
    if (!ofPods) check(bound);
    else if (Object.keys(item[bound] ?? {}).length > 0)
      errors.push(forbidden(`${field}.${bound}`, "may not be specified when `type` is 'Pod'"));
  }
  if (item.type === 'PersistentVolumeClaim' && item.min?.['storage'] === undefined && item.max?.['storage'] === undefined)
    errors.push(required(`${field}.limits`, 'either minimum or maximum storage value is required, but neither was provided'));
  check('maxLimitRequestRatio');
  for (const name of [...names].sort(compareText)) append(errors, fitErrors(item, name, field, ofPods));
  return errors;
}

const exceeds = (a: string, b: string): boolean => compareQuantities(quantity(a), quantity(b)) > 0;

/**
 * Checks that the bounds of one resource are consistent. Each error prints the value that upstream prints, which is not always the wrong
 * one.
 */
function fitErrors(item: LimitRangeItem, name: string, field: string, ofPods: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const amount = (bound: Bound): string | undefined =>
    ofPods && (bound === 'default' || bound === 'defaultRequest') ? undefined : own(item[bound], name);
  const [min, max, limit, request, ratio] = (['min', 'max', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const).map(amount);
  const refuse = (bound: Bound, shown: Bound, why: string): void => {
    errors.push(invalid(`${field}.${bound}[${name}]`, shownQuantity(amountAsGiven(item[shown] ?? {}, name)), why));
  };
  const ordered: readonly (readonly [low: string | undefined, high: string | undefined, bound: Bound, shown: Bound, why: string])[] = [
    [min, max, 'min', 'min', `min value ${min} is greater than max value ${max}`],
    [min, request, 'defaultRequest', 'defaultRequest', `min value ${min} is greater than default request value ${request}`],
    [request, max, 'defaultRequest', 'defaultRequest', `default request value ${request} is greater than max value ${max}`],
    [request, limit, 'defaultRequest', 'defaultRequest', `default request value ${request} is greater than default limit value ${limit}`],
    [min, limit, 'default', 'min', `min value ${min} is greater than default value ${limit}`],
    [limit, max, 'default', 'max', `default value ${limit} is greater than max value ${max}`],
    ['1', ratio, 'maxLimitRequestRatio', 'maxLimitRequestRatio', `ratio ${ratio} is less than 1`],
  ];
  for (const [low, high, bound, shown, why] of ordered)
    if (low !== undefined && high !== undefined && exceeds(low, high)) refuse(bound, shown, why);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const widest = widestRatio(ratio, min, max);
    if (widest !== undefined)
      refuse('maxLimitRequestRatio', 'maxLimitRequestRatio', `ratio ${ratio} is greater than max/min = ${widest.toFixed(6)}`);
  }
  if (!mayOvercommit(name) && limit !== undefined && request !== undefined && compareQuantities(quantity(limit), quantity(request)) !== 0)
    refuse('defaultRequest', 'defaultRequest', `default value ${limit} must equal to defaultRequest value ${request} in ${name}`);
  return errors;
}

/** The largest amount whose thousandths fit an int64. */
const MAX_MILLI_VALUE = 9_223_372_036_854_775n;

/** Returns the ratio of limit and request that the bounds allow, where it is below the given one. */
function widestRatio(ratio: string, min: string, max: string): number | undefined {
  const all = [ratio, min, max].map(quantity);
  const fine = all.every((each) => quantityValue(each) < MAX_MILLI_VALUE);
  const [allowed = 0, low = 0, high = 0] = all.map((each) => Number(fine ? quantityMilliValue(each) : quantityValue(each)));
  const widest = high / low;
  return (fine ? allowed / 1000 : allowed) > widest ? widest : undefined;
}

/** The default limit of a container is its maximum; the default request is the default limit, or the minimum. */
function complete(draft: Draft<LimitRangeItem>): void {
  if (draft.type !== 'Container') return;
  const item = currentOf<LimitRangeItem>(draft);
  const limit = { ...item.max, ...item.default };
  const request = { ...item.min, ...limit, ...item.defaultRequest };
  if (Object.keys(limit).length > 0) draft.default = byName(limit);
  if (Object.keys(request).length > 0) draft.defaultRequest = byName(request);
}

/** Stored maps are sorted. */
const byName = (amounts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => compareText(a, b)));

export const limitRange = defineKind<LimitRange>({
  shortNames: ['limits'],
  schema: limitRangeSchema,
  allowCreateOnUpdate: true,
  applyDefaults(draft) {
    for (const item of draft.spec.limits ?? []) complete(item);
  },
  create: ['metadata', limitErrors],
  // Upstream validates only the new object.
  update: ['metadata', limitErrors],
  columns: [nameColumn, createdAtColumn],
  models: 'Complete. Upstream: pkg/registry/core/limitrange, plugin/pkg/admission/limitranger.',
});
