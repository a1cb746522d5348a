/**
 * StorageClass: parameters of dynamically provisioned volumes. Models: v1.24 storage/v1 StorageClass, pkg/registry/storage/storageclass.
 */
import { atomicList, bool, field, filled, type Infer, list, map, obj, ptr, req, str } from '../../schema/shape/index.ts';
import { append, byteLength, compareText, isQualifiedName, repeats, validateLabelName } from '../../schema/values/index.ts';
import { defineKind, nameColumn, rulesOf } from '../machinery/index.ts';
import type { FieldError, Names } from '../objects/index.ts';
import { type ObjectOf, typeMeta } from '../structs/index.ts';
import { duplicate, ENOUGH_ERRORS, invalid, notSupported, problemsAt, required, tooLong } from '../validation/index.ts';

const topologySelectorTerm = obj(
  'TopologySelectorTerm',
  'A part of the cluster.',
  {
    matchLabelExpressions: field(
      1,
      'Requirements on labels; all must match.',
      list(
        obj('TopologySelectorLabelRequirement', 'A label and its values.', {
          key: field(1, 'The label.', req(str())),
          values: field(2, 'One of these.', req(list(str()))),
        }),
      ),
    ),
  },
  { mapType: 'atomic' },
);

const kept = (name: string) => ({ fixed: { words: `updates to ${name} are forbidden.` } });

const storageClassSchema = obj(
  'StorageClass',
  'A class of dynamically provisioned volumes.',
  {
    ...typeMeta,
    provisioner: field(2, 'The driver that creates the volumes.', req(str()), {
      ...kept('provisioner'),
      column: ['Provisioner', 'Driver that creates the volumes.'],
    }),
    parameters: field(3, 'Its parameters.', map(str()), kept('parameters')),
    reclaimPolicy: field(
      4,
      'Whether a volume is deleted after its claim: Delete or Retain.',
      filled(ptr(str('PersistentVolumeReclaimPolicy')), 'Delete'),
      { ...kept('reclaimPolicy'), column: ['ReclaimPolicy', 'Handling of a volume after its claim is deleted.'] },
    ),
    mountOptions: field(5, 'Mount options of its volumes; an invalid one fails at mount time.', list(str())),
    allowVolumeExpansion: field(6, 'Whether claims may be expanded.', ptr(bool), {
      column: ['AllowVolumeExpansion', 'Whether volumes may be expanded.', 'string'],
    }),
    volumeBindingMode: field(
      7,
      'Immediate: when the claim is created. WaitForFirstConsumer: when a pod that uses it is scheduled, and accessible from its node.',
      filled(ptr(str('VolumeBindingMode')), 'Immediate'),
      { among: ['Immediate', 'WaitForFirstConsumer'], fixed: true, column: ['VolumeBindingMode', 'When claims are bound.'] },
    ),
    allowedTopologies: field(8, 'The topology in which volumes may be created; empty: all.', atomicList(topologySelectorTerm)),
  },
  { order: ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] },
);
type StorageClass = ObjectOf<'StorageClass', Infer<typeof storageClassSchema>>;

const MAX_PARAMETERS = 512;
const MAX_PARAMETERS_SIZE = 256 * 1024;
const RECLAIM = ['Delete', 'Retain'];

const provisionerErrors = ({ provisioner }: StorageClass): FieldError[] =>
  provisioner === '' ? [required('provisioner')] : problemsAt(isQualifiedName(provisioner.toLowerCase()), 'provisioner', provisioner);

/** The empty policy is a rule of the specification. */
const policyErrors = ({ reclaimPolicy }: StorageClass): FieldError[] =>
  reclaimPolicy === '' || RECLAIM.includes(reclaimPolicy) ? [] : [notSupported('reclaimPolicy', reclaimPolicy, RECLAIM)];

const CREATED = ['metadata', provisionerErrors, parameterErrors, policyErrors, 'volumeBindingMode', topologyErrors] as const;

function parameterErrors({ parameters = {} }: StorageClass): FieldError[] {
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

/** Refuses terms that select the same. */
function topologyErrors({ allowedTopologies: terms = [] }: StorageClass): FieldError[] {
  const errors: FieldError[] = [];
  // Upstream's list begins with as many empty selections as there are terms, so that an empty term duplicates all of them.
  const seen = new Map([['{}', terms.length]]);
  for (const [at, term] of terms.entries()) {
    const field = `allowedTopologies[${at}].matchLabelExpressions`;
    const selected: Record<string, readonly string[]> = {};
    for (const [i, { key, values }] of (term.matchLabelExpressions ?? []).entries()) {
      const sorted = [...new Set(values ?? [])].sort(compareText);
      if (sorted.length === 0) errors.push(required(`${field}[${i}].values`));
      const seenBefore = repeats<string>();
      for (const [v, value] of (values ?? []).entries())
        if (seenBefore(value)) errors.push(duplicate(`${field}[${i}].values[${v}]`, value));
      append(errors, validateLabelName(key, `${field}[${i}].key`));
      if (Object.hasOwn(selected, key)) errors.push(duplicate(`${field}[${i}].key`, key));
      selected[key] = sorted;
    }
    const same = JSON.stringify(Object.fromEntries(Object.entries(selected).sort(([a], [b]) => compareText(a, b))));
    const before = seen.get(same) ?? 0;
    // A refusal prints no more errors than this; empty terms alone would give as many as there are pairs of them.
    for (let times = 0; times < before && errors.length < ENOUGH_ERRORS; times++) errors.push(duplicate(field, ''));
    seen.set(same, before + 1);
  }
  return errors;
}

/** Whether a class is marked as the default, by the current annotation or by the older one. */
export const isDefaultStorageClass = ({ metadata: { annotations = {} } }: Pick<StorageClass, 'metadata'>, names: Names): boolean =>
  ['storageclass', 'storageclass.beta'].some((prefix) => annotations[names.key(prefix, 'is-default-class')] === 'true');

export const storageClass = defineKind<StorageClass>({
  plural: 'storageclasses',
  shortNames: ['sc'],
  groupPrefix: 'storage',
  namespaced: false,
  schema: storageClassSchema,
  deleteReturns: 'object',
  applyDefaults(draft, context) {
    // The specification spells this mode differently.
    if (rulesOf(context) === 'specification' && draft.volumeBindingMode === 'VolumeBindingImmediate') draft.volumeBindingMode = 'Immediate';
  },
  create: CREATED,
  update: [...CREATED, 'changed metadata', 'fixed'],
  columns: [
    {
      ...nameColumn,
      cell: (object, { names }) => (isDefaultStorageClass(object, names) ? `${object.metadata.name} (default)` : object.metadata.name),
    },
    'provisioner',
    'reclaimPolicy',
    'volumeBindingMode',
    'allowVolumeExpansion',
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/storage/storageclass, pkg/apis/storage/validation.',
  specification: [
    {
      name: 'storage-class/immediate-by-its-other-name',
      field: 'volumeBindingMode',
      statement: 'The default volumeBindingMode is called VolumeBindingImmediate.',
      recorded: 'accepts Immediate only, and refuses the other spelling',
      does: 'the server accepts VolumeBindingImmediate and stores Immediate, which clients expect',
    },
    {
      name: 'storage-class/reclaim-policy-is-one',
      field: 'reclaimPolicy',
      statement: 'reclaimPolicy is one of the defined policies, and defaults to Delete.',
      recorded: 'accepts and keeps an empty string',
      check: ({ reclaimPolicy }) => (reclaimPolicy === '' ? [notSupported('reclaimPolicy', '', ['Delete', 'Retain'])] : []),
    },
  ],
});
