/** CSIStorageCapacity: what a driver says is left in a segment of the topology. Models: v1.24 storage/v1 CSIStorageCapacity. */
import { obj, ptr, quantity, req, str, type Infer } from '../../schema/index.ts';
import { isDns1123Subdomain, validateLabelSelector } from '../../values/index.ts';
import { createdAtColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { labelSelector, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { invalid } from '../validation/field-errors.ts';
import { labelSelectorType, shown } from '../validation/go-shapes.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { validateAmount } from '../validation/resources.ts';
import { sameValue } from '../validation/same-value.ts';

export const csiStorageCapacitySchema = obj('CSIStorageCapacity', { ...typeMeta, nodeTopology: labelSelector, storageClassName: req(str()), capacity: ptr(quantity), maximumVolumeSize: ptr(quantity) });
export type CSIStorageCapacity = ObjectOf<'CSIStorageCapacity', Infer<typeof csiStorageCapacitySchema>>;

function fieldErrors({ nodeTopology, storageClassName, capacity }: CSIStorageCapacity): FieldError[] {
  return [
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...isDns1123Subdomain(storageClassName).map((problem) => invalid('storageClassName', storageClassName, problem)),
    ...(capacity === undefined ? [] : validateAmount('', capacity, 'capacity')),
  ];
}

function validateUpdate(capacity: CSIStorageCapacity, before: CSIStorageCapacity, context: KindContext): readonly FieldError[] {
  const errors = [...validateMeta(capacity, true, subdomainName, context), ...fieldErrors(capacity), ...validateMetaUpdate(capacity, before, context)];
  if (!sameValue(capacity.nodeTopology, before.nodeTopology)) errors.push(invalid('nodeTopology', capacity.nodeTopology === undefined ? undefined : shown(capacity.nodeTopology, labelSelectorType), immutableText));
  if (capacity.storageClassName !== before.storageClassName) errors.push(invalid('storageClassName', capacity.storageClassName, immutableText));
  return errors;
}

export const csiStorageCapacity = defineKind<CSIStorageCapacity>({
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  groupPrefix: 'storage',
  version: 'v1',
  namespaced: true,
  schema: csiStorageCapacitySchema,
  allowUnconditionalUpdate: false,
  validateName: subdomainName,
  validate(object, context: KindContext) {
    const errors = [...validateMeta(object, true, subdomainName, context), ...fieldErrors(object)];
    // Upstream judges every capacity twice and reports what it finds as often.
    return [...errors, ...errors];
  },
  validateUpdate,
  columns: [nameColumn, createdAtColumn],
  models: 'Complete. Upstream: pkg/registry/storage/csistoragecapacity, pkg/apis/storage/validation.',
});
