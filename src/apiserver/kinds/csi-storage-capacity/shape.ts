/** The shape of a CSIStorageCapacity: its fields, their types and the defaults that need nothing but the object. */
import { type Infer, obj, ptr, quantity, req, str } from '../../../grammar/schema/index.ts';
import { labelSelector, type ObjectOf, typeMeta } from '../../vocabulary/index.ts';

export const csiStorageCapacitySchema = obj('CSIStorageCapacity', {
  ...typeMeta,
  nodeTopology: labelSelector,
  storageClassName: req(str()),
  capacity: ptr(quantity),
  maximumVolumeSize: ptr(quantity),
});
export type CSIStorageCapacity = ObjectOf<'CSIStorageCapacity', Infer<typeof csiStorageCapacitySchema>>;
