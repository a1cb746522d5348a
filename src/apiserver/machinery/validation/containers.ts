/** Validation of containers. Models: v1.24 pkg/apis/core/validation validateContainers, validateInitContainers, in upstream's order. */
import { append, isDns1123Label, isValidPortName, isValidPortNumber } from '../../../schema/values/index.ts';
import type { Container, ContainerPort } from '../structs/containers.ts';
import type { Volume } from '../structs/volumes.ts';
import type { FieldError } from '../status.ts';
import { validateEnv, validateEnvFrom } from './env.ts';
import { duplicate, invalid, notSupported, required } from './field-errors.ts';
import { int, pointer, shown, struct } from './go-shapes.ts';
import { validateDevices, validateMounts } from './mounts.ts';
import { validateLifecycle, validateLivenessAndStartup, validateReadiness } from './probes.ts';
import { validateResourceRequirements } from './resources.ts';
import { validateContainerSecurity } from './security.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const TERMINATION = "must be 'File' or 'FallbackToLogsOnError'";

function validatePorts(ports: readonly ContainerPort[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, port] of ports.entries()) {
    const path = `${field}[${at}]`;
    if (port.name !== undefined) {
      const problems = isValidPortName(port.name);
      if (problems.length > 0)
        append(
          errors,
          problems.map((problem) => invalid(`${path}.name`, port.name, problem)),
        );
      else if (names.has(port.name)) errors.push(duplicate(`${path}.name`, port.name));
      else names.add(port.name);
    }
    if (port.containerPort === 0) errors.push(required(`${path}.containerPort`));
    else
      for (const problem of isValidPortNumber(port.containerPort))
        errors.push(invalid(`${path}.containerPort`, port.containerPort, problem));
    if (port.hostPort !== undefined)
      for (const problem of isValidPortNumber(port.hostPort)) errors.push(invalid(`${path}.hostPort`, port.hostPort, problem));
    if (!PROTOCOLS.includes(port.protocol)) errors.push(notSupported(`${path}.protocol`, port.protocol, PROTOCOLS));
  }
  return errors;
}

function validateContainer(container: Container, volumes: ReadonlyMap<string, Volume>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if ((container.image ?? '') === '') errors.push(required(`${path}.image`));
  append(errors, validateLifecycle(container, path), validateLivenessAndStartup(container, path));
  switch (container.terminationMessagePolicy) {
    case 'File':
    case 'FallbackToLogsOnError':
      break;
    case '':
      errors.push(required(`${path}.terminationMessagePolicy`, TERMINATION));
      break;
    default:
      errors.push(invalid(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, TERMINATION));
  }
  append(
    errors,
    validateReadiness(container, path),
    validatePorts(container.ports ?? [], `${path}.ports`),
    validateEnv(container.env ?? [], `${path}.env`),
    validateEnvFrom(container.envFrom ?? [], `${path}.envFrom`),
  );
  append(errors, validateMounts(container, volumes, `${path}.volumeMounts`), validateDevices(container, volumes, `${path}.volumeDevices`));
  const policy = container.imagePullPolicy;
  if (policy !== undefined && !PULL_POLICIES.includes(policy)) errors.push(notSupported(`${path}.imagePullPolicy`, policy, PULL_POLICIES));
  append(errors, validateResourceRequirements(container.resources, `${path}.resources`));
  if (container.securityContext !== undefined)
    append(errors, validateContainerSecurity(container.securityContext, `${path}.securityContext`));
  return errors;
}

/** Names must be unique in their list. */
function validateList(containers: readonly Container[], volumes: ReadonlyMap<string, Volume>, field: string): FieldError[] {
  const names = new Set<string>();
  return containers.flatMap((container, at) => {
    const { name } = container;
    const path = `${field}[${at}]`;
    const errors = name === '' ? [required(`${path}.name`)] : isDns1123Label(name).map((problem) => invalid(`${path}.name`, name, problem));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    return [...errors, ...validateContainer(container, volumes, path)];
  });
}

/** Two containers of a pod cannot use the same host port. */
function hostPortConflicts(containers: readonly Container[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  for (const [c, container] of containers.entries()) {
    for (const [p, { hostPort, protocol, hostIP = '' }] of (container.ports ?? []).entries()) {
      if (hostPort === undefined) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) errors.push(duplicate(`${field}[${c}].ports[${p}].hostPort`, key));
      taken.add(key);
    }
  }
  return errors;
}

export function validateContainers(
  containers: readonly Container[] | null | undefined,
  volumes: ReadonlyMap<string, Volume>,
  field: string,
): FieldError[] {
  if (containers === undefined || containers === null || containers.length === 0) return [required(field)];
  return [...validateList(containers, volumes, field), ...hostPortConflicts(containers, field)];
}

const int64 = { type: 'int', name: 'int64' } as const;
const to = (name: string) => pointer(struct(name, {}));
const probeType = struct('core.Probe', {
  ProbeHandler: [
    '',
    struct('core.ProbeHandler', {
      Exec: to('core.ExecAction'),
      HTTPGet: ['httpGet', to('core.HTTPGetAction')],
      TCPSocket: ['tcpSocket', to('core.TCPSocketAction')],
      GRPC: ['grpc', to('core.GRPCAction')],
    }),
  ],
  InitialDelaySeconds: int,
  TimeoutSeconds: int,
  PeriodSeconds: int,
  SuccessThreshold: int,
  FailureThreshold: int,
  TerminationGracePeriodSeconds: pointer(int64),
});
const lifecycleType = struct('core.Lifecycle', { PostStart: to('core.LifecycleHandler'), PreStop: to('core.LifecycleHandler') });
const RUN_ONCE = [
  ['lifecycle', lifecycleType],
  ['livenessProbe', probeType],
  ['readinessProbe', probeType],
  ['startupProbe', probeType],
] as const;

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
    for (const [name, type] of RUN_ONCE)
      if (container[name] !== undefined)
        errors.push(invalid(`${field}[${at}].${name}`, shown(container[name], type), 'must not be set for init containers'));
  }
  return errors;
}

/** Images of templates may have surrounding blanks, those of pods may not. */
export const validateImagesOfPod = (containers: readonly Container[] | undefined, field: string): FieldError[] =>
  (containers ?? []).flatMap(({ image = '' }, at) =>
    image === image.trim() ? [] : [invalid(`${field}[${at}].image`, image, 'must not have leading or trailing whitespace')],
  );
