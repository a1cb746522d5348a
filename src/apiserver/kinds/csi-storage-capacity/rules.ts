/** Validation of CSIStorageCapacities. */
import { isDns1123Subdomain, validateLabelSelector } from '../../../schema/values/index.ts';
import {
  type FieldError,
  immutableText,
  invalid,
  type KindContext,
  labelSelectorType,
  sameValue,
  shown,
  subdomainName,
  validateAmount,
  validateMeta,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import type { CSIStorageCapacity } from './shape.ts';

export function fieldErrors({ nodeTopology, storageClassName, capacity }: CSIStorageCapacity): FieldError[] {
  return [
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...isDns1123Subdomain(storageClassName).map((problem) => invalid('storageClassName', storageClassName, problem)),
    ...(capacity === undefined ? [] : validateAmount('', capacity, 'capacity')),
  ];
}

export function validateUpdate(capacity: CSIStorageCapacity, before: CSIStorageCapacity, context: KindContext): readonly FieldError[] {
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
