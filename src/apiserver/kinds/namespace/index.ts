/** Namespace: a scope for names. Models: v1.24 core/v1 Namespace, pkg/registry/core/namespace. */
import { brandOf, defineKind, type Draft, type KindContext } from '../../vocabulary/index.ts';
import { namespaceColumns } from './columns.ts';
import { validateNamespace, validateNamespaceStatus, validateNamespaceUpdate } from './rules.ts';
import { type Namespace, namespaceSchema } from './shape.ts';
import { namespaceExample } from './example.ts';
import { namespaceTexts, namespaceValues } from './texts.ts';
import { namespaceWire } from './wire.ts';
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
  prepareForCreate(draft: Draft, context: KindContext) {
    const brand = brandOf(context.names);
    const spec = (draft['spec'] ?? {}) as { readonly finalizers?: readonly string[] };
    const finalizers = spec.finalizers ?? [];
    // A generated name is known only now.
    labelWithName(draft, context);
    draft['status'] = { phase: 'Active' };
    if (!finalizers.includes(brand)) draft['spec'] = { finalizers: [...finalizers, brand] };
  },
  prepareForUpdate(draft, old) {
    draft['spec'] = old['spec'];
    draft['status'] = old['status'];
  },
  validate: validateNamespace,
  validateUpdate: validateNamespaceUpdate,
  validateStatusUpdate: validateNamespaceStatus,
  fieldSelectors: { 'status.phase': (object) => object.status.phase },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns: namespaceColumns,
  models: 'Complete. Upstream: pkg/registry/core/namespace.',
  texts: namespaceTexts,
  values: namespaceValues,
  wire: namespaceWire,
  example: namespaceExample,
});
