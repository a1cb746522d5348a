/** The schema of LimitRanges: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, list, obj, published, req, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, resourceList, typeMeta } from '../../machinery/index.ts';

const limitRangeItem = obj('LimitRangeItem', {
  type: req(str('LimitType')),
  max: resourceList,
  min: resourceList,
  default: resourceList,
  defaultRequest: resourceList,
  maxLimitRequestRatio: resourceList,
});
export type LimitRangeItem = Infer<typeof limitRangeItem>;

export const limitRangeSchema = obj('LimitRange', {
  ...typeMeta,
  spec: always(obj('LimitRangeSpec', { limits: published(list(limitRangeItem)) })),
});
export type LimitRange = ObjectOf<'LimitRange', Infer<typeof limitRangeSchema>>;
