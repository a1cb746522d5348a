/**
 * Validation of containers, their variables, probes, hooks and mounts. Models: v1.24 pkg/apis/core/validation validateContainers,
 * validateInitContainers, ValidateEnv, validateProbe, validateHandler, validateLifecycle, ValidateVolumeMounts, ValidateVolumeDevices, in
 * upstream's order.
 */
import type { Fieldset, Schema } from '../../schema/shape/index.ts';
import { append, repeats } from '../../schema/values/index.ts';
import type { FieldError } from '../objects/index.ts';
import { type Container, container as schema, envFromSource, envVar, type EnvVar } from '../structs/index.ts';
import { lifecycleHandler, type LifecycleHandler, type Probe, type Volume } from '../structs/index.ts';
import { facetErrors, noBacksteps } from './facets.ts';
import { duplicate, forbidden, invalid, notFound, ofEach, required, soleMemberErrors } from './field-errors.ts';
import { shown } from './go-types.ts';
import { validateFieldRef, validateResourceRef } from './pod-fields.ts';
import { validateResourceRequirements } from './requirements.ts';
import { validateContainerSecurity } from './security.ts';

/** The pod fields that environment variables may refer to. */
const ENV_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
] as const;

function validateValueFrom(value: string | undefined, valueFrom: NonNullable<EnvVar['valueFrom']>, field: string): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  const errors = fieldRef === undefined ? [] : validateFieldRef(fieldRef, ENV_FIELDS, `${field}.fieldRef`);
  if (resourceFieldRef !== undefined) append(errors, validateResourceRef(resourceFieldRef, false, `${field}.resourceFieldRef`));
  append(errors, facetErrors(envVar.fields.valueFrom, valueFrom, field, 'configMapKeyRef', 'secretKeyRef'));
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter((source) => source !== undefined).length;
  if (sources === 0)
    errors.push(invalid(field, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'));
  else if (value !== undefined && value !== '') errors.push(invalid(field, '', 'may not be specified when `value` is not empty'));
  else if (sources > 1) errors.push(invalid(field, '', 'may not have more than one field specified at a time'));
  return errors;
}

const validateEnv = (variables: readonly EnvVar[], field: string): FieldError[] =>
  ofEach(variables, field, (variable, path) => {
    const errors = facetErrors(envVar, variable, path, 'name');
    const { value, valueFrom } = variable;
    return valueFrom === undefined ? errors : [...errors, ...validateValueFrom(value, valueFrom, `${path}.valueFrom`)];
  });

const validateEnvFrom = (sources: Container['envFrom'], field: string): FieldError[] =>
  ofEach(sources, field, (source, path) => {
    const errors = facetErrors(envFromSource, source, path);
    if (source.configMapRef === undefined && source.secretRef === undefined)
      errors.push(invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (source.configMapRef !== undefined && source.secretRef !== undefined)
      errors.push(invalid(field, '', 'may not have more than one field specified at a time'));
    return errors;
  });

const PROBE = schema.fields.livenessProbe;
const HANDLER = {
  names: ['exec', 'httpGet', 'tcpSocket', 'grpc'],
  most: 'may not specify more than 1 handler type',
  none: 'must specify a handler type',
} as const;
const TIMES = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
  'terminationGracePeriodSeconds',
];

const handlerErrors = (handler: LifecycleHandler | undefined, field: string, { fields }: typeof lifecycleHandler = PROBE): FieldError[] =>
  handler === undefined
    ? []
    : soleMemberErrors<'exec' | 'httpGet' | 'tcpSocket' | 'grpc'>(handler, field, HANDLER, (name, path, isSole) =>
        isSole ? facetErrors((fields as Fieldset)[name] as Schema, (handler as Probe)[name], path) : [],
      );

const probeErrors = (probe: Probe | undefined, field: string): FieldError[] =>
  probe === undefined ? [] : [...handlerErrors(probe, field), ...facetErrors(PROBE, probe, field, ...TIMES)];

const succeedsOnce = (probe: Probe | undefined, field: string): FieldError[] =>
  probe === undefined || probe.successThreshold === 1 ? [] : [invalid(`${field}.successThreshold`, probe.successThreshold, 'must be 1')];

/** Liveness and startup probes. v1.24 validates the startup probe twice, so its errors are repeated. */
function startErrors({ livenessProbe, readinessProbe, startupProbe }: Container, path: string): FieldError[] {
  const grace = readinessProbe?.terminationGracePeriodSeconds;
  const startup = probeErrors(startupProbe, `${path}.startupProbe`);
  return [
    ...probeErrors(livenessProbe, `${path}.livenessProbe`),
    ...(grace === undefined
      ? []
      : [invalid(`${path}.readinessProbe.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes')]),
    ...startup,
    ...succeedsOnce(livenessProbe, `${path}.livenessProbe`),
    ...startup,
    ...succeedsOnce(startupProbe, `${path}.startupProbe`),
  ];
}

function validateContainer(container: Container, volumes: ReadonlyMap<string, Volume>, path: string): FieldError[] {
  const { lifecycle, readinessProbe, env, envFrom, securityContext } = container;
  const errors = facetErrors(schema, container, path, 'image');
  append(
    errors,
    handlerErrors(lifecycle?.postStart, `${path}.lifecycle.postStart`, lifecycleHandler),
    handlerErrors(lifecycle?.preStop, `${path}.lifecycle.preStop`, lifecycleHandler),
    startErrors(container, path),
    facetErrors(schema, container, path, 'terminationMessagePolicy'),
    probeErrors(readinessProbe, `${path}.readinessProbe`),
    facetErrors(schema, container, path, 'ports'),
    validateEnv(env ?? [], `${path}.env`),
    validateEnvFrom(envFrom ?? [], `${path}.envFrom`),
    validateMounts(container, volumes, `${path}.volumeMounts`),
    validateDevices(container, volumes, `${path}.volumeDevices`),
    facetErrors(schema, container, path, 'imagePullPolicy'),
    validateResourceRequirements(container.resources, `${path}.resources`),
    securityContext === undefined ? [] : validateContainerSecurity(securityContext, `${path}.securityContext`),
  );
  return errors;
}

/** Names must be unique in their list. */
function validateList(containers: readonly Container[], volumes: ReadonlyMap<string, Volume>, field: string): FieldError[] {
  const names = new Set<string>();
  return ofEach(containers, field, (container, path) => {
    const { name } = container;
    const errors = facetErrors(schema, container, path, 'name');
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    append(errors, validateContainer(container, volumes, path));
    return errors;
  });
}

/** Two containers of a pod cannot use the same host port. */
function hostPortConflicts(containers: readonly Container[], field: string): FieldError[] {
  const taken = new Set<string>();
  return ofEach(containers, field, ({ ports }, path) =>
    ofEach(ports, `${path}.ports`, ({ hostPort, protocol, hostIP = '' }, at) => {
      const key = `${protocol}/${hostIP}/${hostPort}`;
      const errors = taken.has(key) ? [duplicate(`${at}.hostPort`, key)] : [];
      if (hostPort !== undefined) taken.add(key);
      return errors;
    }),
  );
}

export function validateContainers(
  containers: readonly Container[] | null | undefined,
  volumes: ReadonlyMap<string, Volume>,
  field: string,
): FieldError[] {
  if (containers === undefined || containers === null || containers.length === 0) return [required(field)];
  return [...validateList(containers, volumes, field), ...hostPortConflicts(containers, field)];
}

const RUN_ONCE = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/**
 * Init containers have unique names among all containers, and no probes. They run one by one, so host ports conflict only within one
 * container.
 */
export function validateInitContainers(
  containers: readonly Container[],
  others: readonly Container[],
  volumes: ReadonlyMap<string, Volume>,
  field: string,
): FieldError[] {
  if (containers.length === 0) return [];
  const errors = [...validateList(containers, volumes, field), ...containers.flatMap((container) => hostPortConflicts([container], field))];
  const names = new Set(others.map(({ name }) => name));
  for (const [at, container] of containers.entries()) {
    if (names.has(container.name)) errors.push(duplicate(`${field}[${at}].name`, container.name));
    if (container.name !== '') names.add(container.name);
    for (const name of RUN_ONCE)
      if (container[name] !== undefined)
        errors.push(invalid(`${field}[${at}].${name}`, shown(container[name], schema.fields[name]), 'must not be set for init containers'));
  }
  return errors;
}

/** Images of templates may have surrounding blanks, those of pods may not. */
export const validateImagesOfPod = (containers: readonly Container[] | undefined, field: string): FieldError[] =>
  ofEach(containers, field, ({ image = '' }, path) =>
    image === image.trim() ? [] : [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')],
  );

const MOUNT = schema.fields.volumeMounts.items;
const DEVICE = schema.fields.volumeDevices.items;

function validateMounts(
  { volumeMounts, volumeDevices = [], securityContext }: Container,
  volumes: ReadonlyMap<string, Volume>,
  field: string,
): FieldError[] {
  const isRepeated = repeats<string>();
  const deviceNames = new Set(volumeDevices.map(({ name }) => name));
  const devicePaths = new Set(volumeDevices.map(({ devicePath }) => devicePath));
  return ofEach(volumeMounts, field, (mount, path) => {
    const { name, mountPath, subPath, subPathExpr, mountPropagation: propagation } = mount;
    const errors = facetErrors(MOUNT, mount, path, 'name');
    if (!volumes.has(name)) errors.push(notFound(`${path}.name`, name));
    append(errors, facetErrors(MOUNT, mount, path, 'mountPath'));
    if (isRepeated(mountPath)) errors.push(invalid(`${path}.mountPath`, mountPath, 'must be unique'));
    if (deviceNames.has(name)) errors.push(invalid(`${path}.name`, name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath))
      errors.push(invalid(`${path}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
    // From here on upstream's paths have no index.
    append(errors, facetErrors(MOUNT, mount, field, 'subPath'));
    if (subPathExpr !== undefined && subPath !== undefined)
      errors.push(invalid(`${path}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
    append(errors, facetErrors(MOUNT, mount, field, 'subPathExpr', 'mountPropagation'));
    if (propagation === 'Bidirectional' && securityContext?.privileged !== true)
      errors.push(forbidden(`${field}.mountPropagation`, 'Bidirectional mount propagation is available only to privileged containers'));
    return errors;
  });
}

function validateDevices(
  { volumeMounts = [], volumeDevices }: Container,
  volumes: ReadonlyMap<string, Volume>,
  field: string,
): FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mountNames = new Set(volumeMounts.map(({ name }) => name));
  const mountPaths = new Set(volumeMounts.map(({ mountPath }) => mountPath));
  return ofEach(volumeDevices, field, (device, path) => {
    const { name, devicePath } = device;
    const errors = facetErrors(DEVICE, device, path, 'name');
    const refuseName = (why: string): unknown => errors.push(invalid(`${path}.name`, name, why));
    const refusePath = (why: string): unknown => errors.push(invalid(`${path}.devicePath`, devicePath, why));
    const volume = volumes.get(name);
    if (names.has(name)) refuseName('must be unique');
    if (volume === undefined) errors.push(notFound(`${path}.name`, name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined)
      refuseName('can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode');
    append(errors, facetErrors(DEVICE, device, path, 'devicePath'));
    if (paths.has(devicePath)) refusePath('must be unique');
    if (noBacksteps(devicePath, path).length > 0) refusePath("can not contain backsteps ('..')");
    else paths.add(devicePath);
    if (mountNames.has(name)) refuseName('must not already exist in volumeMounts');
    if (mountPaths.has(devicePath)) refusePath('must not already exist as a path in volumeMounts');
    if (name !== '') names.add(name);
    return errors;
  });
}
