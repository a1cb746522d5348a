/** LimitRange: defaults and bounds for what a namespace's objects ask for. Models: v1.24 core/v1 LimitRange, pkg/registry/core/limitrange. */
import { always, list, obj, published, req, str, type Infer } from '../../schema/index.ts';
import { createdAtColumn, nameColumn } from '../columns.ts';
import { defineKind, readDraft } from '../define-kind.ts';
import { resourceList } from '../shapes/claims.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { subdomainName, validateMeta } from '../validation/object-meta.ts';
import { limitErrors } from './limit-range-validation.ts';

const limitRangeItem = obj('LimitRangeItem', { type: req(str('LimitType')), max: resourceList, min: resourceList, default: resourceList, defaultRequest: resourceList, maxLimitRequestRatio: resourceList });
export type LimitRangeItem = Infer<typeof limitRangeItem>;

export const limitRangeSchema = obj('LimitRange', { ...typeMeta, spec: always(obj('LimitRangeSpec', { limits: published(list(limitRangeItem)) })) });
export type LimitRange = ObjectOf<'LimitRange', Infer<typeof limitRangeSchema>>;

/** A container's limit is its default: its maximum where nobody says otherwise; what it requests is its limit, or the minimum. */
function completed(item: LimitRangeItem): LimitRangeItem {
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
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context), ...limitErrors(object.spec.limits ?? [])],
  // Upstream judges the new object alone.
  validateUpdate: (object, _old, context) => [...validateMeta(object, true, subdomainName, context), ...limitErrors(object.spec.limits ?? [])],
  columns: [nameColumn, createdAtColumn],
  models: 'Complete. Upstream: pkg/registry/core/limitrange, plugin/pkg/admission/limitranger.',
});
