/** The schema of RuntimeClasses: fields, types, and the defaults that depend only on the object. */
import { atomicList, type Infer, map, obj, quantity, req, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, toleration, typeMeta } from '../../machinery/index.ts';

export const runtimeClassSchema = obj('RuntimeClass', {
  ...typeMeta,
  handler: req(str()),
  overhead: obj('Overhead', { podFixed: map(quantity, 'ResourceList') }),
  scheduling: obj('Scheduling', { nodeSelector: { ...map(str()), mapType: 'atomic' }, tolerations: atomicList(toleration) }),
});
/** A stored RuntimeClass: defaulted, validated and frozen. */
export type RuntimeClass = ObjectOf<'RuntimeClass', Infer<typeof runtimeClassSchema>>;
