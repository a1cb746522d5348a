/**
 * Validation of volume sources. Sources that pods and PersistentVolumes share are validated once here; `persistent` adds the requirements
 * of a PersistentVolume. Models: v1.24 pkg/apis/core/validation validate…VolumeSource.
 */
import type { Fieldset } from '../../schema/shape/index.ts';
import { append, isDns1123Label, isDns1123Subdomain } from '../../schema/values/index.ts';
import { type PersistentVolumeSpec, volume, type Volume, volumeSpec } from '../structs/index.ts';
import type { FieldError } from '../objects/index.ts';
import { facetErrors } from './facets.ts';
import { inclusiveRange, invalid, notSupported, problemsAt, required } from './field-errors.ts';

type Iscsi = NonNullable<Volume['iscsi']>;

const SHAPES: ReadonlyMap<string, RegExp> = new Map([
  ['iqn', /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
]);
const TOO_LONG = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
const FORMAT = 'must be valid format';
const BEGINNING = 'must be valid format starting with iqn, eui, or naa';

const shapeOf = (name: string): RegExp | undefined => SHAPES.get(name.slice(0, 3));

function qualified(name: string, field: string, unknown: string): FieldError[] {
  const shape = shapeOf(name);
  if (shape === undefined) return [invalid(field, name, unknown)];
  return shape.test(name) ? [] : [invalid(field, name, FORMAT)];
}

function iscsiErrors(
  { targetPortal, iqn, lun, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName }: Iscsi,
  field: string,
  persistent: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  if (targetPortal === '') errors.push(required(`${field}.targetPortal`));
  if (iqn === '') errors.push(required(`${field}.iqn`));
  else append(errors, qualified(iqn, `${field}.iqn`, persistent ? FORMAT : BEGINNING));
  if (lun < 0 || lun > 255) errors.push(invalid(`${field}.lun`, lun, inclusiveRange(255)));
  if ((chapAuthDiscovery === true || chapAuthSession === true) && secretRef === undefined) errors.push(required(`${field}.secretRef`));
  if (persistent && secretRef !== undefined && (secretRef.name ?? '') === '') errors.push(required(`${field}.secretRef.name`));
  if (initiatorName !== undefined) append(errors, qualified(initiatorName, `${field}.initiatorname`, persistent ? FORMAT : BEGINNING));
  return errors;
}

/** An initiator name with the volume's own session must be short. */
export const iscsiNameTooLong = ({ initiatorName, targetPortal }: Iscsi, name: string, field: string, value: string): FieldError[] =>
  initiatorName !== undefined && `${name}:${targetPortal}`.length > 64 ? [invalid(field, value, TOO_LONG)] : [];

/** A source of either kind; members of only one kind are optional. */
type Sources = { readonly [K in Exclude<keyof Volume, 'name'>]?: NonNullable<Volume[K]> } & {
  readonly [K in 'local']?: NonNullable<PersistentVolumeSpec[K]>;
};
type Reference = { readonly name?: string; readonly namespace?: string };
type Rules = { readonly [K in keyof Sources]?: (source: NonNullable<Sources[K]>, field: string, persistent: boolean) => FieldError[] };

const needed = (value: string | undefined, field: string): FieldError[] => (value === undefined || value === '' ? [required(field)] : []);
const label = (value: string, field: string): FieldError[] => problemsAt(isDns1123Label(value), field, value);
const oneOf = (value: string | undefined, field: string, known: readonly string[]): FieldError[] =>
  value === undefined || known.includes(value) ? [] : [notSupported(field, value, known)];
/** A secret by name, and by namespace for PersistentVolumes, which have none. */
function secretRef(ref: Reference | undefined, field: string, persistent: boolean): FieldError[] {
  if (ref === undefined) return [];
  return [...needed(ref.name, `${field}.secretRef.name`), ...(persistent ? needed(ref.namespace, `${field}.secretRef.namespace`) : [])];
}

const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];
const MANAGED_DISK = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';
const REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';
/** A part of Go's net.SplitHostPort: a host, in brackets if it contains colons, and a port. */
const HOST_PORT = /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/;

/** What spans members of a source, after what its schema says of each. */
const RULES: Rules = {
  hostPath: ({ path, type }, field) => (path === '' ? [] : oneOf(type, `${field}.type`, HOST_PATH_TYPES)),
  nfs: ({ path }, field) => (path.startsWith('/') ? [] : [invalid(`${field}.path`, path, 'must be an absolute path')]),
  iscsi: iscsiErrors,
  glusterfs(source, field, persistent) {
    const { endpointsNamespace: namespace } = source as { readonly endpointsNamespace?: string };
    if (!persistent || namespace === undefined) return [];
    return namespace === ''
      ? [invalid(`${field}.endpointsNamespace`, '', 'if the endpointnamespace is set, it must be a valid namespace name')]
      : label(namespace, `${field}.endpointsNamespace`);
  },
  flocker({ datasetName = '', datasetUUID = '' }, field) {
    const errors: FieldError[] = [];
    if (datasetName === '' && datasetUUID === '') errors.push(required(field, 'one of datasetName and datasetUUID is required'));
    if (datasetName !== '' && datasetUUID !== '')
      errors.push(invalid(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
    if (datasetName.includes('/')) errors.push(invalid(`${field}.datasetName`, datasetName, "must not contain '/'"));
    return errors;
  },
  cinder: ({ secretRef: secret }, field, persistent) => secretRef(secret, field, persistent),
  quobyte({ registry, volume, tenant = '' }, field) {
    const errors: FieldError[] = [];
    if (registry === '') errors.push(required(`${field}.registry`, REGISTRY));
    else if (tenant.length >= 65) errors.push(required(`${field}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
    else for (const pair of registry.split(',')) if (!HOST_PORT.test(pair)) errors.push(invalid(`${field}.registry`, registry, REGISTRY));
    return [...errors, ...needed(volume, `${field}.volume`)];
  },
  fc({ targetWWNs = [], wwids = [], lun }, field) {
    const errors: FieldError[] = [];
    if (targetWWNs.length === 0 && wwids.length === 0)
      errors.push(required(`${field}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both'));
    if (targetWWNs.length > 0 && wwids.length > 0)
      errors.push(invalid(`${field}.targetWWNs`, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
    if (targetWWNs.length === 0) return errors;
    if (lun === undefined) errors.push(required(`${field}.lun`, 'lun is required if targetWWNs is specified'));
    else if (lun < 0 || lun > 255) errors.push(invalid(`${field}.lun`, lun, inclusiveRange(255)));
    return errors;
  },
  flexVolume({ options = {} }, field) {
    const errors: FieldError[] = [];
    for (const key of Object.keys(options)) {
      const prefix = `.${(key.includes('/') ? key.slice(0, key.indexOf('/')) : key).toLowerCase()}`;
      if (prefix.endsWith('.kubernetes.io') || prefix.endsWith('.k8s.io'))
        errors.push(invalid(`${field}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'));
    }
    return errors;
  },
  azureFile(source, field, persistent) {
    const { secretNamespace } = source as { readonly secretNamespace?: string };
    return persistent && secretNamespace === '' ? [required(`${field}.secretNamespace`)] : [];
  },
  azureDisk({ diskURI, kind }, field) {
    const errors: FieldError[] = [];
    if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/'))
      errors.push(notSupported(`${field}.diskURI`, diskURI, [MANAGED_DISK]));
    if (kind !== undefined && kind !== 'Managed' && !diskURI.startsWith('https://'))
      errors.push(notSupported(`${field}.diskURI`, diskURI, [BLOB_DISK]));
    return errors;
  },
  storageos: ({ secretRef: secret }, field, persistent) => secretRef(secret, field, persistent),
  csi({ nodePublishSecretRef: secret }, field, persistent) {
    if (persistent || secret === undefined) return [];
    const { name = '' } = secret;
    return name === '' ? [required(`${field}.nodePublishSecretRef.name`)] : problemsAt(isDns1123Subdomain(name), `${field}.name`, name);
  },
};

/** Returns the errors of a source by its name. Sources that only pods have, and that refer to the pod itself, are validated elsewhere. */
export function validateSource(name: string, source: object, field: string, persistent: boolean): FieldError[] {
  const rule = RULES[name as keyof Sources] as ((source: object, field: string, persistent: boolean) => FieldError[]) | undefined;
  const schema = (persistent ? volumeSpec.fields : volume.fields) as Fieldset;
  return [
    ...(schema[name] === undefined ? [] : facetErrors(schema[name], source, field)),
    ...(rule === undefined ? [] : rule(source, field, persistent)),
  ];
}
