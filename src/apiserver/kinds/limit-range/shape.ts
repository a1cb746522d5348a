/** The schema of LimitRanges: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, list, obj, published, req, str, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, resourceList, typeMeta } from '../../machinery/index.ts';

const limitRangeItem = obj('LimitRangeItem', 'Limits of one type.', {
  type: field(1, 'Pod, Container or PersistentVolumeClaim.', req(str('LimitType'))),
  max: field(2, 'By resource: cpu, memory, pods and so on.', resourceList),
  min: field(3, 'By resource: cpu, memory, pods and so on.', resourceList),
  default: field(4, 'Limits of a container that has none.', resourceList),
  defaultRequest: field(5, 'Requests of a container that has none.', resourceList),
  maxLimitRequestRatio: field(6, 'How many times its request a limit may be.', resourceList),
});
export type LimitRangeItem = Infer<typeof limitRangeItem>;

export const limitRangeSchema = obj('LimitRange', 'What single pods, containers and claims may have.', {
  ...typeMeta,
  spec: field(2, always(obj('LimitRangeSpec', 'The limits.', { limits: field(1, 'One entry a type.', published(list(limitRangeItem))) }))),
});
export type LimitRange = ObjectOf<'LimitRange', Infer<typeof limitRangeSchema>>;
