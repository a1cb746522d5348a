/** Rules of containers. Models: v1.24 pkg/apis/core/validation validateContainers. */
import { isDns1123Label, isHttpHeaderName, isInRange, isValidPortName, isValidPortNumber } from '../../values/index.ts';
import type { Container, ContainerPort, LifecycleHandler, Probe } from '../shapes/containers.ts';
import type { FieldError } from '../status.ts';
import { validateEnv, validateEnvFrom } from './env.ts';
import { duplicate, forbidden, invalid, notFound, notSupported, required } from './field-errors.ts';
import { MAX_INT32, nonNegative } from './numbers.ts';
import { descendingPath } from './paths.ts';
import { validateResourceRequirements } from './resources.ts';
import { validateSeccomp } from './security.ts';

type Handler = LifecycleHandler & { readonly grpc?: { readonly port: number } };

/** A port by number or by name. */
export const validatePortOrName = (port: number | string, field: string): FieldError[] => (typeof port === 'number' ? isValidPortNumber(port) : isValidPortName(port)).map((problem) => invalid(field, port, problem));

function validateHandler(handler: Handler, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let handlers = 0;
  const first = (name: string): boolean => {
    handlers += 1;
    if (handlers > 1) errors.push(forbidden(`${field}.${name}`, 'may not specify more than 1 handler type'));
    return handlers === 1;
  };
  const { exec, httpGet, tcpSocket, grpc } = handler;
  if (exec !== undefined && first('exec') && (exec.command ?? []).length === 0) errors.push(required(`${field}.exec.command`));
  if (httpGet !== undefined && first('httpGet')) {
    errors.push(...validatePortOrName(httpGet.port, `${field}.httpGet.port`));
    if (httpGet.scheme !== 'HTTP' && httpGet.scheme !== 'HTTPS') errors.push(notSupported(`${field}.httpGet.scheme`, httpGet.scheme, ['HTTP', 'HTTPS']));
    for (const header of httpGet.httpHeaders ?? []) for (const problem of isHttpHeaderName(header.name)) errors.push(invalid(`${field}.httpGet.httpHeaders`, header.name, problem));
  }
  if (tcpSocket !== undefined && first('tcpSocket')) errors.push(...validatePortOrName(tcpSocket.port, `${field}.tcpSocket.port`));
  if (grpc !== undefined && first('grpc')) errors.push(...validatePortOrName(grpc.port, `${field}.grpc.port`));
  if (handlers === 0) errors.push(required(field, 'must specify a handler type'));
  return errors;
}

function validateProbe(probe: Probe | undefined, field: string): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateHandler(probe, field);
  nonNegative(probe.initialDelaySeconds, `${field}.initialDelaySeconds`, errors);
  nonNegative(probe.timeoutSeconds, `${field}.timeoutSeconds`, errors);
  nonNegative(probe.periodSeconds, `${field}.periodSeconds`, errors);
  nonNegative(probe.successThreshold, `${field}.successThreshold`, errors);
  nonNegative(probe.failureThreshold, `${field}.failureThreshold`, errors);
  if (probe.terminationGracePeriodSeconds !== undefined && probe.terminationGracePeriodSeconds <= 0) errors.push(invalid(`${field}.terminationGracePeriodSeconds`, probe.terminationGracePeriodSeconds, 'must be greater than 0'));
  return errors;
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function validatePorts(ports: readonly ContainerPort[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, port] of ports.entries()) {
    const path = `${field}[${at}]`;
    if (port.name !== undefined) {
      const problems = isValidPortName(port.name);
      if (problems.length > 0) errors.push(...problems.map((problem) => invalid(`${path}.name`, port.name, problem)));
      else if (names.has(port.name)) errors.push(duplicate(`${path}.name`, port.name));
      else names.add(port.name);
    }
    if (port.containerPort === 0) errors.push(required(`${path}.containerPort`));
    else for (const problem of isValidPortNumber(port.containerPort)) errors.push(invalid(`${path}.containerPort`, port.containerPort, problem));
    if (port.hostPort !== undefined) for (const problem of isValidPortNumber(port.hostPort)) errors.push(invalid(`${path}.hostPort`, port.hostPort, problem));
    if (!PROTOCOLS.includes(port.protocol)) errors.push(notSupported(`${path}.protocol`, port.protocol, PROTOCOLS));
  }
  return errors;
}

function validateMounts({ volumeMounts = [], volumeDevices = [] }: Container, volumes: ReadonlySet<string>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const paths = new Set<string>();
  for (const [at, mount] of volumeMounts.entries()) {
    const path = `${field}.volumeMounts[${at}]`;
    if (mount.name === '') errors.push(required(`${path}.name`));
    if (!volumes.has(mount.name)) errors.push(notFound(`${path}.name`, mount.name));
    if (mount.mountPath === '') errors.push(required(`${path}.mountPath`));
    if (paths.has(mount.mountPath)) errors.push(invalid(`${path}.mountPath`, mount.mountPath, 'must be unique'));
    paths.add(mount.mountPath);
    if (volumeDevices.some((device) => device.name === mount.name)) errors.push(invalid(`${path}.name`, mount.name, 'must not already exist in volumeDevices'));
    if (volumeDevices.some((device) => device.devicePath === mount.mountPath)) errors.push(invalid(`${path}.mountPath`, mount.mountPath, 'must not already exist as a path in volumeDevices'));
    if (mount.subPath !== undefined) errors.push(...descendingPath(mount.subPath, `${field}.volumeMounts.subPath`));
    if (mount.subPathExpr !== undefined) {
      if (mount.subPath !== undefined) errors.push(invalid(`${path}.subPathExpr`, mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      errors.push(...descendingPath(mount.subPathExpr, `${field}.volumeMounts.subPathExpr`));
    }
    if (mount.mountPropagation !== undefined && !PROPAGATIONS.includes(mount.mountPropagation)) errors.push(notSupported(`${path}.mountPropagation`, mount.mountPropagation, PROPAGATIONS));
  }
  const devices = new Set<string>();
  for (const [at, device] of volumeDevices.entries()) {
    const path = `${field}.volumeDevices[${at}]`;
    if (device.name === '') errors.push(required(`${path}.name`));
    if (devices.has(device.name)) errors.push(invalid(`${path}.name`, device.name, 'must be unique'));
    if (!volumes.has(device.name)) errors.push(notFound(`${path}.name`, device.name));
    if (device.devicePath === '') errors.push(required(`${path}.devicePath`));
    devices.add(device.name);
  }
  return errors;
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const TERMINATION = "must be 'File' or 'FallbackToLogsOnError'";

function validateSecurity(context: NonNullable<Container['securityContext']>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['runAsUser', 'runAsGroup'] as const) {
    const id = context[name];
    if (id !== undefined) for (const problem of isInRange(id, 0, MAX_INT32)) errors.push(invalid(`${field}.${name}`, id, problem));
  }
  if (context.procMount !== undefined && context.procMount !== 'Default' && context.procMount !== 'Unmasked') errors.push(notSupported(`${field}.procMount`, context.procMount, ['Default', 'Unmasked']));
  errors.push(...validateSeccomp(context.seccompProfile, `${field}.seccompProfile`));
  return errors;
}

function validateContainer(container: Container, volumes: ReadonlySet<string>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const image = container.image ?? '';
  if (image === '') errors.push(required(`${path}.image`));
  if (image !== image.trim()) errors.push(invalid(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  switch (container.terminationMessagePolicy) {
    case 'File': case 'FallbackToLogsOnError': break;
    case '': errors.push(required(`${path}.terminationMessagePolicy`, TERMINATION)); break;
    default: errors.push(invalid(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, TERMINATION));
  }
  errors.push(...validatePorts(container.ports ?? [], `${path}.ports`), ...validateEnv(container.env ?? [], `${path}.env`), ...validateEnvFrom(container.envFrom ?? [], `${path}.envFrom`), ...validateMounts(container, volumes, path));
  const policy = container.imagePullPolicy;
  if (policy !== undefined && !PULL_POLICIES.includes(policy)) errors.push(notSupported(`${path}.imagePullPolicy`, policy, PULL_POLICIES));
  errors.push(...validateResourceRequirements(container.resources, `${path}.resources`));
  if (container.securityContext !== undefined) errors.push(...validateSecurity(container.securityContext, `${path}.securityContext`));
  return errors;
}

function validateProbes({ lifecycle, livenessProbe, readinessProbe, startupProbe }: Container, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (lifecycle?.postStart !== undefined) errors.push(...validateHandler(lifecycle.postStart, `${path}.lifecycle.postStart`));
  if (lifecycle?.preStop !== undefined) errors.push(...validateHandler(lifecycle.preStop, `${path}.lifecycle.preStop`));
  errors.push(...validateProbe(livenessProbe, `${path}.livenessProbe`));
  if (livenessProbe !== undefined && livenessProbe.successThreshold !== 1) errors.push(invalid(`${path}.livenessProbe.successThreshold`, livenessProbe.successThreshold, 'must be 1'));
  errors.push(...validateProbe(readinessProbe, `${path}.readinessProbe`));
  if (readinessProbe?.terminationGracePeriodSeconds !== undefined) errors.push(invalid(`${path}.readinessProbe.terminationGracePeriodSeconds`, readinessProbe.terminationGracePeriodSeconds, 'must not be set for readinessProbes'));
  errors.push(...validateProbe(startupProbe, `${path}.startupProbe`));
  if (startupProbe !== undefined && startupProbe.successThreshold !== 1) errors.push(invalid(`${path}.startupProbe.successThreshold`, startupProbe.successThreshold, 'must be 1'));
  return errors;
}

/** A name of its own kind, unique among `names`. */
function validateContainerName(name: string, names: Set<string>, field: string): FieldError[] {
  const errors = name === '' ? [required(field)] : isDns1123Label(name).map((problem) => invalid(field, name, problem));
  if (name !== '' && names.has(name)) errors.push(duplicate(field, name));
  names.add(name);
  return errors;
}

/** Two containers of a pod cannot listen on one port of the host. */
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

export function validateContainers(containers: readonly Container[] | null | undefined, volumes: ReadonlySet<string>, field: string): FieldError[] {
  if (containers === undefined || containers === null || containers.length === 0) return [required(field)];
  const names = new Set<string>();
  return [
    ...containers.flatMap((container, at) => [...validateContainerName(container.name, names, `${field}[${at}].name`), ...validateContainer(container, volumes, `${field}[${at}]`), ...validateProbes(container, `${field}[${at}]`)]),
    ...hostPortConflicts(containers, field),
  ];
}

const RUN_ONCE = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Init containers share the names of the others and have no life to probe. */
export function validateInitContainers(containers: readonly Container[], others: readonly Container[], volumes: ReadonlySet<string>, field: string): FieldError[] {
  const names = new Set(others.map(({ name }) => name));
  return containers.flatMap((container, at) => [
    ...validateContainerName(container.name, names, `${field}[${at}].name`),
    ...validateContainer(container, volumes, `${field}[${at}]`),
    ...hostPortConflicts([container], field),
    ...RUN_ONCE.flatMap((name) => (container[name] === undefined ? [] : [invalid(`${field}[${at}].${name}`, container[name], 'must not be set for init containers')])),
  ]);
}
