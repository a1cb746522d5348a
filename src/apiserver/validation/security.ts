/**
 * Validation of security contexts, of pods for Windows, and of pods that name their operating system. Models: v1.24 pkg/apis/core/validation
 * ValidatePodSecurityContext, ValidateSecurityContext, validateWindowsHostProcessPod, validateOS. Omits: the flag that allows privileged
 * containers, which counts as set.
 */
import { append, byteLength, isDns1123Subdomain } from '../../schema/values/index.ts';
import type { FieldError } from '../objects/index.ts';
import { type Container, podSecurityContext, type PodSpec, seccompProfile, securityContext } from '../structs/index.ts';
import { descendingPath, facetErrors } from './facets.ts';
import { forbidden, invalid, notSupported, ofEach, problemsAt, required } from './field-errors.ts';
import { shown } from './go-types.ts';

type List = 'containers' | 'initContainers';

/** Some checks visit the init containers first: the order of errors shows it. */
const INIT_FIRST: readonly List[] = ['initContainers', 'containers'];

/** Returns every container of a pod with its path, list by list. */
export const containersOf = (
  spec: PodSpec,
  field: string,
  lists: readonly List[] = ['containers', 'initContainers'],
): readonly (readonly [Container, string])[] =>
  lists.flatMap((list) => (spec[list] ?? []).map((one, at) => [one, `${field}.${list}[${at}]`] as const));

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

type WindowsOptions = NonNullable<SecurityContext['windowsOptions']>;

const MAX_SPEC_KIB = 64;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_DOMAIN = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;
const BAD_IN_USER = /["/\\:;|=,+*?<>@[\]]/;

function validateWindowsOptions(options: WindowsOptions | undefined, field: string): FieldError[] {
  if (options === undefined) return [];
  const errors: FieldError[] = [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (name !== undefined) append(errors, problemsAt(isDns1123Subdomain(name), `${field}.gmsaCredentialSpecName`, name));
  if (spec === '') errors.push(invalid(`${field}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string'));
  else if (spec !== undefined && byteLength(spec) > MAX_SPEC_KIB * 1024)
    errors.push(invalid(`${field}.gmsaCredentialSpec`, spec, `gmsaCredentialSpec size must be under ${MAX_SPEC_KIB} KiB`));
  if (user !== undefined) append(errors, problemsAt(userProblems(user), `${field}.runAsUserName`, user));
  return errors;
}

/** Checks `DOMAIN\user`, or a user alone. */
function userProblems(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (CONTROL.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? parts[0] : undefined;
  const problems: string[] = [];
  if (domain !== undefined && byteLength(domain) >= MAX_DOMAIN)
    problems.push(`runAsUserName's Domain length must be under ${MAX_DOMAIN} characters`);
  if (domain !== undefined && !NET_BIOS.test(domain) && !DNS_DOMAIN.test(domain))
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  if (user === '') problems.push("runAsUserName's User cannot be empty");
  else if (byteLength(user) > MAX_USER) problems.push(`runAsUserName's User length must not be longer than ${MAX_USER} characters`);
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (BAD_IN_USER.test(user)) problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  return problems;
}

/** Host process containers: either all containers or none, and on the host's network. */
export function validateHostProcess(spec: PodSpec, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const ofPod = spec.securityContext.windowsOptions?.hostProcess;
  const containers = containersOf(spec, field, INIT_FIRST);
  let onHost = 0;
  for (const [{ securityContext }, path] of containers) {
    const own = securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own)
      errors.push(
        invalid(
          `${path}.securityContext.windowsOptions.hostProcess`,
          own,
          `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
        ),
      );
    if (own ?? ofPod ?? false) onHost += 1;
  }
  if (onHost === 0) return errors;
  if (onHost !== containers.length)
    errors.push(invalid(field, '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers'));
  if (spec.hostNetwork !== true)
    errors.push(invalid(`${field}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers'));
  return errors;
}

/** Members that a Windows pod must not have, by their path below the spec. Flags that are not set count as absent. */
const POD_MEMBERS = [
  'securityContext.seLinuxOptions',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
];
const CONTAINER_MEMBERS = [
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

export function validateOs(spec: PodSpec, field: string): FieldError[] {
  const os = spec.os?.name;
  if (os === undefined) return [];
  if (os === '') return [required(`${field}.os.name`, 'cannot be empty')];
  switch (os) {
    case 'linux':
      return linuxErrors(spec, field);
    case 'windows':
      return windowsErrors(spec, field);
    default:
      return [notSupported(`${field}.os`, os, ['linux', 'windows'])];
  }
}

function linuxErrors(spec: PodSpec, field: string): FieldError[] {
  const why = 'windows options cannot be set for a linux pod';
  const errors = spec.securityContext.windowsOptions === undefined ? [] : [forbidden(`${field}.securityContext.windowsOptions`, why)];
  for (const [{ securityContext }, path] of containersOf(spec, field, INIT_FIRST))
    if (securityContext?.windowsOptions !== undefined) errors.push(forbidden(`${path}.securityContext.windowsOptions`, why));
  return errors;
}

function windowsErrors(spec: PodSpec, field: string): FieldError[] {
  const why = 'cannot be set for a windows pod';
  const valueAt = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>>)[name], spec);
  const errors = POD_MEMBERS.filter((path) => valueAt(path) !== undefined).map((path) => forbidden(`${field}.${path}`, why));
  for (const [{ securityContext }, path] of containersOf(spec, field, INIT_FIRST))
    for (const name of CONTAINER_MEMBERS)
      if (securityContext?.[name] !== undefined) errors.push(forbidden(`${path}.securityContext.${name}`, why));
  return errors;
}
