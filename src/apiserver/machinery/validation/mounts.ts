/** Validation of volume mounts and devices. Models: v1.24 pkg/apis/core/validation ValidateVolumeMounts, ValidateVolumeDevices. */
import { append } from '../../../schema/values/index.ts';
import type { Container } from '../structs/containers.ts';
import type { Volume } from '../structs/volumes.ts';
import type { FieldError } from '../status.ts';
import { forbidden, invalid, notFound, notSupported, required } from './field-errors.ts';
import { descendingPath, noBacksteps } from './paths.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

export function validateMounts(
  { volumeMounts = [], volumeDevices = [], securityContext }: Container,
  volumes: ReadonlyMap<string, Volume>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const paths = new Set<string>();
  // Almost no container has both.
  const devicesToo = volumeDevices.length > 0;
  const deviceNames = new Set(volumeDevices.map(({ name }) => name));
  const devicePaths = new Set(volumeDevices.map(({ devicePath }) => devicePath));
  for (const [at, mount] of volumeMounts.entries()) {
    const path = `${field}[${at}]`;
    const { name, mountPath, subPath, subPathExpr, mountPropagation: propagation } = mount;
    if (name === '') errors.push(required(`${path}.name`));
    if (!volumes.has(name)) errors.push(notFound(`${path}.name`, name));
    if (mountPath === '') errors.push(required(`${path}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalid(`${path}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (devicesToo && deviceNames.has(name)) errors.push(invalid(`${path}.name`, name, 'must not already exist in volumeDevices'));
    if (devicesToo && devicePaths.has(mountPath))
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
  }
  return errors;
}

export function validateDevices(
  { volumeMounts = [], volumeDevices = [] }: Container,
  volumes: ReadonlyMap<string, Volume>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const paths = new Set<string>();
  const mountNames = new Set(volumeMounts.map(({ name }) => name));
  const mountPaths = new Set(volumeMounts.map(({ mountPath }) => mountPath));
  for (const [at, { name, devicePath }] of volumeDevices.entries()) {
    const path = `${field}[${at}]`;
    const volume = volumes.get(name);
    if (name === '') errors.push(required(`${path}.name`));
    if (names.has(name)) errors.push(invalid(`${path}.name`, name, 'must be unique'));
    if (volume === undefined) errors.push(notFound(`${path}.name`, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined)
      errors.push(invalid(`${path}.name`, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'));
    if (devicePath === '') errors.push(required(`${path}.devicePath`));
    if (paths.has(devicePath)) errors.push(invalid(`${path}.devicePath`, devicePath, 'must be unique'));
    if (noBacksteps(devicePath, path).length > 0)
      errors.push(invalid(`${path}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    else paths.add(devicePath);
    if (mountNames.has(name)) errors.push(invalid(`${path}.name`, name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(devicePath))
      errors.push(invalid(`${path}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'));
    if (name !== '') names.add(name);
  }
  return errors;
}
