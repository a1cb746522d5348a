/** Validation of probes and lifecycle hooks. Models: v1.24 pkg/apis/core/validation validateProbe, validateHandler, validateLifecycle. */
import { append, isHttpHeaderName, isValidPortName, isValidPortNumber } from '../../../schema/values/index.ts';
import type { Container, LifecycleHandler, Probe } from '../structs/containers.ts';
import type { FieldError } from '../status.ts';
import { forbidden, invalid, notSupported, required } from './field-errors.ts';
import { nonNegative } from './numbers.ts';

type Handler = LifecycleHandler & { readonly grpc?: { readonly port: number } };

/** Validates a port number or port name. */
export const validatePortOrName = (port: number | string, field: string): FieldError[] =>
  (typeof port === 'number' ? isValidPortNumber(port) : isValidPortName(port)).map((problem) => invalid(field, port, problem));

function validateHandler({ exec, httpGet, tcpSocket, grpc }: Handler, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let handlers = 0;
  const first = (name: string): boolean => {
    handlers += 1;
    if (handlers > 1) errors.push(forbidden(`${field}.${name}`, 'may not specify more than 1 handler type'));
    return handlers === 1;
  };
  if (exec !== undefined && first('exec') && (exec.command ?? []).length === 0) errors.push(required(`${field}.exec.command`));
  if (httpGet !== undefined && first('httpGet')) {
    append(errors, validatePortOrName(httpGet.port, `${field}.httpGet.port`));
    if (httpGet.scheme !== 'HTTP' && httpGet.scheme !== 'HTTPS')
      errors.push(notSupported(`${field}.httpGet.scheme`, httpGet.scheme, ['HTTP', 'HTTPS']));
    for (const header of httpGet.httpHeaders ?? [])
      for (const problem of isHttpHeaderName(header.name)) errors.push(invalid(`${field}.httpGet.httpHeaders`, header.name, problem));
  }
  if (tcpSocket !== undefined && first('tcpSocket')) append(errors, validatePortOrName(tcpSocket.port, `${field}.tcpSocket.port`));
  if (grpc !== undefined && first('grpc')) append(errors, validatePortOrName(grpc.port, `${field}.grpc.port`));
  if (handlers === 0) errors.push(required(field, 'must specify a handler type'));
  return errors;
}

function validateProbe(probe: Probe | undefined, field: string): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateHandler(probe, field);
  for (const name of ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const)
    nonNegative(probe[name], `${field}.${name}`, errors);
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) errors.push(invalid(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  return errors;
}

const succeedsOnce = (probe: Probe | undefined, field: string): FieldError[] =>
  probe === undefined || probe.successThreshold === 1 ? [] : [invalid(`${field}.successThreshold`, probe.successThreshold, 'must be 1')];

export function validateLifecycle({ lifecycle }: Container, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (lifecycle?.postStart !== undefined) append(errors, validateHandler(lifecycle.postStart, `${path}.lifecycle.postStart`));
  if (lifecycle?.preStop !== undefined) append(errors, validateHandler(lifecycle.preStop, `${path}.lifecycle.preStop`));
  return errors;
}

/** Validates liveness and startup probes. v1.24 validates the startup probe twice, so its errors are repeated. */
export function validateLivenessAndStartup({ livenessProbe, readinessProbe, startupProbe }: Container, path: string): FieldError[] {
  const errors = validateProbe(livenessProbe, `${path}.livenessProbe`);
  const grace = readinessProbe?.terminationGracePeriodSeconds;
  if (grace !== undefined)
    errors.push(invalid(`${path}.readinessProbe.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes'));
  const startup = validateProbe(startupProbe, `${path}.startupProbe`);
  return [
    ...errors,
    ...startup,
    ...succeedsOnce(livenessProbe, `${path}.livenessProbe`),
    ...startup,
    ...succeedsOnce(startupProbe, `${path}.startupProbe`),
  ];
}

export const validateReadiness = ({ readinessProbe }: Container, path: string): FieldError[] =>
  validateProbe(readinessProbe, `${path}.readinessProbe`);
