/** Validation of PersistentVolumes. */
import {
  type FieldError,
  forbidden,
  immutableText,
  invalid,
  type KindContext,
  mayBeOnePod,
  persistentSourceNames,
  pointer,
  sameValue,
  shown,
  struct,
  subdomainName,
  validateMeta,
  validatePersistentSpec,
} from '../../machinery/index.ts';
import type { PersistentVolume } from './shape.ts';

const sourceOf = (spec: PersistentVolume['spec']): Record<string, unknown> =>
  Object.fromEntries(
    persistentSourceNames
      .filter((name) => (spec as Readonly<Record<string, unknown>>)[name] !== undefined)
      .map((name) => [name, (spec as Readonly<Record<string, unknown>>)[name]]),
  );

const contentErrors = (object: PersistentVolume, context: KindContext, old: PersistentVolume | undefined): FieldError[] => [
  ...validateMeta(object, false, subdomainName, context),
  ...validatePersistentSpec(object.spec, 'spec', false, { name: object.metadata.name, onePod: mayBeOnePod(old?.spec, context) }),
];

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

export const validate = (object: PersistentVolume, context: KindContext, old?: PersistentVolume): FieldError[] => [
  ...contentErrors(object, context, old),
  ...optionErrors(object, context),
];

const affinityType = struct('core.VolumeNodeAffinity', { Required: pointer(struct('core.NodeSelector', {})) });

/** Returns the source without the secret that may be set once. */
function comparable(spec: PersistentVolume['spec'], before: PersistentVolume['spec']): Record<string, unknown> {
  const { csi, ...rest } = sourceOf(spec) as { readonly csi?: NonNullable<PersistentVolume['spec']['csi']> };
  if (csi === undefined || before.csi === undefined || before.csi.controllerExpandSecretRef !== undefined) return sourceOf(spec);
  const { controllerExpandSecretRef: _, ...kept } = csi;
  return { ...rest, csi: kept };
}

export function validateUpdate(object: PersistentVolume, old: PersistentVolume, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const before = old.spec;
  // Upstream validates in the strategy, and again with the rules of updates.
  const errors = [...validate(object, context, old), ...contentErrors(object, context, old)];
  if (!sameValue(comparable(spec, before), sourceOf(before)))
    errors.push(forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation'));
  if (spec.volumeMode !== before.volumeMode) errors.push(invalid('volumeMode', spec.volumeMode, immutableText));
  if (before.nodeAffinity !== undefined && !sameValue(spec.nodeAffinity, before.nodeAffinity))
    errors.push(
      invalid('nodeAffinity', spec.nodeAffinity === undefined ? undefined : shown(spec.nodeAffinity, affinityType), immutableText),
    );
  return errors;
}
