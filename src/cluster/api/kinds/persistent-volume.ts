/** PersistentVolume: storage that exists. Models: v1.24 core/v1 PersistentVolume, pkg/registry/core/persistentvolume. */
import { always, filled, obj, str, type Infer } from '../../schema/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { persistentSourceNames, volumeSpec } from '../shapes/volume-spec.ts';
import type { FieldError } from '../status.ts';
import { keepSpec, keepStatus } from '../strategy.ts';
import { forbidden, invalid } from '../validation/field-errors.ts';
import { pointer, shown, struct } from '../validation/go-shapes.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { validatePersistentSpec } from '../validation/persistent-volumes.ts';
import { sameValue } from '../validation/same-value.ts';
import { shortAccessModes } from './persistent-volume-claim.ts';

export const persistentVolumeSchema = obj('PersistentVolume', {
  ...typeMeta,
  spec: always(volumeSpec),
  status: always(obj('PersistentVolumeStatus', { phase: filled(str('PersistentVolumePhase'), 'Pending'), message: str(), reason: str() })),
});
export type PersistentVolume = ObjectOf<'PersistentVolume', Infer<typeof persistentVolumeSchema>>;

const sourceOf = (spec: PersistentVolume['spec']): Record<string, unknown> => Object.fromEntries(persistentSourceNames.filter((name) => (spec as Readonly<Record<string, unknown>>)[name] !== undefined).map((name) => [name, (spec as Readonly<Record<string, unknown>>)[name]]));

const standing = (object: PersistentVolume, context: KindContext): FieldError[] => [...validateMeta(object, false, subdomainName, context), ...validatePersistentSpec(object.spec, 'spec', false, object.metadata.name)];

/** Sources that are mounted with options. */
const WITH_OPTIONS = ['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi', 'cinder', 'cephfs', 'azureFile', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'] as const;

/** Options in an annotation are for sources that take some. Models: pkg/volume/validation. */
function optionErrors({ metadata, spec }: PersistentVolume, { names }: KindContext): FieldError[] {
  const key = names.key('volume.beta', 'mount-options');
  const takes = WITH_OPTIONS.some((name) => spec[name] !== undefined);
  return metadata.annotations?.[key] === undefined || takes ? [] : [forbidden(`metadata.annotations.${key}`, 'may not specify mount options for this volume type')];
}

const validate = (object: PersistentVolume, context: KindContext): FieldError[] => [...standing(object, context), ...optionErrors(object, context)];

const affinityType = struct('core.VolumeNodeAffinity', { Required: pointer(struct('core.NodeSelector', {})) });

/** The source, without the secret that may be filled in once. */
function comparable(spec: PersistentVolume['spec'], before: PersistentVolume['spec']): Record<string, unknown> {
  const { csi, ...rest } = sourceOf(spec) as { readonly csi?: NonNullable<PersistentVolume['spec']['csi']> };
  if (csi === undefined || before.csi === undefined || before.csi.controllerExpandSecretRef !== undefined) return sourceOf(spec);
  const { controllerExpandSecretRef: _, ...kept } = csi;
  return { ...rest, csi: kept };
}

function validateUpdate(object: PersistentVolume, old: PersistentVolume, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const before = old.spec;
  // Judged by the strategy, and again by the rules of updates.
  const errors = [...validate(object, context), ...standing(object, context)];
  if (!sameValue(comparable(spec, before), sourceOf(before))) errors.push(forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation'));
  if (spec.volumeMode !== before.volumeMode) errors.push(invalid('volumeMode', spec.volumeMode, immutableText));
  if (before.nodeAffinity !== undefined && !sameValue(spec.nodeAffinity, before.nodeAffinity)) errors.push(invalid('nodeAffinity', spec.nodeAffinity === undefined ? undefined : shown(spec.nodeAffinity, affinityType), immutableText));
  return errors;
}

const claimOf = ({ spec: { claimRef } }: PersistentVolume): string => (claimRef === undefined ? '' : `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`);

export const persistentVolume = defineKind<PersistentVolume>({
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  groupPrefix: '',
  version: 'v1',
  namespaced: false,
  schema: persistentVolumeSchema,
  subresources: ['status'],
  deleteReturns: 'object',
  prepareForCreate(draft) {
    draft['status'] = { phase: 'Pending' };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  validateName: subdomainName,
  validate,
  validateUpdate,
  validateStatusUpdate: (object, old, context) => validateMetaUpdate(object, old, context),
  columns: [
    nameColumn,
    { name: 'Capacity', type: 'string', description: 'Size of the volume.', priority: 0, cell: (object) => object.spec.capacity?.['storage'] ?? '' },
    { name: 'Access Modes', type: 'string', description: 'Ways the volume can be mounted.', priority: 0, cell: (object) => shortAccessModes(object.spec.accessModes) },
    { name: 'Reclaim Policy', type: 'string', description: 'What becomes of the volume when its claim goes.', priority: 0, cell: (object) => object.spec.persistentVolumeReclaimPolicy },
    { name: 'Status', type: 'string', description: 'Whether the volume is available, bound or released.', priority: 0, cell: (object) => (object.metadata.deletionTimestamp === undefined ? object.status.phase : 'Terminating') },
    { name: 'Claim', type: 'string', description: 'Claim the volume is bound to.', priority: 0, cell: (object) => claimOf(object) },
    { name: 'StorageClass', type: 'string', description: 'StorageClass of the pv', priority: 0, cell: (object, { names }) => object.metadata.annotations?.[names.key('volume.beta', 'storage-class')] ?? object.spec.storageClassName ?? '' },
    { name: 'Reason', type: 'string', description: 'Why the volume failed, if it did.', priority: 0, cell: (object) => object.status.reason ?? '' },
    ageColumn,
    { name: 'VolumeMode', type: 'string', description: 'File system or raw block device.', priority: 1, cell: (object) => object.spec.volumeMode ?? '<unset>' },
  ],
  models: 'Complete. Upstream: pkg/registry/core/persistentvolume, pkg/apis/core/validation.',
});
