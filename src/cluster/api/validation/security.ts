/** Rules of pod security contexts. Models: v1.24 pkg/apis/core/validation ValidatePodSecurityContext. */
import { isInRange } from '../../values/index.ts';
import type { PodSpec } from '../shapes/pod-spec.ts';
import type { FieldError } from '../status.ts';
import { duplicate, invalid, notSupported, required } from './field-errors.ts';
import { MAX_INT32 } from './numbers.ts';

const SECCOMP = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const SYSCTL_NAME = new RegExp(SYSCTL);

export function validateSeccomp(profile: { readonly type: string; readonly localhostProfile?: string } | undefined, field: string): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  if (type === '') return [required(`${field}.type`, 'type is required when seccompProfile is set')];
  if (!SECCOMP.includes(type)) return [notSupported(`${field}.type`, type, SECCOMP)];
  if (type === 'Localhost' && localhostProfile === undefined) return [required(`${field}.localhostProfile`, 'must be set when seccomp type is Localhost')];
  if (type !== 'Localhost' && localhostProfile !== undefined) return [invalid(`${field}.localhostProfile`, localhostProfile, 'can only be set when seccomp type is Localhost')];
  return [];
}

export function validatePodSecurity(spec: PodSpec, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const context = spec.securityContext;
  const path = `${field}.securityContext`;
  if (spec.hostNetwork === true) {
    for (const [c, container] of (spec.containers ?? []).entries()) for (const [p, port] of (container.ports ?? []).entries()) {
      if (port.hostPort !== port.containerPort) errors.push(invalid(`${field}.containers[${c}].ports[${p}].containerPort`, port.containerPort, 'must match `hostPort` when `hostNetwork` is true'));
    }
  }
  for (const name of ['fsGroup', 'runAsUser', 'runAsGroup'] as const) {
    const id = context[name];
    if (id !== undefined) for (const problem of isInRange(id, 0, MAX_INT32)) errors.push(invalid(`${path}.${name}`, id, problem));
  }
  for (const [at, id] of (context.supplementalGroups ?? []).entries()) for (const problem of isInRange(id, 0, MAX_INT32)) errors.push(invalid(`${path}.supplementalGroups[${at}]`, id, problem));
  if (spec.shareProcessNamespace === true && spec.hostPID === true) errors.push(invalid(`${field}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  errors.push(...validateSysctls(context.sysctls ?? [], `${path}.sysctls`));
  const policy = context.fsGroupChangePolicy;
  if (policy !== undefined && policy !== 'Always' && policy !== 'OnRootMismatch') errors.push(notSupported(`${path}.fsGroupChangePolicy`, policy, ['Always', 'OnRootMismatch']));
  return [...errors, ...validateSeccomp(context.seccompProfile, `${path}.seccompProfile`)];
}

function validateSysctls(sysctls: readonly { readonly name: string }[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, { name }] of sysctls.entries()) {
    const path = `${field}[${at}].name`;
    if (name === '') errors.push(required(path));
    else if (name.length > 253 || !SYSCTL_NAME.test(name)) errors.push(invalid(path, name, `must have at most 253 characters and match regex ${SYSCTL}`));
    else if (names.has(name)) errors.push(duplicate(path, name));
    names.add(name);
  }
  return errors;
}
