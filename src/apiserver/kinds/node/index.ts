/**
 * Node: a worker machine. Models: v1.24 core/v1 Node, pkg/registry/core/node. Its status has fields with the brand of the domain, so the
 * kind depends on the domain.
 */
import { defineKind, keepSpec, keepStatus, type Names } from '../../machinery/index.ts';
import { nodeSpecification } from './specification.ts';
import { nodeColumns } from './columns.ts';
import {
  allocatableByDefault,
  gatedConfigSource,
  gatedConfigStatus,
  prepareNode,
  validateNode,
  validateNodeStatusUpdate,
  validateNodeUpdate,
} from './rules.ts';
import { type Node, schemaFor } from './shape.ts';
import { nodeExample } from './example.ts';

export const node = (names: Names) =>
  defineKind<Node>({
    kind: 'Node',
    plural: 'nodes',
    shortNames: ['no'],
    groupPrefix: '',
    version: 'v1',
    namespaced: false,
    schema: schemaFor(names),
    subresources: ['status'],
    applyDefaults: allocatableByDefault,
    prepareForCreate: prepareNode,
    prepareForUpdate: [keepStatus, gatedConfigSource],
    prepareForStatusUpdate: [keepSpec, gatedConfigStatus],
    validate: validateNode,
    validateUpdate: validateNodeUpdate,
    validateStatusUpdate: validateNodeStatusUpdate,
    fieldSelectors: { 'spec.unschedulable': (object) => String(object.spec.unschedulable ?? false) },
    fieldSelectorError: (label) => `field label not supported: ${label}`,
    columns: nodeColumns,
    models: 'Complete. Omits: the proxy sub-resource. Upstream: pkg/registry/core/node, pkg/apis/core/validation.',
    specification: nodeSpecification(names),
    example: nodeExample,
  });
