/**
 * Validation of volumes with objects or pod fields as files. Models: v1.24 pkg/apis/core/validation validateSecretVolumeSource,
 * validateDownwardAPIVolumeSource, validateProjectionSources.
 */
import { append } from '../../../schema/values/index.ts';
import { downwardFile, keyToPath, type Volume, volume } from '../structs/volumes.ts';
import type { FieldError } from '../status.ts';
import { FILE_FIELDS, validateFieldRef, validateResourceRef } from './env.ts';
import { facetErrors } from './facets.ts';
import { forbidden, invalid, ofEach, required } from './field-errors.ts';

type DownwardFile = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];
const TOKEN = volume.fields.projected.fields.sources.items.fields.serviceAccountToken;

/** Errors of a file have the path of its volume: upstream does not index the files. */
function fileErrors(file: DownwardFile, field: string): FieldError[] {
  const { fieldRef, resourceFieldRef } = file;
  const errors = facetErrors(downwardFile, file, field, 'path');
  if (fieldRef !== undefined) {
    append(errors, validateFieldRef(fieldRef, FILE_FIELDS, `${field}.fieldRef`));
    if (resourceFieldRef !== undefined)
      errors.push(invalid(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
  } else if (resourceFieldRef !== undefined) append(errors, validateResourceRef(resourceFieldRef, true, `${field}.resourceFieldRef`));
  else errors.push(required(field, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...facetErrors(downwardFile, file, field, 'mode')];
}

export const validateDownwardVolume = (source: NonNullable<Volume['downwardAPI']>, field: string): FieldError[] => [
  ...facetErrors(volume.fields.downwardAPI, source, field, 'defaultMode'),
  ...(source.items ?? []).flatMap((file) => fileErrors(file, field)),
];

export function validateProjectedVolume(source: NonNullable<Volume['projected']>, field: string): FieldError[] {
  const paths = new Set<string>();
  const conflicts = (path: string, value: string): FieldError[] => {
    const errors = paths.has(path) ? [invalid(field, value, 'conflicting duplicate paths')] : [];
    if (path !== '') paths.add(path);
    return errors;
  };
  const errors = facetErrors(volume.fields.projected, source, field, 'defaultMode');
  append(
    errors,
    ofEach(source.sources, `${field}.sources`, ({ secret, configMap, downwardAPI, serviceAccountToken: token }, path) => [
      ...objectErrors(secret, `${path}.secret`, conflicts),
      ...objectErrors(configMap, `${path}.configMap`, conflicts),
      ...(downwardAPI?.items ?? []).flatMap((file) => [...fileErrors(file, `${path}.downwardAPI`), ...conflicts(file.path, file.path)]),
      ...facetErrors(TOKEN, token, `${path}.serviceAccountToken`),
      ...(token?.path === '' ? [required(`${field}.path`)] : []),
      ...([secret, configMap, downwardAPI, token].filter((one) => one !== undefined).length > 1
        ? [forbidden(path, 'may not specify more than 1 volume type')]
        : []),
    ]),
  );
  return errors;
}

type Projection = NonNullable<NonNullable<Volume['projected']>['sources']>[number]['secret'];

/** The entries of a Secret or ConfigMap as files. */
const objectErrors = (object: Projection, path: string, conflicts: (path: string, value: string) => FieldError[]): FieldError[] =>
  object === undefined
    ? []
    : [
        ...((object.name ?? '') === '' ? [required(`${path}.name`)] : []),
        ...ofEach(object.items, `${path}.items`, (item, at) => [
          ...facetErrors(keyToPath, item, at),
          ...conflicts(item.path, object.name ?? ''),
        ]),
      ];
