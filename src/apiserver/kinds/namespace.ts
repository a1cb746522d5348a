/** Namespace: a scope for names. Models: v1.24 core/v1 Namespace, pkg/registry/core/namespace. */
import { field, filled, type Infer, list, mergeList, obj, oneOf, str } from '../../schema/shape/index.ts';
import { compareText, isQualifiedName } from '../../schema/values/index.ts';
import { currentOf, defineKind, type Draft, keepSpec, keepStatus } from '../machinery/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import { conditionReason, conditionType, kindFields, type ObjectOf } from '../structs/index.ts';
import { brandOf, invalid, labelName, problemsAt, standardFinalizer } from '../validation/index.ts';

const namespaceCondition = obj('NamespaceCondition', 'The progress of the deletion of a namespace.', {
  ...conditionType('NamespaceContentRemaining, NamespaceFinalizersRemaining and others', 'NamespaceConditionType'),
  ...conditionReason(4),
});

const namespaceSchema = obj(
  'Namespace',
  'A scope for object names; its deletion deletes its objects.',
  kindFields({
    spec: obj('NamespaceSpec', 'Conditions of its removal.', {
      finalizers: field(1, 'Components that must act before it is removed.', list(str('FinalizerName'))),
    }),
    status: obj('NamespaceStatus', 'The observed state.', {
      phase: field(1, 'Active or Terminating.', oneOf(filled(str('NamespacePhase'), 'Active'), ['Active', 'Terminating']), {
        column: ['Status', 'Phase of the namespace.'],
      }),
      conditions: field(2, 'The progress of its deletion.', mergeList(namespaceCondition, 'type')),
    }),
  }),
);
/** A stored Namespace: defaulted, validated and frozen. */
export type Namespace = ObjectOf<'Namespace', Infer<typeof namespaceSchema>>;

function finalizerErrors(object: Namespace, context: KindContext): FieldError[] {
  return (object.spec.finalizers ?? []).flatMap((finalizer) => [
    ...problemsAt(isQualifiedName(finalizer), 'spec.finalizers', finalizer),
    ...standardFinalizer(finalizer, 'spec.finalizers', context),
  ]);
}

/** The phase is Terminating exactly while the namespace is being deleted. */
function phaseErrors({ metadata, status: { phase } }: Namespace): FieldError[] {
  const [wanted, is] = metadata.deletionTimestamp === undefined ? ['Active', 'is'] : ['Terminating', 'is not'];
  return phase === wanted ? [] : [invalid('status.Phase', phase, `may only be '${wanted}' if \`deletionTimestamp\` ${is} empty`)];
}

function labelWithName({ metadata }: Draft<Namespace>, { names }: KindContext): void {
  const { name, labels = {} } = metadata;
  const key = names.key('', 'metadata.name');
  if (name === undefined || name === '' || labels[key] === name) return;
  metadata.labels = Object.fromEntries(Object.entries({ ...currentOf(labels), [key]: name }).sort(([a], [b]) => compareText(a, b)));
}

export const namespace = defineKind<Namespace>({
  shortNames: ['ns'],
  namespaced: false,
  schema: namespaceSchema,
  subresources: ['status', 'finalize'],
  deleteReturns: 'object',
  applyDefaults: { reads: ['labels', 'identity'], run: labelWithName },
  prepareForCreate(draft, context) {
    const brand = brandOf(context.names);
    // A generated name is known only at this point.
    labelWithName(draft, context);
    draft.status = { phase: 'Active' };
    const finalizers = (draft.spec.finalizers ??= []);
    if (!finalizers.includes(brand)) finalizers.push(brand);
  },
  prepareForUpdate: [keepSpec, keepStatus],
  validateName: labelName,
  create: ['metadata', finalizerErrors],
  update: ['metadata', finalizerErrors, 'changed metadata'],
  updateStatus: ['changed metadata', phaseErrors],
  fieldSelectors: { 'status.phase': (object) => object.status.phase },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  models: 'Complete. Upstream: pkg/registry/core/namespace.',
});
