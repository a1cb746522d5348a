/**
 * Validation of a pod's volumes: one source each, unique names; and of those with objects or pod fields as files. Models: v1.24
 * pkg/apis/core/validation ValidateVolumes, validateVolumeSource, validateDownwardAPIVolumeSource, validateProjectionSources.
 */
import { append, isDns1123Subdomain, parseQuantity, quantitySign, quote } from '../../schema/values/index.ts';
import type { FieldError } from '../objects/index.ts';
import { downwardFile, keyToPath, type Volume, volume as schema } from '../structs/index.ts';
import { validateClaimTemplate } from './persistent-volumes.ts';
import { FILE_FIELDS, validateFieldRef, validateResourceRef } from './pod-fields.ts';
import { facetErrors } from './facets.ts';
import { duplicate, forbidden, invalid, ofEach, required, soleMemberErrors } from './field-errors.ts';
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

type DownwardFile = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];
const TOKEN = schema.fields.projected.fields.sources.items.fields.serviceAccountToken;

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

const validateDownwardVolume = (source: NonNullable<Volume['downwardAPI']>, field: string): FieldError[] => [
  ...facetErrors(schema.fields.downwardAPI, source, field, 'defaultMode'),
  ...(source.items ?? []).flatMap((file) => fileErrors(file, field)),
];

function validateProjectedVolume(source: NonNullable<Volume['projected']>, field: string): FieldError[] {
  const paths = new Set<string>();
  const conflicts = (path: string, value: string): FieldError[] => {
    const errors = paths.has(path) ? [invalid(field, value, 'conflicting duplicate paths')] : [];
    if (path !== '') paths.add(path);
    return errors;
  };
  const errors = facetErrors(schema.fields.projected, source, field, 'defaultMode');
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
