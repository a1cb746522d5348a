/** CSIStorageCapacity: the remaining capacity of a driver in a segment of the topology. Models: v1.24 storage/v1 CSIStorageCapacity. */
import { createdAtColumn, defineKind, type KindContext, nameColumn, subdomainName, validateMeta } from '../../machinery/index.ts';
import { csiStorageCapacitySpecification } from './specification.ts';
import { fieldErrors, validateUpdate } from './rules.ts';
import { type CSIStorageCapacity, csiStorageCapacitySchema } from './shape.ts';
import { csiStorageCapacityExample } from './example.ts';

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
    // Upstream validates every capacity twice and reports each error twice.
    return [...errors, ...errors];
  },
  validateUpdate,
  columns: [nameColumn, createdAtColumn],
  models: 'Complete. Upstream: pkg/registry/storage/csistoragecapacity, pkg/apis/storage/validation.',
  specification: csiStorageCapacitySpecification,
  example: csiStorageCapacityExample,
});
