/**
 * Validation of a pod's specification, alone or in a template. Models: v1.24 pkg/apis/core/validation ValidatePodSpec,
 * ValidatePodTemplateSpec. /
 */
import {
  append,
  byteLength,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  parseIp,
  validateLabels,
} from '../../../schema/values/index.ts';
import type { KindContext } from '../kind.ts';
import type { PodSpec, PodTemplateSpec } from '../structs/pod-spec.ts';
import type { FieldError } from '../status.ts';
import { validateContainers, validateInitContainers } from './containers.ts';
import { forbidden, invalid, notSupported, required } from './field-errors.ts';
import { inclusiveRange, MAX_INT32 } from './numbers.ts';
import { validateAnnotations } from './object-meta.ts';
import { validatePodAnnotations } from './pod-annotations.ts';
import { validateResourceRequirements } from './resources.ts';
import { validateAffinity, validateTolerations, validateTopologySpread } from './scheduling.ts';
import { validatePodSecurity } from './security.ts';
import { validateVolumes } from './volumes.ts';
import { gatedSpecErrors, gatesOffForSpecs } from './gated-pod-spec.ts';
import { validateHostProcess, validateOs } from './windows.ts';
import { validateOnce } from './validate-once.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

const problemsAt = (problems: readonly string[], field: string, value: unknown): FieldError[] =>
  problems.map((problem) => invalid(field, value, problem));
const ipAt = (value: string, field: string): FieldError[] =>
  parseIp(value) === undefined ? [invalid(field, value, 'must be valid IP address')] : [];
const subdomainAt = (value: string | undefined, field: string): FieldError[] =>
  value === undefined || value === '' ? [] : problemsAt(isDns1123Subdomain(value), field, value);

/** `pod`: the name of a pod, from which the claims of its ephemeral volumes are named; '' for a template. */
export function validatePodSpec(spec: PodSpec, field: string, context: KindContext, pod = ''): FieldError[] {
  const { errors, volumes } = validateVolumes(spec.volumes ?? [], `${field}.volumes`, pod);
  append(errors, validateContainers(spec.containers, volumes, `${field}.containers`));
  append(errors, validateInitContainers(spec.initContainers ?? [], spec.containers ?? [], volumes, `${field}.initContainers`));
  if (!RESTART_POLICIES.includes(spec.restartPolicy))
    errors.push(notSupported(`${field}.restartPolicy`, spec.restartPolicy, RESTART_POLICIES));
  if (!DNS_POLICIES.includes(spec.dnsPolicy)) errors.push(notSupported(`${field}.dnsPolicy`, spec.dnsPolicy, DNS_POLICIES));
  append(errors, validateLabels(spec.nodeSelector, `${field}.nodeSelector`), validatePodSecurity(spec, field));
  if (spec.affinity !== undefined) append(errors, validateAffinity(spec.affinity, `${field}.affinity`));
  append(errors, validateDnsConfig(spec, field, context));
  for (const [at, gate] of (spec.readinessGates ?? []).entries())
    append(errors, problemsAt(isQualifiedName(gate.conditionType), `${field}.readinessGates[${at}].conditionType`, gate.conditionType));
  append(
    errors,
    validateTopologySpread(spec.topologySpreadConstraints ?? [], `${field}.topologySpreadConstraints`),
    validateHostProcess(spec, field),
    gatedSpecErrors(spec, field, context),
  );
  append(errors, subdomainAt(spec.serviceAccountName, `${field}.serviceAccountName`), subdomainAt(spec.nodeName, `${field}.nodeName`));
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_INT32))
    errors.push(invalid(`${field}.activeDeadlineSeconds`, deadline, inclusiveRange(1, MAX_INT32)));
  if (spec.hostname !== undefined) append(errors, problemsAt(isDns1123Label(spec.hostname), `${field}.hostname`, spec.hostname));
  if (spec.subdomain !== undefined) append(errors, problemsAt(isDns1123Label(spec.subdomain), `${field}.subdomain`, spec.subdomain));
  append(errors, validateTolerations(spec.tolerations ?? [], `${field}.tolerations`), validateRest(spec, field));
  return errors;
}

function validateRest(spec: PodSpec, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const alias of spec.hostAliases ?? []) {
    append(errors, ipAt(alias.ip ?? '', `${field}.hostAliases.ip`));
    for (const name of alias.hostnames ?? []) append(errors, problemsAt(isDns1123Subdomain(name), `${field}.hostAliases.hostnames`, name));
  }
  append(errors, subdomainAt(spec.priorityClassName, `${field}.priorityClassName`));
  if (spec.runtimeClassName !== undefined)
    append(errors, problemsAt(isDns1123Subdomain(spec.runtimeClassName), `${field}.runtimeClassName`, spec.runtimeClassName));
  const policy = spec.preemptionPolicy;
  if (policy === '') errors.push(required(`${field}.preemptionPolicy`));
  else if (policy !== undefined && policy !== 'PreemptLowerPriority' && policy !== 'Never')
    errors.push(notSupported(`${field}.preemptionPolicy`, policy, ['PreemptLowerPriority', 'Never']));
  if (spec.overhead !== undefined) append(errors, validateResourceRequirements({ limits: spec.overhead }, `${field}.overhead`));
  return [...errors, ...validateOs(spec, field)];
}

/** The maximum number of search domains, and of their characters. */
const SEARCHES = { paths: 6, characters: 256 };
const EXPANDED_SEARCHES = { paths: 32, characters: 2048 };
const EXPANDED = 'ExpandedDNSConfig';

/** Returns the input of the validation of a pod spec besides the spec. */
export const gatesOfPodSpecs = (context: KindContext): string =>
  `${context.gates[EXPANDED] === true ? EXPANDED : ''}${gatesOffForSpecs(context)}`;

function validateDnsConfig({ dnsPolicy, dnsConfig }: PodSpec, field: string, { gates }: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  const path = `${field}.dnsConfig`;
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if ((dnsConfig.nameservers ?? []).length === 0)
      return [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  if (dnsConfig === undefined) return errors;
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  if (nameservers.length > 3) errors.push(invalid(`${path}.nameservers`, nameservers, 'must not have more than 3 nameservers'));
  for (const [at, server] of nameservers.entries()) append(errors, ipAt(server, `${path}.nameservers[${at}]`));
  const { paths, characters } = gates[EXPANDED] === true ? EXPANDED_SEARCHES : SEARCHES;
  if (searches.length > paths) errors.push(invalid(`${path}.searches`, searches, `must not have more than ${paths} search paths`));
  if (byteLength(searches.join(' ')) > characters)
    errors.push(
      invalid(`${path}.searches`, searches, `must not have more than ${characters} characters (including spaces) in the search list`),
    );
  for (const [at, search] of searches.entries())
    append(
      errors,
      problemsAt(
        isDns1123Subdomain(search.endsWith('.') ? search.slice(0, -1) : search),
        `${path}.searches[${at}]`,
        search.endsWith('.') ? search.slice(0, -1) : search,
      ),
    );
  for (const [at, option] of options.entries())
    if ((option.name ?? '') === '') errors.push(required(`${path}.options[${at}]`, 'must not be empty'));
  return errors;
}

export function validatePodTemplate(template: PodTemplateSpec, field: string, context: KindContext): FieldError[] {
  const check = (): FieldError[] => {
    const { labels, annotations } = template.metadata;
    const errors: FieldError[] = [
      ...validateLabels(labels, `${field}.labels`),
      ...validateAnnotations(annotations ?? {}, `${field}.annotations`),
      ...validatePodAnnotations(annotations, template.spec, `${field}.annotations`, context),
      ...validateOnce(template.spec, context, () => validatePodSpec(template.spec, `${field}.spec`, context), gatesOfPodSpecs(context)),
    ];
    if ((template.spec.ephemeralContainers ?? []).length > 0)
      errors.push(forbidden(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
    return errors;
  };
  return validateOnce(template, context, check, gatesOfPodSpecs(context));
}
