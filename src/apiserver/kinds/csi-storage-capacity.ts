/** CSIStorageCapacity: the remaining capacity of a driver in a segment of the topology. Models: v1.24 storage/v1 CSIStorageCapacity. */
import { field, type Infer, obj, ptr, quantity, req, str } from '../../schema/shape/index.ts';
import { createdAtColumn, defineKind, nameColumn } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { labelSelector, type ObjectOf, typeMeta } from '../structs/index.ts';
import { validateAmount } from '../validation/index.ts';

const csiStorageCapacitySchema = obj('CSIStorageCapacity', 'The remaining capacity of a driver for a class in one part of the cluster.', {
  ...typeMeta,
  nodeTopology: field(2, 'Nodes from which the storage is accessible; absent: none, empty: all. Cannot be changed.', labelSelector, {
    format: 'label selector',
    fixed: true,
  }),
  storageClassName: field(3, 'The class. Cannot be changed; the object is obsolete when the class does not exist.', req(str()), {
    format: 'subdomain',
    fixed: true,
  }),
  capacity: field(4, 'The remaining bytes; absent: unknown, which counts as none.', ptr(quantity)),
  maximumVolumeSize: field(5, 'The largest volume that can be created; if set, it decides in place of capacity.', ptr(quantity)),
});
/** A stored CSIStorageCapacity: defaulted, validated and frozen. */
export type CSIStorageCapacity = ObjectOf<'CSIStorageCapacity', Infer<typeof csiStorageCapacitySchema>>;

const amountErrors = ({ capacity }: CSIStorageCapacity): FieldError[] =>
  capacity === undefined ? [] : validateAmount('', capacity, 'capacity');

const CREATED = ['metadata', 'nodeTopology', 'storageClassName', amountErrors] as const;

export const csiStorageCapacity = defineKind<CSIStorageCapacity>({
  plural: 'csistoragecapacities',
  groupPrefix: 'storage',
  schema: csiStorageCapacitySchema,
  allowUnconditionalUpdate: false,
  // Upstream validates every new capacity twice and reports each error twice.
  create: [...CREATED, ...CREATED],
  update: [...CREATED, 'changed metadata', 'fixed'],
  columns: [nameColumn, createdAtColumn],
  models: 'Complete. Upstream: pkg/registry/storage/csistoragecapacity, pkg/apis/storage/validation.',
  specification: [
    {
      name: 'csi-storage-capacity/largest-volume-counts-first',
      field: 'capacity, maximumVolumeSize',
      statement: 'No capacity is available where the capacity is unset or zero.',
      place: 'resource-api.md: CSIStorageCapacity',
      recorded: 'compares maximumVolumeSize where it is set, and ignores the capacity then',
      does: 'interpreted as the sentence about the scheduler says, in either mode: where maximumVolumeSize is unset, an unset or zero capacity means no capacity',
    },
  ],
});
