/**
 * Validation of a pod's volumes: one source each, unique names. Models: v1.24 pkg/apis/core/validation ValidateVolumes,
 * validateVolumeSource.
 */
import { append, isDns1123Subdomain, parseQuantity, quantitySign, quote } from '../../../schema/values/index.ts';
import { volume as schema, type Volume } from '../structs/volumes.ts';
import type { FieldError } from '../status.ts';
import { validateClaimTemplate } from './claims.ts';
import { facetErrors } from './facets.ts';
import { duplicate, forbidden, invalid, required } from './field-errors.ts';
import { validateDownwardVolume, validateProjectedVolume } from './projected-volumes.ts';
import { soleMemberErrors } from './sole-member.ts';
import { iscsiNameTooLong, validateSource } from './volume-sources.ts';

type SourceName = Exclude<keyof Volume, 'name'>;

/** In upstream's order. */
const NAMES: readonly SourceName[] = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
];
const SOURCES = {
  names: NAMES,
  most: 'may not specify more than 1 volume type',
  none: 'must specify a volume type',
  spelt: { cephfs: 'cephFS', downwardAPI: 'downwarAPI' },
};

export interface ValidVolumes {
  readonly errors: FieldError[];
  /** Volumes without errors, which mounts and devices may refer to. */
  readonly volumes: ReadonlyMap<string, Volume>;
}

/** `pod`: the name of a pod whose ephemeral volumes get claims; '' for a template. */
export function validateVolumes(given: readonly Volume[], field: string, pod = ''): ValidVolumes {
  const errors: FieldError[] = [];
  const volumes = new Map<string, Volume>();
  const made = new Set(pod === '' ? [] : given.flatMap(({ name, ephemeral }) => (ephemeral === undefined ? [] : [`${pod}-${name}`])));
  for (const [at, volume] of given.entries()) {
    const path = `${field}[${at}]`;
    const own = sourceErrors(volume, path, pod);
    append(own, facetErrors(schema, volume, path, 'name'));
    if (volumes.has(volume.name)) own.push(duplicate(`${path}.name`, volume.name));
    if (own.length === 0) volumes.set(volume.name, volume);
    else append(errors, own);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && made.has(claim))
      errors.push(
        invalid(`${path}.persistentVolumeClaim.claimName`, claim, 'must not reference a PVC that gets created for an ephemeral volume'),
      );
  }
  return { errors, volumes };
}

const sourceErrors = (volume: Volume, field: string, pod: string): FieldError[] =>
  soleMemberErrors(volume, field, SOURCES, (name, path, isSole) => [
    // Upstream spells this field in two ways.
    ...(isSole ? oneSource(volume, name, field, name === 'gcePersistentDisk' ? `${field}.persistentDisk` : path, pod) : []),
    ...(name === 'iscsi' && volume.iscsi !== undefined ? iscsiNameTooLong(volume.iscsi, volume.name, `${field}.name`, volume.name) : []),
  ]);

function oneSource(volume: Volume, name: SourceName, at: string, field: string, pod: string): FieldError[] {
  const { emptyDir, downwardAPI, projected, ephemeral } = volume;
  if (emptyDir !== undefined)
    return isNegative(emptyDir.sizeLimit) ? [forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')] : [];
  if (name === 'downwardAPI' && downwardAPI !== undefined) return validateDownwardVolume(downwardAPI, field);
  if (name === 'projected' && projected !== undefined) return validateProjectedVolume(projected, field);
  if (name === 'ephemeral' && ephemeral !== undefined)
    return [...ephemeralErrors(ephemeral, field), ...claimNameErrors(volume.name, at, pod)];
  return validateSource(name, volume[name] as object, field, false);
}

function isNegative(amount: string | undefined): boolean {
  const parsed = parseQuantity(amount ?? '0');
  return parsed.error === undefined && quantitySign(parsed.value) < 0;
}

const ephemeralErrors = ({ volumeClaimTemplate: template }: NonNullable<Volume['ephemeral']>, field: string): FieldError[] =>
  template === undefined ? [required(`${field}.volumeClaimTemplate`)] : validateClaimTemplate(template, `${field}.volumeClaimTemplate`);

/** The claim of an ephemeral volume is named after the pod and the volume. */
function claimNameErrors(volume: string, field: string, pod: string): FieldError[] {
  if (pod === '' || volume === '') return [];
  const name = `${pod}-${volume}`;
  return isDns1123Subdomain(name).map((problem) => invalid(`${field}.name`, volume, `PVC name ${quote(name)}: ${problem}`));
}
