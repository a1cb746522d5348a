/** Rules of claims for storage. Models: v1.24 pkg/apis/core/validation ValidatePersistentVolumeClaimSpec. */
import { isDns1123Subdomain, parseQuantity, quantitySign, validateLabelSelector } from '../../values/index.ts';
import type { PersistentVolumeClaimSpec } from '../shapes/claims.ts';
import type { FieldError } from '../status.ts';
import { invalid, notSupported, required } from './field-errors.ts';

export const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
export const VOLUME_MODES = ['Block', 'Filesystem'];

/** Access modes of a volume or claim: some, known, and a single-pod mode alone. */
export function validateAccessModes(modes: readonly string[] | undefined, field: string): FieldError[] {
  const errors = (modes ?? []).length === 0 ? [required(field, 'at least 1 access mode is required')] : [];
  for (const mode of modes ?? []) if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(field, mode, ACCESS_MODES));
  return errors;
}

export function validateClaimSpec(spec: PersistentVolumeClaimSpec, field: string): FieldError[] {
  const errors = validateAccessModes(spec.accessModes, `${field}.accessModes`);
  errors.push(...validateLabelSelector(spec.selector, `${field}.selector`));
  const storage = spec.resources.requests?.['storage'];
  if (storage === undefined) errors.push(required(`${field}.resources[storage]`));
  else {
    const parsed = parseQuantity(storage);
    if (parsed.error === undefined && quantitySign(parsed.value) <= 0) errors.push(invalid(`${field}.resources[storage]`, storage, 'must be greater than zero'));
  }
  const className = spec.storageClassName;
  if (className !== undefined && className !== '') for (const problem of isDns1123Subdomain(className)) errors.push(invalid(`${field}.storageClassName`, className, problem));
  if (spec.volumeMode !== undefined && !VOLUME_MODES.includes(spec.volumeMode)) errors.push(notSupported(`${field}.volumeMode`, spec.volumeMode, VOLUME_MODES));
  for (const name of ['dataSource', 'dataSourceRef'] as const) {
    const source = spec[name];
    if (source === undefined) continue;
    if (source.name === '') errors.push(required(`${field}.${name}.name`));
    if (source.kind === '') errors.push(required(`${field}.${name}.kind`));
    if ((source.apiGroup ?? '') === '' && source.kind !== 'PersistentVolumeClaim') errors.push(invalid(`${field}.${name}`, source.kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  return errors;
}
