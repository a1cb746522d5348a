/** StorageClass: parameters of volumes made on demand. Models: v1.24 storage/v1 StorageClass, pkg/registry/storage/storageclass. */
import { atomicList, bool, filled, list, map, obj, ptr, req, str, type Infer } from '../../schema/index.ts';
import { byteLength, isQualifiedName, validateLabelName } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import type { Names } from '../names.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { duplicate, forbidden, invalid, notSupported, required, tooLong } from '../validation/field-errors.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';

const topologySelectorTerm = obj('TopologySelectorTerm', {
  matchLabelExpressions: list(obj('TopologySelectorLabelRequirement', { key: req(str()), values: req(list(str())) })),
}, { mapType: 'atomic' });
type Term = Infer<typeof topologySelectorTerm>;

export const storageClassSchema = obj('StorageClass', {
  ...typeMeta,
  provisioner: req(str()),
  parameters: map(str()),
  reclaimPolicy: filled(ptr(str('PersistentVolumeReclaimPolicy')), 'Delete'),
  mountOptions: list(str()),
  allowVolumeExpansion: ptr(bool),
  volumeBindingMode: filled(ptr(str('VolumeBindingMode')), 'Immediate'),
  allowedTopologies: atomicList(topologySelectorTerm),
});
export type StorageClass = ObjectOf<'StorageClass', Infer<typeof storageClassSchema>>;

const MAX_PARAMETERS = 512;
const MAX_PARAMETERS_SIZE = 256 * 1024;
const RECLAIM = ['Delete', 'Retain'];
const BINDING = ['Immediate', 'WaitForFirstConsumer'];

function fieldErrors({ provisioner, parameters, reclaimPolicy, volumeBindingMode, allowedTopologies }: StorageClass): FieldError[] {
  const errors: FieldError[] = [];
  if (provisioner === '') errors.push(required('provisioner'));
  else for (const problem of isQualifiedName(provisioner.toLowerCase())) errors.push(invalid('provisioner', provisioner, problem));
  errors.push(...parameterErrors(parameters ?? {}));
  if (reclaimPolicy !== '' && !RECLAIM.includes(reclaimPolicy)) errors.push(notSupported('reclaimPolicy', reclaimPolicy, RECLAIM));
  if (!BINDING.includes(volumeBindingMode)) errors.push(notSupported('volumeBindingMode', volumeBindingMode, BINDING));
  errors.push(...topologyErrors(allowedTopologies ?? []));
  return errors;
}

function parameterErrors(parameters: Readonly<Record<string, string>>): FieldError[] {
  const names = Object.keys(parameters);
  if (names.length > MAX_PARAMETERS) return [tooLong('parameters', 'Provisioner Parameters exceeded max allowed', MAX_PARAMETERS)];
  const errors: FieldError[] = [];
  let size = 0;
  for (const name of names) {
    if (name === '') errors.push(invalid('parameters', name, 'field can not be empty.'));
    size += byteLength(name) + byteLength(parameters[name] ?? '');
  }
  if (size > MAX_PARAMETERS_SIZE) errors.push(tooLong('parameters', '', MAX_PARAMETERS_SIZE));
  return errors;
}

/** Terms that select the same are one too many. */
function topologyErrors(terms: readonly Term[]): FieldError[] {
  const errors: FieldError[] = [];
  // Upstream begins with as many empty selections as there are terms, so that an empty term repeats them all.
  const seen: Record<string, readonly string[]>[] = terms.map(() => ({}));
  for (const [at, term] of terms.entries()) {
    const field = `allowedTopologies[${at}].matchLabelExpressions`;
    const selected: Record<string, readonly string[]> = {};
    for (const [i, { key, values }] of (term.matchLabelExpressions ?? []).entries()) {
      const sorted = [...new Set(values ?? [])].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      if (sorted.length === 0) errors.push(required(`${field}[${i}].values`));
      for (const [v, value] of (values ?? []).entries()) if ((values ?? []).indexOf(value) < v) errors.push(duplicate(`${field}[${i}].values[${v}]`, value));
      errors.push(...validateLabelName(key, `${field}[${i}].key`));
      if (Object.hasOwn(selected, key)) errors.push(duplicate(`${field}[${i}].key`, key));
      selected[key] = sorted;
    }
    for (const other of seen) if (sameValue(other, selected)) errors.push(duplicate(field, ''));
    seen.push(selected);
  }
  return errors;
}

function validateUpdate(now: StorageClass, before: StorageClass, context: KindContext): readonly FieldError[] {
  const errors = validateMetaUpdate(now, before, context);
  if (!sameValue(now.parameters ?? {}, before.parameters ?? {})) errors.push(forbidden('parameters', 'updates to parameters are forbidden.'));
  if (now.provisioner !== before.provisioner) errors.push(forbidden('provisioner', 'updates to provisioner are forbidden.'));
  if (now.reclaimPolicy !== before.reclaimPolicy) errors.push(forbidden('reclaimPolicy', 'updates to reclaimPolicy are forbidden.'));
  if (now.volumeBindingMode !== before.volumeBindingMode) errors.push(invalid('volumeBindingMode', now.volumeBindingMode, immutableText));
  return errors;
}

/** Marked as the one for claims that name none, by today's annotation or by the older one. */
export const isDefaultStorageClass = ({ metadata: { annotations = {} } }: Pick<StorageClass, 'metadata'>, names: Names): boolean =>
  ['storageclass', 'storageclass.beta'].some((prefix) => annotations[names.key(prefix, 'is-default-class')] === 'true');

export const storageClass = defineKind<StorageClass>({
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  groupPrefix: 'storage',
  version: 'v1',
  namespaced: false,
  schema: storageClassSchema,
  deleteReturns: 'object',
  applyDefaults(draft) {
    // The specification's spelling of the same mode.
    if (draft['volumeBindingMode'] === 'VolumeBindingImmediate') draft['volumeBindingMode'] = 'Immediate';
  },
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, false, subdomainName, context), ...fieldErrors(object)],
  validateUpdate: (object, old, context) => [...validateMeta(object, false, subdomainName, context), ...fieldErrors(object), ...validateUpdate(object, old, context)],
  columns: [
    { ...nameColumn, cell: (object, { names }) => (isDefaultStorageClass(object, names) ? `${object.metadata.name} (default)` : object.metadata.name) },
    { name: 'Provisioner', type: 'string', description: 'Who makes the volumes.', priority: 0, cell: (object) => object.provisioner },
    { name: 'ReclaimPolicy', type: 'string', description: 'What becomes of a volume when its claim goes.', priority: 0, cell: (object) => object.reclaimPolicy },
    { name: 'VolumeBindingMode', type: 'string', description: 'When claims are bound.', priority: 0, cell: (object) => object.volumeBindingMode },
    { name: 'AllowVolumeExpansion', type: 'string', description: 'Whether volumes may grow.', priority: 0, cell: (object) => object.allowVolumeExpansion ?? false },
    ageColumn,
  ],
  models: 'Complete. `VolumeBindingImmediate` is accepted for `Immediate`. Upstream: pkg/registry/storage/storageclass, pkg/apis/storage/validation.',
});
