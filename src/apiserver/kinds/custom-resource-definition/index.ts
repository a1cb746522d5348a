/**
 * CustomResourceDefinition: a kind that clients define. Models: v1.24 apiextensions/v1 CustomResourceDefinition, apiextensions-apiserver
 * pkg/registry/customresourcedefinition strategy.go.
 */
import { assign, castDraft, createdAtColumn, defineKind, keepSpecAndMeta, keepStatus } from '../../machinery/index.ts';
import { settled } from './conditions.ts';
import { metadataErrors, specErrors, storedVersionErrors, updateErrors } from './rules.ts';
import { type CustomResourceDefinition, definitionSchema } from './shape.ts';

/** The versions in which objects have been stored, with the present one. */
function storedVersions({ spec }: CustomResourceDefinition, before: readonly string[]): readonly string[] {
  const storage = (spec.versions ?? []).find((version) => version.storage)?.name;
  return storage === undefined || before.includes(storage) ? before : [...before, storage];
}

export const customResourceDefinition = defineKind<CustomResourceDefinition>({
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  groupPrefix: 'apiextensions',
  namespaced: false,
  schema: definitionSchema,
  subresources: ['status'],
  generation: 'spec',
  allowUnconditionalUpdate: false,
  prepareForCreate(draft) {
    draft.status = castDraft({ storedVersions: storedVersions(draft, []) });
  },
  prepareForUpdate(draft, old) {
    keepStatus(draft, old);
    const before = old.status.storedVersions ?? [];
    const now = storedVersions(draft, before);
    if (now !== before) assign(draft, 'status', castDraft({ ...old.status, storedVersions: now }));
  },
  prepareForStatusUpdate: keepSpecAndMeta,
  // Names are settled, and the kind is served, within the write: upstream needs a moment.
  settle: (object, lookup, context) =>
    object.metadata.deletionTimestamp === undefined ? settled(object, lookup.values('CustomResourceDefinition'), context) : object,
  anyFinalizers: true,
  create: [metadataErrors, specErrors],
  update: [(object, context, old) => updateErrors(object, old, context)],
  updateStatus: ['changed metadata', storedVersionErrors],
  columns: ['Name', createdAtColumn],
  models:
    'Structural schemas with all their rules, CEL included, versions converted by strategy None, status and scale, columns, conditions, finalizer and clean-up. Names are settled within the write. Upstream: apiextensions-apiserver pkg/registry/customresourcedefinition, pkg/controller/{status,establish,finalizer}.',
});
