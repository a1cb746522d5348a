/** Namespace: a scope for names. Models: v1.24 core/v1 Namespace, pkg/registry/core/namespace. */
import { brandOf, defineKind, keepSpec, keepStatus } from '../../machinery/index.ts';
import { namespaceColumns } from './columns.ts';
import { validateNamespace, validateNamespaceStatus, validateNamespaceUpdate } from './rules.ts';
import { type Namespace, namespaceSchema } from './shape.ts';
import { namespaceExample } from './example.ts';
import { labelWithName } from './strategy.ts';

export const namespace = defineKind<Namespace>({
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  groupPrefix: '',
  version: 'v1',
  namespaced: false,
  schema: namespaceSchema,
  subresources: ['status', 'finalize'],
  deleteReturns: 'object',
  applyDefaults: labelWithName,
  prepareForCreate(draft, context) {
    const brand = brandOf(context.names);
    // A generated name is known only at this point.
    labelWithName(draft, context);
    draft.status = { phase: 'Active' };
    const finalizers = (draft.spec.finalizers ??= []);
    if (!finalizers.includes(brand)) finalizers.push(brand);
  },
  prepareForUpdate(draft, old) {
    keepSpec(draft, old);
    keepStatus(draft, old);
  },
  validate: validateNamespace,
  validateUpdate: validateNamespaceUpdate,
  validateStatusUpdate: validateNamespaceStatus,
  fieldSelectors: { 'status.phase': (object) => object.status.phase },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns: namespaceColumns,
  models: 'Complete. Upstream: pkg/registry/core/namespace.',
  example: namespaceExample,
});
