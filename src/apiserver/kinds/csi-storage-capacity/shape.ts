/** The schema of CSIStorageCapacities: fields, types, and the defaults that depend only on the object. */
import { type Infer, obj, ptr, quantity, req, str, field } from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const csiStorageCapacitySchema = obj('CSIStorageCapacity', 'What a driver has left for a class in one part of the cluster.', {
  ...typeMeta,
  nodeTopology: field(2, 'Nodes from which the storage can be reached; absent: none, empty: all. Cannot be changed.', labelSelector),
  storageClassName: field(
    3,
    'The class. Cannot be changed; where there is no such class any more, this object is out of date.',
    req(str()),
  ),
  capacity: field(4, 'Bytes that are left; absent: not known, and so none.', ptr(quantity)),
  maximumVolumeSize: field(5, 'The largest volume that can be made; where it is known it decides, and not capacity.', ptr(quantity)),
});
/** A stored CSIStorageCapacity: defaulted, validated and frozen. */
export type CSIStorageCapacity = ObjectOf<'CSIStorageCapacity', Infer<typeof csiStorageCapacitySchema>>;
