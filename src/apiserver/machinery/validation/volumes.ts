/**
 * Validation of a pod's volumes: one source each, unique names. Models: v1.24 pkg/apis/core/validation ValidateVolumes,
 * validateVolumeSource.
 */
import { append, isDns1123Label, isDns1123Subdomain, parseQuantity, quantitySign, quote } from '../../../schema/values/index.ts';
import type { Volume } from '../structs/volumes.ts';
import type { FieldError } from '../status.ts';
import { validateClaimTemplate } from './claims.ts';
import { duplicate, forbidden, invalid, required } from './field-errors.ts';
import { iscsiNameTooLong } from './iscsi.ts';
import { validateConfigMapVolume, validateDownwardVolume, validateProjectedVolume, validateSecretVolume } from './projected-volumes.ts';
import { validateSource } from './volume-sources.ts';

type SourceName = Exclude<keyof Volume, 'name'>;

/** In upstream's order. */
const SOURCES: readonly SourceName[] = [
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
const ONE_ONLY = 'may not specify more than 1 volume type';
/** Fields that upstream spells in two ways: in the error for a second source, and in other errors. */
const SPELT_TWICE: ReadonlyMap<string, string> = new Map([
  ['cephfs', 'cephFS'],
  ['downwardAPI', 'downwarAPI'],
]);
const SPELT: ReadonlyMap<string, string> = new Map([['gcePersistentDisk', 'persistentDisk']]);

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
    if (volume.name === '') own.push(required(`${path}.name`));
    else
      append(
        own,
        isDns1123Label(volume.name).map((problem) => invalid(`${path}.name`, volume.name, problem)),
      );
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

function sourceErrors(volume: Volume, field: string, pod: string): FieldError[] {
  const errors: FieldError[] = [];
  let found = 0;
  for (const name of SOURCES) {
    if (volume[name] === undefined) continue;
    found += 1;
    if (found > 1) errors.push(forbidden(`${field}.${SPELT_TWICE.get(name) ?? name}`, ONE_ONLY));
    else append(errors, oneSource(volume, name, field, pod));
    if (name === 'iscsi' && volume.iscsi !== undefined)
      append(errors, iscsiNameTooLong(volume.iscsi, volume.name, `${field}.name`, volume.name));
  }
  if (found === 0) errors.push(required(field, 'must specify a volume type'));
  return errors;
}

function oneSource(volume: Volume, name: SourceName, at: string, pod: string): FieldError[] {
  const field = `${at}.${SPELT.get(name) ?? name}`;
  const { emptyDir, secret, configMap, downwardAPI, projected, ephemeral } = volume;
  if (emptyDir !== undefined)
    return isNegative(emptyDir.sizeLimit) ? [forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')] : [];
  if (name === 'secret' && secret !== undefined) return validateSecretVolume(secret, field);
  if (name === 'configMap' && configMap !== undefined) return validateConfigMapVolume(configMap, field);
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
