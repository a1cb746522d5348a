/** PersistentVolumeClaim: a request for storage. Models: v1.24 core/v1 PersistentVolumeClaim, pkg/registry/core/persistentvolumeclaim. */
import type { Infer } from '../../schema/index.ts';
import { compareQuantities, quantity } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind, readDraft } from '../define-kind.ts';
import type { Draft, KindContext } from '../kind.ts';
import { persistentVolumeClaim as schema } from '../shapes/claims.ts';
import type { ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { keepSpec, keepStatus } from '../strategy.ts';
import { validateClaimSpec } from '../validation/claims.ts';
import { forbidden, invalid } from '../validation/field-errors.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';

export const persistentVolumeClaimSchema = schema;
export type PersistentVolumeClaim = ObjectOf<'PersistentVolumeClaim', Infer<typeof schema>>;

const SHORT: readonly (readonly [string, string])[] = [['ReadWriteOnce', 'RWO'], ['ReadOnlyMany', 'ROX'], ['ReadWriteMany', 'RWX'], ['ReadWriteOncePod', 'RWOP']];

/** `RWO,ROX`, in a fixed order and without repeats. */
export const shortAccessModes = (modes: readonly string[] | undefined): string => SHORT.filter(([mode]) => modes?.includes(mode)).map(([, short]) => short).join(',');

/** The older field takes claims and snapshots only and drops the rest; both fields name the same source. */
function alignSources(draft: Draft): void {
  const { dataSource, dataSourceRef, ...spec } = readDraft<PersistentVolumeClaim>(draft).spec;
  if (dataSource === undefined && dataSourceRef === undefined) return;
  const kept = dataSource !== undefined && (SOURCES.has(`${dataSource.apiGroup ?? ''}/${dataSource.kind}`)) ? dataSource : undefined;
  const source = kept ?? dataSourceRef;
  draft['spec'] = source === undefined ? spec : { ...spec, dataSource: source, dataSourceRef: dataSourceRef ?? source };
}

const SOURCES: ReadonlySet<string> = new Set(['/PersistentVolumeClaim', 'snapshot.storage.k8s.io/VolumeSnapshot', 'snapshot.storage.orch.io/VolumeSnapshot']);

const validate = (object: PersistentVolumeClaim, context: KindContext): FieldError[] => [...validateMeta(object, true, subdomainName, context), ...validateClaimSpec(object.spec, 'spec')];

function validateUpdate(object: PersistentVolumeClaim, old: PersistentVolumeClaim, context: KindContext): readonly FieldError[] {
  const { spec, status } = object;
  const before = old.spec;
  const errors = [...validate(object, context), ...validateMetaUpdate(object, old, context)];
  if (spec === before) return errors;
  let fixed: PersistentVolumeClaim['spec'] = spec;
  // Until a volume is there, its name may be filled in; once bound, the request may grow.
  if (before.volumeName === undefined && spec.volumeName !== undefined) {
    const { volumeName: _, ...rest } = spec;
    fixed = rest;
  }
  const asked = spec.resources.requests?.['storage'];
  const had = before.resources.requests?.['storage'];
  if (status.phase === 'Bound') fixed = { ...fixed, resources: { ...fixed.resources, requests: { ...fixed.resources.requests, ...(had === undefined ? {} : { storage: had }) } } };
  if (!sameValue(fixed, before)) errors.push(forbidden('spec', 'spec is immutable after creation except resources.requests for bound claims\n'));
  if (status.phase === 'Bound' && asked !== undefined && had !== undefined && compareQuantities(quantity(asked), quantity(had)) < 0) errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than previous value'));
  if (spec.storageClassName !== before.storageClassName) errors.push(forbidden('spec', 'spec is immutable after creation except resources.requests for bound claims\n'));
  if (spec.volumeMode !== before.volumeMode) errors.push(invalid('spec.volumeMode', spec.volumeMode, 'field is immutable'));
  return errors.filter((error, at) => errors.findIndex((other) => sameValue(other, error)) === at);
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
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  validateName: subdomainName,
  validate,
  validateUpdate,
  validateStatusUpdate: (object, old, context) => validateMetaUpdate(object, old, context),
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
