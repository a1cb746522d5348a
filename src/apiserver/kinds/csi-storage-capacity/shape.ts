/** The shape of a CSIStorageCapacity: its fields, their types and the defaults that need nothing but the object. */
import { type Infer, obj, ptr, quantity, req, str } from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const csiStorageCapacitySchema = obj('CSIStorageCapacity', {
  ...typeMeta,
  nodeTopology: labelSelector,
  storageClassName: req(str()),
  capacity: ptr(quantity),
  maximumVolumeSize: ptr(quantity),
});
/** An object of kind CSIStorageCapacity, as the store holds it: defaulted, validated and frozen. */
export type CSIStorageCapacity = ObjectOf<'CSIStorageCapacity', Infer<typeof csiStorageCapacitySchema>>;
