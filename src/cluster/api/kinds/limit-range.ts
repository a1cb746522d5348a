/** LimitRange: defaults and bounds for what a namespace's objects ask for. Models: v1.24 core/v1 LimitRange, pkg/registry/core/limitrange. */
import { always, list, obj, published, req, str, type Infer } from '../../schema/index.ts';
import { compareQuantities, quantity } from '../../values/index.ts';
import { createdAtColumn, nameColumn } from '../columns.ts';
import { defineKind, readDraft } from '../define-kind.ts';
import { resourceList } from '../shapes/claims.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { duplicate, invalid } from '../validation/field-errors.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { validateAmount, validateResourceName } from '../validation/resources.ts';

const limitRangeItem = obj('LimitRangeItem', { type: req(str('LimitType')), max: resourceList, min: resourceList, default: resourceList, defaultRequest: resourceList, maxLimitRequestRatio: resourceList });
type Item = Infer<typeof limitRangeItem>;

export const limitRangeSchema = obj('LimitRange', { ...typeMeta, spec: always(obj('LimitRangeSpec', { limits: published(list(limitRangeItem)) })) });
export type LimitRange = ObjectOf<'LimitRange', Infer<typeof limitRangeSchema>>;

const BOUNDS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** Each of these, where both are given, may not exceed the next. */
const ORDER = [['min', 'max'], ['min', 'defaultRequest'], ['defaultRequest', 'max'], ['defaultRequest', 'default'], ['default', 'max']] as const;

function itemErrors(item: Item, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const bound of BOUNDS) for (const [name, amount] of Object.entries(item[bound] ?? {})) errors.push(...validateResourceName(name, `${field}.${bound}[${name}]`), ...validateAmount(name, amount, `${field}.${bound}[${name}]`));
  if (errors.length > 0) return errors;
  for (const [low, high] of ORDER) {
    for (const [name, amount] of Object.entries(item[low] ?? {})) {
      const other = item[high]?.[name];
      if (other !== undefined && compareQuantities(quantity(amount), quantity(other)) > 0) errors.push(invalid(`${field}.${low}[${name}]`, amount, `${low} value ${amount} is greater than ${high} value ${other}`));
    }
  }
  return errors;
}

function specErrors(object: LimitRange): FieldError[] {
  const limits = object.spec.limits ?? [];
  return limits.flatMap((item, at) => [...(limits.findIndex(({ type }) => type === item.type) < at ? [duplicate(`spec.limits[${at}].type`, item.type)] : []), ...itemErrors(item, `spec.limits[${at}]`)]);
}

/** A container's limit is its default: its maximum where nobody says otherwise; what it requests is its limit, or the minimum. */
function completed(item: Item): Item {
  if (item.type !== 'Container') return item;
  const limit = { ...item.max, ...item.default };
  const request = { ...item.min, ...limit, ...item.defaultRequest };
  return { ...item, ...(Object.keys(limit).length === 0 ? {} : { default: limit }), ...(Object.keys(request).length === 0 ? {} : { defaultRequest: request }) };
}

export const limitRange = defineKind<LimitRange>({
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: limitRangeSchema,
  applyDefaults(draft) {
    const { spec } = readDraft<LimitRange>(draft);
    if (spec.limits !== null && spec.limits.some(({ type }) => type === 'Container')) draft['spec'] = { ...spec, limits: spec.limits.map(completed) };
  },
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context), ...specErrors(object)],
  validateUpdate: (object, old, context) => [...validateMetaUpdate(object, old, context), ...specErrors(object)],
  columns: [nameColumn, createdAtColumn],
  models: 'Shape and bounds; ratios are checked for their form only. Upstream: pkg/registry/core/limitrange.',
});
