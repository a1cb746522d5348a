/**
 * Validation of the specifications of PersistentVolumes and of claims. Models: v1.24 pkg/apis/core/validation ValidatePersistentVolumeSpec,
 * ValidatePersistentVolumeClaimSpec, ValidatePersistentVolumeClaimTemplate.
 */
import { asGiven, type Infer } from '../../schema/shape/index.ts';
import {
  append,
  GoText,
  isDns1123Subdomain,
  parseQuantity,
  quantitySign,
  quantityValue,
  validateLabels,
} from '../../schema/values/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import { claimSpec, objectMeta } from '../structs/index.ts';
import type { claimTemplate, persistentSourceNames, PersistentVolumeClaimSpec, PersistentVolumeSpec } from '../structs/index.ts';
import { facetErrors } from './facets.ts';
import { forbidden, invalid, notSupported, problemsAt, required, soleMemberErrors, sameValue } from './field-errors.ts';
import { shownAmounts } from './go-types.ts';
import { validateAnnotations } from './object-meta.ts';
import { validateNodeSelector } from './requirements.ts';
import { iscsiNameTooLong, validateSource } from './volume-sources.ts';

type SourceName = (typeof persistentSourceNames)[number];
type Spec = Omit<PersistentVolumeSpec, 'persistentVolumeReclaimPolicy'> & { readonly persistentVolumeReclaimPolicy?: string };

const RECLAIM = ['Delete', 'Recycle', 'Retain'];

/** In upstream's order. */
const NAMES: readonly SourceName[] = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];
const SOURCES = {
  names: NAMES,
  most: 'may not specify more than 1 volume type',
  none: 'must specify a volume type',
  spelt: { cephfs: 'cephFS' },
  // Upstream does not check this source for being the only one.
  besides: 'flexVolume',
} as const;

/** `name`: the name of the volume, which is part of session names; `onePod`: whether `ReadWriteOncePod` is allowed. */
export function validatePersistentSpec(spec: Spec, field: string, inline: boolean, { name = '', onePod = false } = {}): FieldError[] {
  const errors = inline ? inlineErrors(spec, field) : [];
  append(errors, validateAccessModes(spec.accessModes, `${field}.accessModes`, '', onePod));
  if (!inline) append(errors, capacityErrors(spec, field));
  const policy = spec.persistentVolumeReclaimPolicy;
  if (policy !== undefined && policy !== '') {
    if (!inline && !RECLAIM.includes(policy)) errors.push(notSupported(`${field}.persistentVolumeReclaimPolicy`, policy, RECLAIM));
    if (inline && policy !== 'Retain')
      errors.push(forbidden(`${field}.persistentVolumeReclaimPolicy`, 'may only be Retain in the context of inline volumes'));
  }
  const affinity = spec.nodeAffinity;
  if (affinity !== undefined) {
    if (inline) errors.push(forbidden(`${field}.nodeAffinity`, INLINE));
    else
      append(
        errors,
        affinity.required === undefined
          ? [required(`${field}.nodeAffinity.required`, 'must specify required node constraints')]
          : validateNodeSelector(affinity.required, `${field}.nodeAffinity.required`),
      );
  }
  append(errors, sourceErrors(spec, field, inline, name));
  if (policy === 'Recycle' && isRoot(spec.hostPath?.path))
    errors.push(forbidden(`${field}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"));
  const className = spec.storageClassName;
  if (className !== undefined && inline) errors.push(forbidden(`${field}.storageClassName`, INLINE));
  else if (className !== undefined) append(errors, problemsAt(isDns1123Subdomain(className), `${field}.storageClassName`, className));
  const mode = spec.volumeMode;
  if (mode === undefined) return errors;
  if (inline && mode !== 'Filesystem')
    errors.push(forbidden(`${field}.volumeMode`, 'may not specify volumeMode other than Filesystem in the context of inline volumes'));
  if (!inline && !VOLUME_MODES.includes(mode)) errors.push(notSupported(`${field}.volumeMode`, mode, VOLUME_MODES));
  return errors;
}

/** Whether a path is the root after `.` and `..` are resolved. */
function isRoot(path: string | undefined): boolean {
  if (path === undefined || !path.startsWith('/')) return false;
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth = Math.max(0, depth - 1);
    else if (part !== '' && part !== '.') depth += 1;
  }
  return depth === 0;
}

const INLINE = 'may not be specified in the context of inline volumes';

/** A volume in an attachment has only the members that its driver needs. */
function inlineErrors(spec: Spec, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.claimRef !== undefined) errors.push(forbidden(`${field}.claimRef`, INLINE));
  if (Object.keys(spec.capacity ?? {}).length > 0) errors.push(forbidden(`${field}.capacity`, INLINE));
  if (spec.csi === undefined) errors.push(required(`${field}.csi`, 'has to be specified in the context of inline volumes'));
  return errors;
}

function capacityErrors(spec: Spec, field: string): FieldError[] {
  const { capacity = {} } = spec;
  const names = Object.keys(capacity);
  const errors = names.length === 0 ? [required(`${field}.capacity`)] : [];
  if (names.length !== 1 || capacity['storage'] === undefined)
    errors.push(notSupported(`${field}.capacity`, shownAmounts(asGiven(spec).capacity), ['storage']));
  for (const [name, amount] of Object.entries(capacity)) {
    const at = `${field}.capacity[${name}]`;
    const { value } = parseQuantity(amount);
    const whole = value === undefined ? 0n : quantityValue(value);
    if (whole < 0n) errors.push(invalid(at, new GoText(String(whole)), 'must be a valid resource quantity'));
    if (value === undefined || quantitySign(value) <= 0) errors.push(invalid(at, amount, 'must be greater than zero'));
  }
  return errors;
}

const sourceErrors = (spec: Spec, field: string, inline: boolean, volume: string): FieldError[] =>
  soleMemberErrors<SourceName>(spec, field, SOURCES, (name, path, isSole) =>
    isSole
      ? [
          // Upstream spells this field in two ways.
          ...validateSource(name, spec[name] as object, name === 'gcePersistentDisk' ? `${field}.persistentDisk` : path, true),
          ...besides(spec, name, field, inline, volume),
        ]
      : [],
  );

/** The requirements of a source on the rest of the volume. */
function besides({ iscsi, nodeAffinity }: Spec, name: SourceName, field: string, inline: boolean, volume: string): FieldError[] {
  if (name === 'iscsi' && iscsi !== undefined) return iscsiNameTooLong(iscsi, volume, `${field}.iscsi.targetportal`, iscsi.targetPortal);
  return name === 'local' && (nodeAffinity === undefined || inline)
    ? [required(`${field}.nodeAffinity`, 'Local volume requires node affinity')]
    : [];
}

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
const ONE_POD = 'ReadWriteOncePod';
const VOLUME_MODES = ['Block', 'Filesystem'];

/** Whether `ReadWriteOncePod` is allowed: by its gate, or because the stored object has it. */
export const mayBeOnePod = (old: { readonly accessModes?: readonly string[] } | undefined, { gates }: KindContext): boolean =>
  gates['ReadWriteOncePod'] === true || old?.accessModes?.includes(ONE_POD) === true;

/** Validates the access modes of a volume or claim: at least one, and only known ones. */
function validateAccessModes(modes: readonly string[] | undefined, field: string, missing: string, onePod: boolean): FieldError[] {
  const known = onePod ? [...ACCESS_MODES, ONE_POD] : ACCESS_MODES;
  const errors = (modes ?? []).length === 0 ? [required(field, missing)] : [];
  for (const mode of modes ?? []) if (!known.includes(mode)) errors.push(notSupported(field, mode, known));
  // This error is independent of the gate.
  if (modes?.includes(ONE_POD) === true && modes.some((mode) => ACCESS_MODES.includes(mode)))
    errors.push(forbidden(field, `may not use ${ONE_POD} with other access modes`));
  return errors;
}

/** `onePod`: whether `ReadWriteOncePod` is allowed; claim templates in pods do not have it. */
export function validateClaimSpec(spec: PersistentVolumeClaimSpec, field: string, onePod = false): FieldError[] {
  const modes = spec.accessModes;
  const errors =
    (modes ?? []).length === 0 ? validateAccessModes(modes, `${field}.accessModes`, 'at least 1 access mode is required', onePod) : [];
  append(errors, facetErrors(claimSpec, spec, field, 'selector'));
  if ((modes ?? []).length > 0) append(errors, validateAccessModes(modes, `${field}.accessModes`, '', onePod));
  const storage = spec.resources.requests?.['storage'];
  if (storage === undefined) errors.push(required(`${field}.resources[storage]`));
  else {
    const parsed = parseQuantity(storage);
    if (parsed.error === undefined && quantitySign(parsed.value) <= 0)
      errors.push(invalid(`${field}.resources[storage]`, storage, 'must be greater than zero'));
  }
  append(errors, facetErrors(claimSpec, spec, field, 'storageClassName', 'volumeMode'));
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined) append(errors, dataSourceErrors(dataSource, `${field}.dataSource`));
  if (dataSourceRef !== undefined) append(errors, dataSourceErrors(dataSourceRef, `${field}.dataSourceRef`));
  // Upstream prints the path as the value.
  if (dataSource !== undefined && dataSourceRef !== undefined && !sameValue(dataSource, dataSourceRef))
    errors.push(
      invalid(field, new GoText('field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}'), 'must match dataSourceRef'),
    );
  return errors;
}

function dataSourceErrors({ apiGroup, kind, name }: NonNullable<PersistentVolumeClaimSpec['dataSource']>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${field}.name`));
  if (kind === '') errors.push(required(`${field}.kind`));
  if ((apiGroup ?? '') === '' && kind !== 'PersistentVolumeClaim') errors.push(invalid(field, kind, ''));
  return errors;
}

/** Metadata that a claim template must not have, in Go's order, which is that of the schema; two fields have other names there. */
const FIXED_META = Object.keys(objectMeta.fields).filter((name) => name !== 'labels' && name !== 'annotations');
const GO_NAMES: Readonly<Record<string, string>> = { uid: 'uID', clusterName: 'zZZ_DeprecatedClusterName' };

/** Validates the claim template of an ephemeral volume: its metadata may have only labels and annotations. */
export function validateClaimTemplate({ metadata, spec }: Infer<typeof claimTemplate>, field: string): FieldError[] {
  const errors = [
    ...validateAnnotations(metadata.annotations ?? {}, `${field}.metadata.annotations`),
    ...validateLabels(metadata.labels, `${field}.metadata.labels`),
  ];
  const given = metadata as Readonly<Record<string, unknown>>;
  for (const name of FIXED_META)
    if (given[name] !== undefined && given[name] !== null && given[name] !== '' && given[name] !== 0)
      errors.push(forbidden(`${field}.metadata.${GO_NAMES[name] ?? name}`, 'cannot be set for an ephemeral volume'));
  return [...errors, ...validateClaimSpec(spec, `${field}.spec`)];
}
