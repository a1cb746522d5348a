/** CSIStorageCapacity: the remaining capacity of a driver in a segment of the topology. Models: v1.24 storage/v1 CSIStorageCapacity. */
import { field, type Infer, obj, ptr, quantity, req, str } from '../../schema/shape/index.ts';
import { isDns1123Subdomain, validateLabelSelector } from '../../schema/values/index.ts';
import {
  createdAtColumn,
  defineKind,
  type FieldError,
  immutableText,
  invalid,
  type KindContext,
  labelSelector,
  labelSelectorType,
  nameColumn,
  type ObjectOf,
  problemsAt,
  sameValue,
  shown,
  subdomainName,
  typeMeta,
  validateAmount,
  validateMeta,
  validateMetaUpdate,
} from '../machinery/index.ts';

const csiStorageCapacitySchema = obj('CSIStorageCapacity', 'The remaining capacity of a driver for a class in one part of the cluster.', {
  ...typeMeta,
  nodeTopology: field(2, 'Nodes from which the storage is accessible; absent: none, empty: all. Cannot be changed.', labelSelector),
  storageClassName: field(3, 'The class. Cannot be changed; the object is obsolete when the class does not exist.', req(str())),
  capacity: field(4, 'The remaining bytes; absent: unknown, which counts as none.', ptr(quantity)),
  maximumVolumeSize: field(5, 'The largest volume that can be created; if set, it decides in place of capacity.', ptr(quantity)),
});
/** A stored CSIStorageCapacity: defaulted, validated and frozen. */
export type CSIStorageCapacity = ObjectOf<'CSIStorageCapacity', Infer<typeof csiStorageCapacitySchema>>;

function fieldErrors({ nodeTopology, storageClassName, capacity }: CSIStorageCapacity): FieldError[] {
  return [
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...problemsAt(isDns1123Subdomain(storageClassName), 'storageClassName', storageClassName),
    ...(capacity === undefined ? [] : validateAmount('', capacity, 'capacity')),
  ];
}

function validateUpdate(capacity: CSIStorageCapacity, before: CSIStorageCapacity, context: KindContext): readonly FieldError[] {
  const errors = [
    ...validateMeta(capacity, true, subdomainName, context),
    ...fieldErrors(capacity),
    ...validateMetaUpdate(capacity, before, context),
  ];
  if (!sameValue(capacity.nodeTopology, before.nodeTopology))
    errors.push(
      invalid(
        'nodeTopology',
        capacity.nodeTopology === undefined ? undefined : shown(capacity.nodeTopology, labelSelectorType),
        immutableText,
      ),
    );
  if (capacity.storageClassName !== before.storageClassName)
    errors.push(invalid('storageClassName', capacity.storageClassName, immutableText));
  return errors;
}

export const csiStorageCapacity = defineKind<CSIStorageCapacity>({
  plural: 'csistoragecapacities',
  groupPrefix: 'storage',
  schema: csiStorageCapacitySchema,
  allowUnconditionalUpdate: false,
  validate(object, context: KindContext) {
    const errors = [...validateMeta(object, true, subdomainName, context), ...fieldErrors(object)];
    // Upstream validates every capacity twice and reports each error twice.
    return [...errors, ...errors];
  },
  validateUpdate,
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
  example: { storageClassName: 'fast', nodeTopology: { matchLabels: { zone: 'a' } }, capacity: '10Gi' },
});
