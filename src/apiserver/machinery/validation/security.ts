/**
 * Validation of security contexts of pods and containers. Models: v1.24 pkg/apis/core/validation ValidatePodSecurityContext,
 * ValidateSecurityContext. Omits: the flag that allows privileged containers, which counts as set.
 */
import { append } from '../../../schema/values/index.ts';
import { seccompProfile, securityContext, type Container } from '../structs/containers.ts';
import { podSecurityContext, type PodSpec } from '../structs/pod-spec.ts';
import type { FieldError } from '../status.ts';
import { descendingPath, facetErrors } from './facets.ts';
import { invalid, ofEach, required } from './field-errors.ts';
import { shown } from './go-types.ts';
import { validateWindowsOptions } from './windows.ts';

type SecurityContext = NonNullable<Container['securityContext']>;

function validateSeccomp(profile: SecurityContext['seccompProfile'], field: string): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const path = `${field}.localhostProfile`;
  const errors = facetErrors(seccompProfile, profile, field);
  if (type !== 'Localhost') {
    if (localhostProfile !== undefined)
      errors.push(invalid(path, shown(profile, seccompProfile), 'can only be set when seccomp type is Localhost'));
  } else if (localhostProfile === undefined) errors.push(required(path, 'must be set when seccomp type is Localhost'));
  else append(errors, descendingPath(localhostProfile, path));
  return errors;
}

export function validateContainerSecurity(context: SecurityContext, field: string): FieldError[] {
  const { privileged, seccompProfile: profile, allowPrivilegeEscalation, capabilities, windowsOptions } = context;
  const errors = facetErrors(securityContext, context, field, 'runAsUser', 'runAsGroup', 'procMount');
  append(errors, validateSeccomp(profile, `${field}.seccompProfile`));
  if (allowPrivilegeEscalation === false) {
    const refuse = (what: string): unknown =>
      errors.push(invalid(field, shown(context, securityContext), `cannot set \`allowPrivilegeEscalation\` to false and ${what}`));
    if (privileged === true) refuse('`privileged` to true');
    for (const capability of capabilities?.add ?? []) if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
  return [...errors, ...validateWindowsOptions(windowsOptions, `${field}.windowsOptions`)];
}

/** On the host's network the container port is the host port. */
const hostNetworkErrors = ({ hostNetwork, containers }: PodSpec, field: string): FieldError[] =>
  ofEach(hostNetwork === true ? containers : [], `${field}.containers`, ({ ports }, container) =>
    ofEach(ports, `${container}.ports`, ({ hostPort = 0, containerPort }, path) =>
      hostPort === containerPort
        ? []
        : [invalid(`${path}.containerPort`, containerPort, 'must match `hostPort` when `hostNetwork` is true')],
    ),
  );

export function validatePodSecurity(spec: PodSpec, field: string): FieldError[] {
  const { securityContext: context, shareProcessNamespace, hostPID } = spec;
  const path = `${field}.securityContext`;
  const errors = hostNetworkErrors(spec, field);
  append(errors, facetErrors(podSecurityContext, context, path, 'fsGroup', 'runAsUser', 'runAsGroup', 'supplementalGroups'));
  // The field is beside the context in the published form, and inside it in upstream's internal form.
  if (shareProcessNamespace === true && hostPID === true)
    errors.push(invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  append(
    errors,
    facetErrors(podSecurityContext, context, path, 'sysctls', 'fsGroupChangePolicy'),
    validateSeccomp(context.seccompProfile, `${path}.seccompProfile`),
    validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
  );
  return errors;
}
