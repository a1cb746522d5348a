/** The shape of a RuntimeClass: its fields, their types and the defaults that need nothing but the object. */
import { atomicList, type Infer, map, obj, quantity, req, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, toleration, typeMeta } from '../../machinery/index.ts';

export const runtimeClassSchema = obj('RuntimeClass', {
  ...typeMeta,
  handler: req(str()),
  overhead: obj('Overhead', { podFixed: map(quantity, 'ResourceList') }),
  scheduling: obj('Scheduling', { nodeSelector: { ...map(str()), mapType: 'atomic' }, tolerations: atomicList(toleration) }),
});
/** An object of kind RuntimeClass, as the store holds it: defaulted, validated and frozen. */
export type RuntimeClass = ObjectOf<'RuntimeClass', Infer<typeof runtimeClassSchema>>;
