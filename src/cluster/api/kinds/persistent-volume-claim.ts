/** PersistentVolumeClaim: a request for storage. Models: v1.24 core/v1 PersistentVolumeClaim, pkg/registry/core/persistentvolumeclaim. */
import type { Infer } from '../../schema/index.ts';
import { compareQuantities, GoText, quantity, quantityValue } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind, readDraft } from '../define-kind.ts';
import type { Draft, KindContext } from '../kind.ts';
import { persistentVolumeClaim as schema } from '../shapes/claims.ts';
import type { ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { keepSpec, keepStatus } from '../strategy.ts';
import { validateClaimSpec } from '../validation/claims.ts';
import { forbidden, invalid, required } from '../validation/field-errors.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';

export type PersistentVolumeClaim = ObjectOf<'PersistentVolumeClaim', Infer<typeof schema>>;

const SHORT: readonly (readonly [string, string])[] = [['ReadWriteOnce', 'RWO'], ['ReadOnlyMany', 'ROX'], ['ReadWriteMany', 'RWX'], ['ReadWriteOncePod', 'RWOP']];

/** `RWO,ROX`, in a fixed order and without repeats. */
export const shortAccessModes = (modes: readonly string[] | undefined): string => SHORT.filter(([mode]) => modes?.includes(mode)).map(([, short]) => short).join(',');

/** The older field takes claims and snapshots only and drops the rest; both fields name the same source. */
function alignSources(draft: Draft, old?: PersistentVolumeClaim): void {
  const { dataSource, dataSourceRef, ...spec } = readDraft<PersistentVolumeClaim>(draft).spec;
  if (dataSource === undefined && dataSourceRef === undefined) return;
  const kept = dataSource !== undefined && (old?.spec.dataSource !== undefined || SOURCES.has(`${dataSource.apiGroup ?? ''}/${dataSource.kind}`)) ? dataSource : undefined;
  const source = kept ?? dataSourceRef;
  draft['spec'] = source === undefined ? spec : { ...spec, dataSource: source, dataSourceRef: dataSourceRef ?? source };
}

const SOURCES: ReadonlySet<string> = new Set(['/PersistentVolumeClaim', 'snapshot.storage.k8s.io/VolumeSnapshot', 'snapshot.storage.orch.io/VolumeSnapshot']);

const validate = (object: PersistentVolumeClaim, context: KindContext): FieldError[] => [...validateMeta(object, true, subdomainName, context), ...validateClaimSpec(object.spec, 'spec')];

const amountOf = ({ spec }: PersistentVolumeClaim): string => spec.resources.requests?.['storage'] ?? '0';

/** The new spec as it may be: a volume filled in once, a request that grows once bound, a class said as before in an annotation. */
function allowed(object: PersistentVolumeClaim, old: PersistentVolumeClaim, classMoved: boolean): PersistentVolumeClaim['spec'] {
  const { volumeName, storageClassName, ...rest } = object.spec;
  const named = old.spec.volumeName === undefined ? rest : { ...rest, ...(volumeName === undefined ? {} : { volumeName }) };
  const spec = { ...named, ...(classMoved || storageClassName === undefined ? {} : { storageClassName }) };
  const had = old.spec.resources.requests?.['storage'];
  if (object.status.phase !== 'Bound' || spec.resources.requests === undefined || had === undefined) return spec;
  return { ...spec, resources: { ...spec.resources, requests: { ...spec.resources.requests, storage: had } } };
}

function validateUpdate(object: PersistentVolumeClaim, old: PersistentVolumeClaim, context: KindContext): readonly FieldError[] {
  const standing = object.spec === old.spec && object.metadata === old.metadata ? [] : validate(object, context);
  // Judged by the strategy, and again by the rules of updates.
  const errors = [...standing, ...validateMetaUpdate(object, old, context), ...standing];
  const key = context.names.key('volume.beta', 'storage-class');
  const [now, then] = [object.metadata.annotations?.[key], old.metadata.annotations?.[key]];
  const classMoved = then !== undefined && old.spec.storageClassName === undefined && object.spec.storageClassName === then && (now === undefined || now === then);
  if (!classMoved && (now ?? '') !== (then ?? '')) errors.push(invalid(`metadata.annotations.${key}`, now ?? '', immutableText));
  if (object.spec === old.spec) return errors;
  if (!sameValue(allowed(object, old, classMoved), old.spec)) errors.push(forbidden('spec', 'spec is immutable after creation except resources.requests for bound claims\n'));
  if (compareQuantities(quantity(amountOf(object)), quantity(amountOf(old))) < 0) errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than previous value'));
  if (object.spec.volumeMode !== old.spec.volumeMode) errors.push(invalid('volumeMode', object.spec.volumeMode, immutableText));
  return errors;
}

function validateStatusUpdate(object: PersistentVolumeClaim, old: PersistentVolumeClaim, context: KindContext): readonly FieldError[] {
  const errors = validateMetaUpdate(object, old, context);
  if ((object.spec.accessModes ?? []).length === 0) errors.push(required('Spec.accessModes'));
  for (const [name, amount] of Object.entries(object.status.capacity ?? {})) {
    const value = quantityValue(quantity(amount));
    if (value < 0n) errors.push(invalid(`status.capacity[${name}]`, new GoText(String(value)), 'must be a valid resource quantity'));
  }
  return errors;
}

export const persistentVolumeClaim = defineKind<PersistentVolumeClaim>({
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema,
  subresources: ['status'],
  deleteReturns: 'object',
  prepareForCreate(draft) {
    draft['status'] = { phase: 'Pending' };
    alignSources(draft);
  },
  prepareForUpdate(draft, old) {
    keepStatus(draft, old);
    if (draft['spec'] !== old.spec) alignSources(draft, old);
  },
  prepareForStatusUpdate: keepSpec,
  validateName: subdomainName,
  validate,
  validateUpdate,
  validateStatusUpdate,
  columns: [
    nameColumn,
    { name: 'Status', type: 'string', description: 'Phase of the claim.', priority: 0, cell: (object) => (object.metadata.deletionTimestamp === undefined ? object.status.phase : 'Terminating') },
    { name: 'Volume', type: 'string', description: 'Volume the claim is bound to.', priority: 0, cell: (object) => object.spec.volumeName ?? '' },
    { name: 'Capacity', type: 'string', description: 'Size of that volume.', priority: 0, cell: (object) => (object.spec.volumeName === undefined ? '' : object.status.capacity?.['storage'] ?? '0') },
    { name: 'Access Modes', type: 'string', description: 'Access modes of that volume.', priority: 0, cell: (object) => (object.spec.volumeName === undefined ? '' : shortAccessModes(object.status.accessModes)) },
    { name: 'StorageClass', type: 'string', description: 'StorageClass of the pvc', priority: 0, cell: (object, { names }) => object.metadata.annotations?.[names.key('volume.beta', 'storage-class')] ?? object.spec.storageClassName ?? '' },
    ageColumn,
    { name: 'VolumeMode', type: 'string', description: 'File system or raw block device.', priority: 1, cell: (object) => object.spec.volumeMode ?? '<unset>' },
  ],
  models: 'Complete. Omits: expansion recovery (gated). Upstream: pkg/registry/core/persistentvolumeclaim, pkg/apis/core/validation.',
});
