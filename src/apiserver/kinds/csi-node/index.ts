/** CSINode: the storage drivers of one node. Models: v1.24 storage/v1 CSINode, pkg/registry/storage/csinode. */
import { defineKind, subdomainName } from '../../machinery/index.ts';
import { csiNodeColumns } from './columns.ts';
import { csiNodeSpecification } from './specification.ts';
import { validate, validateUpdate } from './rules.ts';
import { type CSINode, csiNodeSchema } from './shape.ts';
import { csiNodeExample } from './example.ts';

export const csiNode = defineKind<CSINode>({
  kind: 'CSINode',
  plural: 'csinodes',
  groupPrefix: 'storage',
  version: 'v1',
  namespaced: false,
  schema: csiNodeSchema,
  allowUnconditionalUpdate: false,
  deleteReturns: 'object',
  validateName: subdomainName,
  validate,
  validateUpdate,
  columns: csiNodeColumns,
  models: 'Complete. Upstream: pkg/registry/storage/csinode, pkg/apis/storage/validation.',
  specification: csiNodeSpecification,
  example: csiNodeExample,
});
