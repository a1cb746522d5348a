/** PersistentVolume: storage that exists. Models: v1.24 core/v1 PersistentVolume, pkg/registry/core/persistentvolume. */
import { field, filled, type Infer, obj, oneOf, str } from '../../schema/shape/index.ts';
import { defineKind, keepSpec, keepStatus } from '../machinery/index.ts';
import { type FieldError, type KindContext, namespacedName } from '../objects/index.ts';
import { kindFields, type ObjectOf, persistentSourceNames, volumeSpec } from '../structs/index.ts';
import { forbidden, immutableText, invalid, mayBeOnePod, sameValue, shown, validatePersistentSpec } from '../validation/index.ts';
import { shortAccessModes } from './persistent-volume-claim.ts';

const persistentVolumeSchema = obj(
  'PersistentVolume',
  'A piece of storage of the cluster.',
  kindFields({
    spec: volumeSpec,
    status: obj('PersistentVolumeStatus', 'The observed state of the volume.', {
      phase: field(
        1,
        'Pending, Available, Bound, Released or Failed.',
        oneOf(filled(str('PersistentVolumePhase'), 'Pending'), ['Available', 'Bound', 'Failed', 'Pending', 'Released']),
      ),
      message: field(2, 'The reason as a sentence.', str()),
      reason: field(3, 'The reason as one word.', str()),
    }),
  }),
);
export type PersistentVolume = ObjectOf<'PersistentVolume', Infer<typeof persistentVolumeSchema>>;

const sourceOf = (spec: PersistentVolume['spec']): Record<string, unknown> =>
  Object.fromEntries(persistentSourceNames.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]));

const specErrors = ({ metadata, spec }: PersistentVolume, context: KindContext, old: PersistentVolume): FieldError[] =>
  validatePersistentSpec(spec, 'spec', false, { name: metadata.name, onePod: mayBeOnePod(old.spec, context) });
/** A new volume has no earlier access modes. */
const newSpecErrors = ({ metadata, spec }: PersistentVolume, context: KindContext): FieldError[] =>
  validatePersistentSpec(spec, 'spec', false, { name: metadata.name, onePod: mayBeOnePod(undefined, context) });

/** Sources that accept mount options. */
const WITH_OPTIONS = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;

/** The mount options annotation is allowed only for sources that accept options. Models: pkg/volume/validation. */
function optionErrors({ metadata, spec }: PersistentVolume, { names }: KindContext): FieldError[] {
  const key = names.key('volume.beta', 'mount-options');
  const takes = WITH_OPTIONS.some((name) => spec[name] !== undefined);
  return metadata.annotations?.[key] === undefined || takes
    ? []
    : [forbidden(`metadata.annotations.${key}`, 'may not specify mount options for this volume type')];
}

/** Returns the source without the secret that may be set once. */
function comparable(spec: PersistentVolume['spec'], before: PersistentVolume['spec']): Record<string, unknown> {
  const { csi, ...rest } = sourceOf(spec) as { readonly csi?: NonNullable<PersistentVolume['spec']['csi']> };
  if (csi === undefined || before.csi === undefined || before.csi.controllerExpandSecretRef !== undefined) return sourceOf(spec);
  const { controllerExpandSecretRef: _, ...kept } = csi;
  return { ...rest, csi: kept };
}

function changeErrors({ spec }: PersistentVolume, _: KindContext, { spec: before }: PersistentVolume): FieldError[] {
  const errors = sameValue(comparable(spec, before), sourceOf(before))
    ? []
    : [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')];
  if (spec.volumeMode !== before.volumeMode) errors.push(invalid('volumeMode', spec.volumeMode, immutableText));
  const affinity = spec.nodeAffinity;
  if (before.nodeAffinity !== undefined && !sameValue(affinity, before.nodeAffinity))
    errors.push(
      invalid('nodeAffinity', affinity === undefined ? undefined : shown(affinity, volumeSpec.fields.nodeAffinity), immutableText),
    );
  return errors;
}

const claimOf = ({ spec: { claimRef } }: PersistentVolume): string => (claimRef === undefined ? '' : namespacedName(claimRef));

export const persistentVolume = defineKind<PersistentVolume>({
  shortNames: ['pv'],
  namespaced: false,
  schema: persistentVolumeSchema,
  subresources: ['status'],
  deleteReturns: 'object',
  prepareForCreate(draft) {
    draft.status = { phase: 'Pending' };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  create: ['metadata', newSpecErrors, optionErrors],
  // Upstream validates in the strategy, and again with the rules of updates.
  update: ['metadata', specErrors, optionErrors, 'metadata', specErrors, changeErrors],
  updateStatus: ['changed metadata'],
  columns: [
    'Name',
    ['Capacity', 'string', 'Size of the volume.', ({ spec }) => spec.capacity?.['storage'] ?? ''],
    ['Access Modes', 'string', 'Access modes of the volume.', ({ spec }) => shortAccessModes(spec.accessModes)],
    ['Reclaim Policy', 'string', 'Handling of the volume after its claim is deleted.', ({ spec }) => spec.persistentVolumeReclaimPolicy],
    [
      'Status',
      'string',
      'Whether the volume is available, bound or released.',
      ({ metadata, status }) => (metadata.deletionTimestamp === undefined ? status.phase : 'Terminating'),
    ],
    ['Claim', 'string', 'Claim the volume is bound to.', claimOf],
    [
      'StorageClass',
      'string',
      'Class of the volume.',
      (object, { names }) => object.metadata.annotations?.[names.key('volume.beta', 'storage-class')] ?? object.spec.storageClassName ?? '',
    ],
    ['Reason', 'string', 'Reason of a failed volume.', ({ status }) => status.reason ?? ''],
    'Age',
    ['VolumeMode', 'string', 'File system or raw block device.', ({ spec }) => spec.volumeMode ?? '<unset>', 'wide'],
  ],
  models: 'Complete. Upstream: pkg/registry/core/persistentvolume, pkg/apis/core/validation.',
});
