/**
 * Validation of a pod's specification, alone or in a template. Models: v1.24 pkg/apis/core/validation ValidatePodSpec,
 * ValidatePodTemplateSpec.
 */
import { append, byteLength, isDns1123Subdomain, validateLabels } from '../../schema/values/index.ts';
import { type FieldError, GATES, type KindContext } from '../objects/index.ts';
import { podSpec, type PodSpec, type PodTemplateSpec } from '../structs/index.ts';
import { validateContainers, validateInitContainers } from './containers.ts';
import { RESOURCE_PREFIXES, RESOURCES } from './pod-fields.ts';
import { facetErrors } from './facets.ts';
import { forbidden, invalid, notSupported, ofEach, problemsAt, required, validateOnce } from './field-errors.ts';
import { validateAnnotations } from './object-meta.ts';
import { validatePodAnnotations } from './pod-annotations.ts';
import { validateAffinity, validateResourceRequirements, validateTolerations, validateTopologySpread } from './requirements.ts';
import { containersOf, validateHostProcess, validateOs, validatePodSecurity } from './security.ts';
import { validateVolumes } from './volumes.ts';

/** `pod`: the name of a pod, from which the claims of its ephemeral volumes are named; '' for a template. */
export function validatePodSpec(spec: PodSpec, field: string, context: KindContext, pod = ''): FieldError[] {
  const { errors, volumes } = validateVolumes(spec.volumes ?? [], `${field}.volumes`, pod);
  const judged = (...members: readonly (keyof PodSpec)[]): FieldError[] => facetErrors(podSpec, spec, field, ...members);
  append(
    errors,
    validateContainers(spec.containers, volumes, `${field}.containers`),
    validateInitContainers(spec.initContainers ?? [], spec.containers ?? [], volumes, `${field}.initContainers`),
    judged('restartPolicy', 'dnsPolicy', 'nodeSelector'),
    validatePodSecurity(spec, field),
    spec.affinity === undefined ? [] : validateAffinity(spec.affinity, `${field}.affinity`),
    validateDnsConfig(spec, field, context),
    judged('readinessGates'),
    validateTopologySpread(spec.topologySpreadConstraints ?? [], `${field}.topologySpreadConstraints`),
    validateHostProcess(spec, field),
    gatedSpecErrors(spec, field, context),
    judged('serviceAccountName', 'nodeName', 'activeDeadlineSeconds', 'hostname', 'subdomain'),
    validateTolerations(spec.tolerations, `${field}.tolerations`),
    judged('hostAliases', 'priorityClassName', 'runtimeClassName'),
    preemptionErrors(spec.preemptionPolicy, `${field}.preemptionPolicy`),
    spec.overhead === undefined ? [] : validateResourceRequirements({ limits: spec.overhead }, `${field}.overhead`),
    validateOs(spec, field),
  );
  return errors;
}

const PREEMPTION = ['PreemptLowerPriority', 'Never'];

/** A policy, where there is one, must not be empty. */
export const preemptionErrors = (policy: string | undefined, field: string): FieldError[] =>
  policy === '' ? [required(field)] : policy === undefined || PREEMPTION.includes(policy) ? [] : [notSupported(field, policy, PREEMPTION)];

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
  append(errors, facetErrors(podSpec.fields.dnsConfig, dnsConfig, path, 'nameservers'));
  const { paths, characters } = gates[EXPANDED] === true ? EXPANDED_SEARCHES : SEARCHES;
  if (searches.length > paths) errors.push(invalid(`${path}.searches`, searches, `must not have more than ${paths} search paths`));
  if (byteLength(searches.join(' ')) > characters)
    errors.push(
      invalid(`${path}.searches`, searches, `must not have more than ${characters} characters (including spaces) in the search list`),
    );
  append(
    errors,
    ofEach(searches, `${path}.searches`, (search, at) => {
      const name = search.endsWith('.') ? search.slice(0, -1) : search;
      return problemsAt(isDns1123Subdomain(name), at, name);
    }),
    ofEach(options, `${path}.options`, ({ name = '' }, at) => (name === '' ? [required(at, 'must not be empty')] : [])),
  );
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

type Ref = readonly [field: string, resource: string];
type Reader = { readonly resourceFieldRef?: { readonly resource: string } | undefined };

const refOf = (reader: Reader | undefined, field: string): readonly Ref[] =>
  reader?.resourceFieldRef === undefined ? [] : [[`${field}.resourceFieldRef.resource`, reader.resourceFieldRef.resource]];

/** The resources of containers that variables and files of volumes hold. A file's errors bear the field of its volume. */
const refsOf = (spec: PodSpec, field: string): readonly Ref[] => [
  ...(spec.volumes ?? []).flatMap(({ downwardAPI, projected }, at) => [
    ...(downwardAPI?.items ?? []).flatMap((file) => refOf(file, `${field}.volumes[${at}].downwardAPI`)),
    ...(projected?.sources ?? []).flatMap((source, i) =>
      (source.downwardAPI?.items ?? []).flatMap((file) => refOf(file, `${field}.volumes[${at}].projected.sources[${i}].downwardAPI`)),
    ),
  ]),
  ...containersOf(spec, field).flatMap(([{ env }, path]) =>
    (env ?? []).flatMap(({ valueFrom }, at) => refOf(valueFrom, `${path}.env[${at}].valueFrom`)),
  ),
];

/** What a pod may not say while a gate is off that lets it: gates whose fields are judged, not dropped. Models: PodValidationOptions. */
const GATED: Readonly<Record<string, (spec: PodSpec, field: string) => readonly FieldError[]>> = {
  DownwardAPIHugePages: (spec, field) =>
    refsOf(spec, field).flatMap(([path, resource]) =>
      RESOURCE_PREFIXES.some((prefix) => resource.startsWith(prefix)) ? [notSupported(path, resource, RESOURCES)] : [],
    ),
  AltOSHostProcessContainers: (spec, field) =>
    containersOf(spec, field).some(
      ([{ securityContext }]) => securityContext?.windowsOptions?.hostProcess ?? spec.securityContext.windowsOptions?.hostProcess ?? false,
    )
      ? [forbidden(field, "pod must not contain hostProcess containers when the feature gate 'AltOSHostProcessContainers' is not enabled")]
      : [],
};

const offIn = ({ gates }: KindContext): readonly string[] =>
  Object.keys(GATED).filter((gate) => !(gates[gate] ?? GATES.get(gate)?.default ?? false));

/** What gates that are off forbid of a specification. */
const gatedSpecErrors = (spec: PodSpec, field: string, context: KindContext): readonly FieldError[] =>
  offIn(context).flatMap((gate) => GATED[gate]?.(spec, field) ?? []);

/** The gates that are off, of those that the above depends on; the empty text: none. */
const gatesOffForSpecs = (context: KindContext): string => offIn(context).join(' ');
