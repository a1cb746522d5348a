/**
 * Validation of volumes with objects or pod fields as files. Models: v1.24 pkg/apis/core/validation validateSecretVolumeSource,
 * validateDownwardAPIVolumeSource, validateProjectionSources.
 */
import { append } from '../../../schema/values/index.ts';
import type { Volume } from '../structs/volumes.ts';
import type { FieldError } from '../status.ts';
import { FILE_FIELDS, validateFieldRef, validateResourceRef } from './env.ts';
import { forbidden, invalid, required } from './field-errors.ts';
import { projectedPath } from './paths.ts';

const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';
const DEFAULT_EXPIRATION = 3600;
const LONGEST_EXPIRATION = 4_294_967_296;

type KeyToPath = NonNullable<NonNullable<Volume['secret']>['items']>[number];
type DownwardFile = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];

const mode = (value: number | undefined, field: string): FieldError[] =>
  value !== undefined && (value < 0 || value > 0o777) ? [invalid(field, value, MODE)] : [];

function keyToPath({ key, path, mode: itemMode }: KeyToPath, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (key === '') errors.push(required(`${field}.key`));
  if (path === '') errors.push(required(`${field}.path`));
  return [...errors, ...projectedPath(path, `${field}.path`), ...mode(itemMode, `${field}.mode`)];
}

const keysToPaths = (items: readonly KeyToPath[] | undefined, field: string): FieldError[] =>
  (items ?? []).flatMap((item, at) => keyToPath(item, `${field}.items[${at}]`));

/** Errors of a file have the path of its volume: upstream does not index the files. */
function downwardFile({ path, fieldRef, resourceFieldRef, mode: fileMode }: DownwardFile, field: string): FieldError[] {
  const errors: FieldError[] = path === '' ? [required(`${field}.path`)] : [];
  append(errors, projectedPath(path, `${field}.path`));
  if (fieldRef !== undefined) {
    append(errors, validateFieldRef(fieldRef, FILE_FIELDS, `${field}.fieldRef`));
    if (resourceFieldRef !== undefined)
      errors.push(invalid(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (resourceFieldRef !== undefined) append(errors, validateResourceRef(resourceFieldRef, true, `${field}.resourceFieldRef`));
  else errors.push(required(field, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...mode(fileMode, `${field}.mode`)];
}

export const validateSecretVolume = (
  { secretName = '', defaultMode, items }: NonNullable<Volume['secret']>,
  field: string,
): FieldError[] => [
  ...(secretName === '' ? [required(`${field}.secretName`)] : []),
  ...mode(defaultMode, `${field}.defaultMode`),
  ...keysToPaths(items, field),
];

export const validateConfigMapVolume = (
  { name = '', defaultMode, items }: NonNullable<Volume['configMap']>,
  field: string,
): FieldError[] => [
  ...(name === '' ? [required(`${field}.name`)] : []),
  ...mode(defaultMode, `${field}.defaultMode`),
  ...keysToPaths(items, field),
];

export const validateDownwardVolume = ({ defaultMode, items = [] }: NonNullable<Volume['downwardAPI']>, field: string): FieldError[] => [
  ...mode(defaultMode, `${field}.defaultMode`),
  ...items.flatMap((file) => downwardFile(file, field)),
];

export function validateProjectedVolume({ defaultMode, sources }: NonNullable<Volume['projected']>, field: string): FieldError[] {
  const errors = mode(defaultMode, `${field}.defaultMode`);
  const paths = new Set<string>();
  const unique = (path: string, value: string): void => {
    if (path === '') return;
    if (paths.has(path)) errors.push(invalid(field, value, 'conflicting duplicate paths'));
    paths.add(path);
  };
  for (const [at, { secret, configMap, downwardAPI, serviceAccountToken: token }] of (sources ?? []).entries()) {
    const path = `${field}.sources[${at}]`;
    for (const [kind, object] of [
      ['secret', secret],
      ['configMap', configMap],
    ] as const) {
      if (object === undefined) continue;
      if ((object.name ?? '') === '') errors.push(required(`${path}.${kind}.name`));
      for (const [index, item] of (object.items ?? []).entries()) {
        append(errors, keyToPath(item, `${path}.${kind}.items[${index}]`));
        unique(item.path, object.name ?? '');
      }
    }
    for (const file of downwardAPI?.items ?? []) {
      append(errors, downwardFile(file, `${path}.downwardAPI`));
      unique(file.path, file.path);
    }
    if (token !== undefined) append(errors, tokenErrors(token, `${path}.serviceAccountToken`, field));
    if ([secret, configMap, downwardAPI, token].filter((source) => source !== undefined).length > 1)
      errors.push(forbidden(path, 'may not specify more than 1 volume type'));
  }
  return errors;
}

function tokenErrors(
  { expirationSeconds = DEFAULT_EXPIRATION, path }: { readonly expirationSeconds?: number; readonly path: string },
  field: string,
  volume: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (expirationSeconds < 600)
    errors.push(invalid(`${field}.expirationSeconds`, expirationSeconds, 'may not specify a duration less than 10 minutes'));
  if (expirationSeconds > LONGEST_EXPIRATION)
    errors.push(invalid(`${field}.expirationSeconds`, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
  if (path === '') errors.push(required(`${volume}.path`));
  return errors;
}
