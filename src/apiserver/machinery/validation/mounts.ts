/** Validation of volume mounts and devices. Models: v1.24 pkg/apis/core/validation ValidateVolumeMounts, ValidateVolumeDevices. */
import { append, repeats } from '../../../schema/values/index.ts';
import type { Container } from '../structs/containers.ts';
import type { Volume } from '../structs/volumes.ts';
import type { FieldError } from '../status.ts';
import { descendingPath, noBacksteps } from './facets.ts';
import { forbidden, invalid, notFound, notSupported, ofEach, required } from './field-errors.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

export function validateMounts(
  { volumeMounts, volumeDevices = [], securityContext }: Container,
  volumes: ReadonlyMap<string, Volume>,
  field: string,
): FieldError[] {
  const isRepeated = repeats<string>();
  const deviceNames = new Set(volumeDevices.map(({ name }) => name));
  const devicePaths = new Set(volumeDevices.map(({ devicePath }) => devicePath));
  return ofEach(volumeMounts, field, ({ name, mountPath, subPath, subPathExpr, mountPropagation: propagation }, path) => {
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${path}.name`));
    if (!volumes.has(name)) errors.push(notFound(`${path}.name`, name));
    if (mountPath === '') errors.push(required(`${path}.mountPath`));
    if (isRepeated(mountPath)) errors.push(invalid(`${path}.mountPath`, mountPath, 'must be unique'));
    if (deviceNames.has(name)) errors.push(invalid(`${path}.name`, name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath))
      errors.push(invalid(`${path}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
    // From here on upstream's paths have no index.
    if (subPath !== undefined) append(errors, descendingPath(subPath, `${field}.subPath`));
    if (subPathExpr !== undefined) {
      if (subPath !== undefined) errors.push(invalid(`${path}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      append(errors, descendingPath(subPathExpr, `${field}.subPathExpr`));
    }
    if (propagation !== undefined && !PROPAGATIONS.includes(propagation))
      errors.push(notSupported(`${field}.mountPropagation`, propagation, PROPAGATIONS));
    if (propagation === 'Bidirectional' && securityContext?.privileged !== true)
      errors.push(forbidden(`${field}.mountPropagation`, 'Bidirectional mount propagation is available only to privileged containers'));
    return errors;
  });
}

export function validateDevices(
  { volumeMounts = [], volumeDevices }: Container,
  volumes: ReadonlyMap<string, Volume>,
  field: string,
): FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mountNames = new Set(volumeMounts.map(({ name }) => name));
  const mountPaths = new Set(volumeMounts.map(({ mountPath }) => mountPath));
  return ofEach(volumeDevices, field, ({ name, devicePath }, path) => {
    const errors: FieldError[] = [];
    const refuseName = (why: string): unknown => errors.push(invalid(`${path}.name`, name, why));
    const refusePath = (why: string): unknown => errors.push(invalid(`${path}.devicePath`, devicePath, why));
    const volume = volumes.get(name);
    if (name === '') errors.push(required(`${path}.name`));
    if (names.has(name)) refuseName('must be unique');
    if (volume === undefined) errors.push(notFound(`${path}.name`, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined)
      refuseName('can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode');
    if (devicePath === '') errors.push(required(`${path}.devicePath`));
    if (paths.has(devicePath)) refusePath('must be unique');
    if (noBacksteps(devicePath, path).length > 0) refusePath("can not contain backsteps ('..')");
    else paths.add(devicePath);
    if (mountNames.has(name)) refuseName('must not already exist in volumeMounts');
    if (mountPaths.has(devicePath)) refusePath('must not already exist as a path in volumeMounts');
    if (name !== '') names.add(name);
    return errors;
  });
}
