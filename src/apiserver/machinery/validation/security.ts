/**
 * Validation of security contexts of pods and containers. Models: v1.24 pkg/apis/core/validation ValidatePodSecurityContext,
 * ValidateSecurityContext. Omits: the flag that allows privileged containers, which counts as set.
 */
import { append, isInRange } from '../../../schema/values/index.ts';
import type { Container } from '../structs/containers.ts';
import type { PodSpec } from '../structs/pod-spec.ts';
import type { FieldError } from '../status.ts';
import { duplicate, invalid, notSupported, required } from './field-errors.ts';
import { flag, pointer, shown, struct, text } from './go-shapes.ts';
import { MAX_INT32 } from './numbers.ts';
import { descendingPath } from './paths.ts';
import { validateWindowsOptions } from './windows.ts';

type SecurityContext = NonNullable<Container['securityContext']>;

const SECCOMP = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const SYSCTL_NAME = new RegExp(SYSCTL);
const PROC_MOUNTS = ['Default', 'Unmasked'];
const CHANGE_POLICIES = ['Always', 'OnRootMismatch'];

const int64 = { type: 'int', name: 'int64' } as const;
const stringPointer = (name: string) => pointer({ type: 'string', name });
const to = (name: string) => pointer(struct(name, {}));
const seccompType = struct('core.SeccompProfile', { Type: text, LocalhostProfile: pointer(text) });
const contextType = struct('core.SecurityContext', {
  Capabilities: to('core.Capabilities'),
  Privileged: pointer(flag),
  SELinuxOptions: ['seLinuxOptions', to('core.SELinuxOptions')],
  WindowsOptions: to('core.WindowsSecurityContextOptions'),
  RunAsUser: pointer(int64),
  RunAsGroup: pointer(int64),
  RunAsNonRoot: pointer(flag),
  ReadOnlyRootFilesystem: pointer(flag),
  AllowPrivilegeEscalation: pointer(flag),
  ProcMount: stringPointer('core.ProcMountType'),
  SeccompProfile: to('core.SeccompProfile'),
});

const identity = (id: number | undefined, field: string): FieldError[] =>
  id === undefined ? [] : isInRange(id, 0, MAX_INT32).map((problem) => invalid(field, id, problem));

function validateSeccomp(profile: { readonly type: string; readonly localhostProfile?: string } | undefined, field: string): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${field}.type`, 'type is required when seccompProfile is set'));
  else if (!SECCOMP.includes(type)) errors.push(notSupported(`${field}.type`, type, SECCOMP));
  if (type !== 'Localhost') {
    if (localhostProfile !== undefined)
      errors.push(invalid(`${field}.localhostProfile`, shown(profile, seccompType), 'can only be set when seccomp type is Localhost'));
  } else if (localhostProfile === undefined)
    errors.push(required(`${field}.localhostProfile`, 'must be set when seccomp type is Localhost'));
  else append(errors, descendingPath(localhostProfile, `${field}.localhostProfile`));
  return errors;
}

export function validateContainerSecurity(context: SecurityContext, field: string): FieldError[] {
  const { privileged, runAsUser, runAsGroup, procMount, seccompProfile, allowPrivilegeEscalation, capabilities, windowsOptions } = context;
  const errors = [...identity(runAsUser, `${field}.runAsUser`), ...identity(runAsGroup, `${field}.runAsGroup`)];
  if (procMount !== undefined && !PROC_MOUNTS.includes(procMount)) errors.push(notSupported(`${field}.procMount`, procMount, PROC_MOUNTS));
  append(errors, validateSeccomp(seccompProfile, `${field}.seccompProfile`));
  if (allowPrivilegeEscalation === false) {
    if (privileged === true)
      errors.push(invalid(field, shown(context, contextType), 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
    for (const capability of capabilities?.add ?? [])
      if (capability === 'CAP_SYS_ADMIN')
        errors.push(
          invalid(
            field,
            shown(context, contextType),
            'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
          ),
        );
  }
  return [...errors, ...validateWindowsOptions(windowsOptions, `${field}.windowsOptions`)];
}

export function validatePodSecurity(spec: PodSpec, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const context = spec.securityContext;
  const path = `${field}.securityContext`;
  if (spec.hostNetwork === true) {
    for (const [c, container] of (spec.containers ?? []).entries())
      for (const [p, port] of (container.ports ?? []).entries()) {
        if ((port.hostPort ?? 0) !== port.containerPort)
          errors.push(
            invalid(
              `${field}.containers[${c}].ports[${p}].containerPort`,
              port.containerPort,
              'must match `hostPort` when `hostNetwork` is true',
            ),
          );
      }
  }
  for (const name of ['fsGroup', 'runAsUser', 'runAsGroup'] as const) append(errors, identity(context[name], `${path}.${name}`));
  for (const [at, id] of (context.supplementalGroups ?? []).entries()) append(errors, identity(id, `${path}.supplementalGroups[${at}]`));
  // The field is beside the context in the published form, and inside it in upstream's internal form.
  if (spec.shareProcessNamespace === true && spec.hostPID === true)
    errors.push(invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  append(errors, validateSysctls(context.sysctls ?? [], `${path}.sysctls`));
  const policy = context.fsGroupChangePolicy;
  if (policy !== undefined && !CHANGE_POLICIES.includes(policy))
    errors.push(notSupported(`${path}.fsGroupChangePolicy`, policy, CHANGE_POLICIES));
  return [
    ...errors,
    ...validateSeccomp(context.seccompProfile, `${path}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
  ];
}

function validateSysctls(sysctls: readonly { readonly name: string }[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, { name }] of sysctls.entries()) {
    const path = `${field}[${at}].name`;
    if (name === '') errors.push(required(path));
    else if (name.length > 253 || !SYSCTL_NAME.test(name))
      errors.push(invalid(path, name, `must have at most 253 characters and match regex ${SYSCTL}`));
    else if (names.has(name)) errors.push(duplicate(path, name));
    names.add(name);
  }
  return errors;
}
