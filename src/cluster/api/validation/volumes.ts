/** Rules of a pod's volumes. Models: v1.24 pkg/apis/core/validation ValidateVolumes. Simplified: of drivers that live outside, only the required fields are checked. */
import { isConfigMapKey, isDns1123Label, quantitySign, parseQuantity } from '../../values/index.ts';
import type { Volume } from '../shapes/volumes.ts';
import type { FieldError } from '../status.ts';
import { validateClaimSpec } from './claims.ts';
import { FILE_FIELDS, validateFieldRef, validateResourceRef } from './env.ts';
import { duplicate, forbidden, invalid, notSupported, required } from './field-errors.ts';
import { noBacksteps, projectedPath } from './paths.ts';

type Loose = Readonly<Record<string, unknown>>;

/** Fields a source cannot do without, in the order they are checked. Upstream's own order of sources. */
const REQUIRED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  emptyDir: [], hostPath: ['path'], gitRepo: ['repository'], gcePersistentDisk: ['pdName'], awsElasticBlockStore: ['volumeID'], secret: ['secretName'], nfs: ['server', 'path'], iscsi: ['targetPortal', 'iqn'], glusterfs: ['endpoints', 'path'], flocker: [],
  persistentVolumeClaim: ['claimName'], rbd: ['monitors', 'image'], cinder: ['volumeID'], cephfs: ['monitors'], quobyte: ['registry', 'volume'], downwardAPI: [], fc: [], flexVolume: ['driver'], configMap: ['name'], azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'], photonPersistentDisk: ['pdID'], portworxVolume: ['volumeID'], azureDisk: ['diskName', 'diskURI'], storageos: ['volumeName'], projected: [], scaleIO: ['gateway', 'system', 'volumeName'], csi: ['driver'], ephemeral: [],
};
const SOURCES = Object.keys(REQUIRED_FIELDS);
const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];
const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
const badMode = (mode: number | undefined): boolean => mode !== undefined && (mode < 0 || mode > 0o777);

function validateKeyToPath(items: readonly { readonly key: string; readonly path: string; readonly mode?: number }[] | undefined, field: string): FieldError[] {
  return (items ?? []).flatMap(({ key, path, mode }, at) => [
    ...(key === '' ? [required(`${field}[${at}].key`)] : isConfigMapKey(key).map((problem) => invalid(`${field}[${at}].key`, key, problem))),
    ...(path === '' ? [required(`${field}[${at}].path`)] : projectedPath(path, `${field}[${at}].path`)),
    ...(badMode(mode) ? [invalid(`${field}[${at}].mode`, mode, MODE)] : []),
  ]);
}

function validateDownwardFile(file: NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number], field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (file.path === '') errors.push(required(`${field}.path`));
  errors.push(...projectedPath(file.path, `${field}.path`));
  if (file.fieldRef !== undefined) {
    errors.push(...validateFieldRef(file.fieldRef, FILE_FIELDS, `${field}.fieldRef`));
    if (file.resourceFieldRef !== undefined) errors.push(invalid(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (file.resourceFieldRef !== undefined) errors.push(...validateResourceRef(file.resourceFieldRef, true, `${field}.resourceFieldRef`));
  else errors.push(required(field, 'one of fieldRef and resourceFieldRef is required'));
  if (badMode(file.mode)) errors.push(invalid(`${field}.mode`, file.mode, MODE));
  return errors;
}

function validateProjected(projected: NonNullable<Volume['projected']>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [at, source] of (projected.sources ?? []).entries()) {
    const path = `${field}.sources[${at}]`;
    if (source.secret !== undefined) {
      if (isMissing(source.secret.name)) errors.push(required(`${path}.secret.name`));
      errors.push(...validateKeyToPath(source.secret.items, `${path}.secret.items`));
    }
    if (source.configMap !== undefined) {
      if (isMissing(source.configMap.name)) errors.push(required(`${path}.configMap.name`));
      errors.push(...validateKeyToPath(source.configMap.items, `${path}.configMap.items`));
    }
    for (const [i, file] of (source.downwardAPI?.items ?? []).entries()) errors.push(...validateDownwardFile(file, `${path}.downwardAPI.items[${i}]`));
    const token = source.serviceAccountToken;
    if (token !== undefined) {
      const seconds = token.expirationSeconds ?? 3600;
      if (seconds < 600) errors.push(invalid(`${path}.serviceAccountToken.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'));
      if (seconds > 4294967296) errors.push(invalid(`${path}.serviceAccountToken.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'));
      if (token.path === '') errors.push(required(`${path}.serviceAccountToken.path`));
    }
    const kinds = Object.values(source).filter((one) => one !== undefined).length;
    if (kinds > 1) errors.push(forbidden(path, 'may not specify more than 1 volume type'));
  }
  if (badMode(projected.defaultMode)) errors.push(invalid(`${field}.defaultMode`, projected.defaultMode, MODE));
  return errors;
}

function validateSource(volume: Volume, name: string, field: string): FieldError[] {
  const source = (volume as Loose)[name] as Loose;
  const errors: FieldError[] = [];
  for (const key of REQUIRED_FIELDS[name] ?? []) if (isMissing(source[key])) errors.push(required(`${field}.${key}`));
  if (volume.emptyDir?.sizeLimit !== undefined && name === 'emptyDir') {
    const limit = parseQuantity(volume.emptyDir.sizeLimit);
    if (limit.error === undefined && quantitySign(limit.value) < 0) errors.push(forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'));
  }
  if (name === 'hostPath' && volume.hostPath !== undefined && errors.length === 0) {
    errors.push(...noBacksteps(volume.hostPath.path, `${field}.path`));
    const type = volume.hostPath.type ?? '';
    if (!HOST_PATH_TYPES.includes(type)) errors.push(notSupported(`${field}.type`, type, HOST_PATH_TYPES));
  }
  if (name === 'nfs' && volume.nfs !== undefined && !volume.nfs.path.startsWith('/')) errors.push(invalid(`${field}.path`, volume.nfs.path, 'must be an absolute path'));
  if (name === 'secret' || name === 'configMap') {
    const one = name === 'secret' ? volume.secret : volume.configMap;
    if (badMode(one?.defaultMode)) errors.push(invalid(`${field}.defaultMode`, one?.defaultMode, MODE));
    errors.push(...validateKeyToPath(one?.items, `${field}.items`));
  }
  if (name === 'downwardAPI') {
    if (badMode(volume.downwardAPI?.defaultMode)) errors.push(invalid(`${field}.defaultMode`, volume.downwardAPI?.defaultMode, MODE));
    for (const file of volume.downwardAPI?.items ?? []) errors.push(...validateDownwardFile(file, field));
  }
  if (name === 'projected' && volume.projected !== undefined) errors.push(...validateProjected(volume.projected, field));
  if (name === 'ephemeral') {
    const template = volume.ephemeral?.volumeClaimTemplate;
    if (template === undefined) errors.push(required(`${field}.volumeClaimTemplate`));
    else errors.push(...validateClaimSpec(template.spec, `${field}.volumeClaimTemplate.spec`));
  }
  return errors;
}

/** The errors, and the names that mounts may refer to: those of volumes without errors. */
export function validateVolumes(volumes: readonly Volume[], field: string): { readonly errors: FieldError[]; readonly names: ReadonlySet<string> } {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, volume] of volumes.entries()) {
    const path = `${field}[${at}]`;
    const own: FieldError[] = [];
    const sources = SOURCES.filter((name) => (volume as Loose)[name] !== undefined);
    for (const [index, name] of sources.entries()) own.push(...(index > 0 ? [forbidden(`${path}.${name}`, 'may not specify more than 1 volume type')] : validateSource(volume, name, `${path}.${name}`)));
    if (sources.length === 0) own.push(required(path, 'must specify a volume type'));
    if (volume.name === '') own.push(required(`${path}.name`));
    else own.push(...isDns1123Label(volume.name).map((problem) => invalid(`${path}.name`, volume.name, problem)));
    if (names.has(volume.name)) own.push(duplicate(`${path}.name`, volume.name));
    if (own.length === 0) names.add(volume.name);
    else errors.push(...own);
  }
  return { errors, names };
}
