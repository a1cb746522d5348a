/** The schema of CSIStorageCapacities: fields, types, and the defaults that depend only on the object. */
import { type Infer, obj, ptr, quantity, req, str } from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const csiStorageCapacitySchema = obj('CSIStorageCapacity', {
  ...typeMeta,
  nodeTopology: labelSelector,
  storageClassName: req(str()),
  capacity: ptr(quantity),
  maximumVolumeSize: ptr(quantity),
});
/** A stored CSIStorageCapacity: defaulted, validated and frozen. */
export type CSIStorageCapacity = ObjectOf<'CSIStorageCapacity', Infer<typeof csiStorageCapacitySchema>>;
