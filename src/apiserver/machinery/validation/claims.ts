/**
 * Validation of PersistentVolumeClaims. Models: v1.24 pkg/apis/core/validation ValidatePersistentVolumeClaimSpec,
 * ValidatePersistentVolumeClaimTemplate.
 */
import type { Infer } from '../../../schema/shape/index.ts';
import {
  append,
  GoText,
  isDns1123Subdomain,
  parseQuantity,
  quantitySign,
  validateLabels,
  validateLabelSelector,
} from '../../../schema/values/index.ts';
import type { claimTemplate, PersistentVolumeClaimSpec } from '../structs/claims.ts';
import { objectMeta } from '../structs/meta.ts';
import type { KindContext } from '../kind.ts';
import type { FieldError } from '../status.ts';
import { forbidden, invalid, notSupported, problemsAt, required } from './field-errors.ts';
import { validateAnnotations } from './object-meta.ts';
import { sameValue } from './same-value.ts';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
const ONE_POD = 'ReadWriteOncePod';
export const VOLUME_MODES = ['Block', 'Filesystem'];

/** Whether `ReadWriteOncePod` is allowed: by its gate, or because the stored object has it. */
export const mayBeOnePod = (old: { readonly accessModes?: readonly string[] } | undefined, { gates }: KindContext): boolean =>
  gates['ReadWriteOncePod'] === true || old?.accessModes?.includes(ONE_POD) === true;

/** Validates the access modes of a volume or claim: at least one, and only known ones. */
export function validateAccessModes(modes: readonly string[] | undefined, field: string, missing: string, onePod: boolean): FieldError[] {
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
  append(errors, validateLabelSelector(spec.selector, `${field}.selector`));
  if ((modes ?? []).length > 0) append(errors, validateAccessModes(modes, `${field}.accessModes`, '', onePod));
  const storage = spec.resources.requests?.['storage'];
  if (storage === undefined) errors.push(required(`${field}.resources[storage]`));
  else {
    const parsed = parseQuantity(storage);
    if (parsed.error === undefined && quantitySign(parsed.value) <= 0)
      errors.push(invalid(`${field}.resources[storage]`, storage, 'must be greater than zero'));
  }
  const className = spec.storageClassName;
  if (className !== undefined && className !== '')
    append(errors, problemsAt(isDns1123Subdomain(className), `${field}.storageClassName`, className));
  if (spec.volumeMode !== undefined && !VOLUME_MODES.includes(spec.volumeMode))
    errors.push(notSupported(`${field}.volumeMode`, spec.volumeMode, VOLUME_MODES));
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined) append(errors, sourceErrors(dataSource, `${field}.dataSource`));
  if (dataSourceRef !== undefined) append(errors, sourceErrors(dataSourceRef, `${field}.dataSourceRef`));
  // Upstream prints the path as the value.
  if (dataSource !== undefined && dataSourceRef !== undefined && !sameValue(dataSource, dataSourceRef))
    errors.push(
      invalid(field, new GoText('field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}'), 'must match dataSourceRef'),
    );
  return errors;
}

function sourceErrors({ apiGroup, kind, name }: NonNullable<PersistentVolumeClaimSpec['dataSource']>, field: string): FieldError[] {
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
