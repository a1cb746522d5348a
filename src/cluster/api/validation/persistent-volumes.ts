/** Rules of a PersistentVolume's specification. Models: v1.24 pkg/apis/core/validation ValidatePersistentVolumeSpec. */
import { asGiven } from '../../schema/index.ts';
import { isDns1123Subdomain, parseQuantity, quantitySign } from '../../values/index.ts';
import type { PersistentVolumeSpec } from '../shapes/volume-spec.ts';
import { persistentSourceNames } from '../shapes/volume-spec.ts';
import type { FieldError } from '../status.ts';
import { ACCESS_MODES, VOLUME_MODES } from './claims.ts';
import { forbidden, invalid, notSupported, required } from './field-errors.ts';
import { shownAmounts } from './go-quantity.ts';
import { noBacksteps } from './paths.ts';
import { validateNodeSelector } from './scheduling.ts';

type Spec = Omit<PersistentVolumeSpec, 'persistentVolumeReclaimPolicy'> & { readonly persistentVolumeReclaimPolicy?: string };

const RECLAIM = ['Delete', 'Recycle', 'Retain'];
const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

/** Fields each source cannot do without. */
const REQUIRED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  hostPath: ['path'], gcePersistentDisk: ['pdName'], awsElasticBlockStore: ['volumeID'], glusterfs: ['endpoints', 'path'], flocker: [], nfs: ['server', 'path'], rbd: ['monitors', 'image'], quobyte: ['registry', 'volume'], cephfs: ['monitors'],
  iscsi: ['targetPortal', 'iqn'], cinder: ['volumeID'], fc: [], flexVolume: ['driver'], azureFile: ['secretName', 'shareName'], vsphereVolume: ['volumePath'], photonPersistentDisk: ['pdID'], portworxVolume: ['volumeID'], azureDisk: ['diskName', 'diskURI'],
  scaleIO: ['gateway', 'system', 'volumeName'], local: ['path'], storageos: ['volumeName'],
};

export function validatePersistentSpec(spec: Spec, field: string, inline: boolean): FieldError[] {
  const errors = inline ? inlineErrors(spec, field) : [];
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.push(required(`${field}.accessModes`));
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(`${field}.accessModes`, mode, ACCESS_MODES));
  if (!inline) errors.push(...capacityErrors(spec, field));
  const policy = spec.persistentVolumeReclaimPolicy;
  if (!inline && policy !== undefined && !RECLAIM.includes(policy)) errors.push(notSupported(`${field}.persistentVolumeReclaimPolicy`, policy, RECLAIM));
  const affinity = spec.nodeAffinity;
  if (affinity !== undefined && !inline) errors.push(...(affinity.required === undefined ? [required(`${field}.nodeAffinity.required`, 'must specify required node constraints')] : validateNodeSelector(affinity.required, `${field}.nodeAffinity.required`)));
  errors.push(...sourceErrors(spec, field));
  if (policy === 'Recycle' && spec.hostPath?.path === '/') errors.push(forbidden(`${field}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"));
  const className = spec.storageClassName;
  if (!inline && className !== undefined) for (const problem of isDns1123Subdomain(className)) errors.push(invalid(`${field}.storageClassName`, className, problem));
  if (!inline && spec.volumeMode !== undefined && !VOLUME_MODES.includes(spec.volumeMode)) errors.push(notSupported(`${field}.volumeMode`, spec.volumeMode, VOLUME_MODES));
  return errors;
}

/** A volume inside an attachment is only what its driver needs. */
function inlineErrors(spec: Spec, field: string): FieldError[] {
  const why = 'may not be specified in the context of inline volumes';
  const errors: FieldError[] = [];
  if (Object.keys(spec.capacity ?? {}).length > 0) errors.push(forbidden(`${field}.capacity`, why));
  if (spec.csi === undefined) errors.push(required(`${field}.csi`, 'has to be specified in the context of inline volumes'));
  if (spec.claimRef !== undefined) errors.push(forbidden(`${field}.claimRef`, why));
  if (spec.persistentVolumeReclaimPolicy !== undefined) errors.push(forbidden(`${field}.persistentVolumeReclaimPolicy`, why));
  if (spec.storageClassName !== undefined) errors.push(forbidden(`${field}.storageClassName`, why));
  if (spec.volumeMode !== undefined && spec.volumeMode !== 'Filesystem') errors.push(forbidden(`${field}.volumeMode`, 'may not specify volumeMode other than Filesystem in the context of inline volumes'));
  if (spec.nodeAffinity !== undefined) errors.push(forbidden(`${field}.nodeAffinity`, why));
  return errors;
}

function capacityErrors(spec: Spec, field: string): FieldError[] {
  const { capacity } = spec;
  const errors: FieldError[] = [];
  const names = Object.keys(capacity ?? {});
  if (names.length === 0) errors.push(required(`${field}.capacity`));
  if (names.length !== 1 || capacity?.['storage'] === undefined) errors.push(notSupported(`${field}.capacity`, shownAmounts(asGiven(spec).capacity), ['storage']));
  for (const name of names) {
    const amount = capacity?.[name] ?? '0';
    const parsed = parseQuantity(amount);
    const sign = parsed.error === undefined ? quantitySign(parsed.value) : 0;
    const at = `${field}.capacity[${name}]`;
    if (sign < 0) errors.push(invalid(at, Number.parseInt(amount, 10), 'must be a valid resource quantity'));
    if (sign <= 0) errors.push(invalid(at, amount, 'must be greater than zero'));
  }
  return errors;
}

function sourceErrors(spec: Spec, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const sources = persistentSourceNames.filter((name) => (spec as Readonly<Record<string, unknown>>)[name] !== undefined);
  // Upstream looks at the path of the host first and at CSI last.
  const ordered = [...sources].sort((a, b) => rank(a) - rank(b));
  for (const [at, name] of ordered.entries()) {
    const path = `${field}.${name}`;
    if (at > 0) errors.push(forbidden(path, 'may not specify more than 1 volume type'));
    else if (name === 'csi') errors.push(...csiErrors(spec, path));
    else {
      const source = (spec as Readonly<Record<string, unknown>>)[name] as Readonly<Record<string, unknown>>;
      for (const key of REQUIRED_FIELDS[name] ?? []) if (source[key] === undefined || source[key] === '' || source[key] === null) errors.push(required(`${path}.${key}`));
      if (name === 'hostPath') errors.push(...hostPathErrors(spec, path));
      if (name === 'local' && spec.local !== undefined) {
        if (spec.local.path !== '') errors.push(...noBacksteps(spec.local.path, `${path}.path`));
        if (spec.nodeAffinity?.required === undefined) errors.push(required(`${field}.nodeAffinity`, 'Local volume requires node affinity'));
      }
    }
  }
  if (sources.length === 0) errors.push(required(field, 'must specify a volume type'));
  return errors;
}

const rank = (name: string): number => (name === 'hostPath' ? -1 : name === 'csi' ? 1000 : persistentSourceNames.indexOf(name));

function hostPathErrors({ hostPath }: Spec, field: string): FieldError[] {
  if (hostPath === undefined || hostPath.path === '') return [];
  const type = hostPath.type ?? '';
  return [...noBacksteps(hostPath.path, `${field}.path`), ...(HOST_PATH_TYPES.includes(type) ? [] : [notSupported(`${field}.type`, type, HOST_PATH_TYPES)])];
}

function csiErrors({ csi }: Spec, field: string): FieldError[] {
  const { driver = '', volumeHandle = '' } = csi ?? {};
  const errors = driver === '' ? [required(`${field}.driver`)] : [];
  if (driver.length > 63) errors.push({ type: 'TooLong', field: `${field}.driver`, value: driver, detail: 'must have at most 63 bytes' });
  for (const problem of isDns1123Subdomain(driver.toLowerCase())) errors.push(invalid(`${field}.driver`, driver, problem));
  if (volumeHandle === '') errors.push(required(`${field}.volumeHandle`));
  for (const ref of ['controllerPublishSecretRef', 'nodeStageSecretRef', 'nodePublishSecretRef', 'controllerExpandSecretRef'] as const) {
    const secret = csi?.[ref];
    if (secret === undefined) continue;
    if ((secret.name ?? '') === '') errors.push(required(`${field}.${ref}.name`));
    if ((secret.namespace ?? '') === '') errors.push(required(`${field}.${ref}.namespace`));
  }
  return errors;
}
