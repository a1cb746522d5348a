/** Namespace: a scope for names. Models: v1.24 core/v1 Namespace, pkg/registry/core/namespace. */
import { always, filled, list, mergeList, obj, req, str, time, type Infer } from '../../schema/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { Draft, KindContext } from '../kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { brandOf } from '../validation/object-meta.ts';
import { validateNamespace, validateNamespaceStatus, validateNamespaceUpdate } from './namespace-validation.ts';

const namespaceCondition = obj('NamespaceCondition', {
  type: req(str('NamespaceConditionType')),
  status: req(str('ConditionStatus')),
  lastTransitionTime: always(time),
  reason: str(),
  message: str(),
});

export const namespaceSchema = obj('Namespace', {
  ...typeMeta,
  spec: always(obj('NamespaceSpec', { finalizers: list(str('FinalizerName')) })),
  status: always(obj('NamespaceStatus', { phase: filled(str('NamespacePhase'), 'Active'), conditions: mergeList(namespaceCondition, 'type') })),
});
export type Namespace = ObjectOf<'Namespace', Infer<typeof namespaceSchema>>;

/** Every namespace carries its own name as a label. */
function labelWithName(draft: Draft, { names }: KindContext): void {
  const { name, labels = {} } = draft.metadata as { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  const key = names.key('', 'metadata.name');
  if (name !== undefined && name !== '' && labels[key] !== name) draft.metadata['labels'] = sortedWith(labels, key, name);
}

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
  columns: [nameColumn, { name: 'Status', type: 'string', description: 'Phase of the namespace.', priority: 0, cell: (object) => object.status.phase }, ageColumn],
  models: 'Complete. Upstream: pkg/registry/core/namespace.',
});

const sortedWith = (labels: Readonly<Record<string, string>>, key: string, value: string): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...labels, [key]: value }).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
