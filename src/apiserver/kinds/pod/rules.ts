/** Validation of pods as objects. Models: v1.24 pkg/apis/core/validation ValidatePodCreate, ValidatePodUpdate, ValidatePodStatusUpdate. */
import { append, isDns1123Subdomain, isIpv4, isQualifiedName, isValidIp, parseIp, repeats } from '../../../schema/values/index.ts';
import type { FieldError, KindContext } from '../../objects/index.ts';
import { type Container, type ContainerStatus, type PodSpec, podStatus, type Toleration } from '../../structs/index.ts';
import {
  duplicate,
  forbidden,
  gatesOfPodSpecs,
  inclusiveRange,
  invalid,
  MAX_INT32,
  problemsAt,
  required,
  sameValue,
  shown,
  subdomainName,
  validateImagesOfPod,
  validateMeta,
  validateMetaUpdate,
  validateOnce,
  validatePodAnnotations,
  validatePodAnnotationUpdate,
  validatePodSpec,
  validateSeccompAgreement,
  validateTolerations,
} from '../../validation/index.ts';
import type { Pod } from './shape.ts';

/** Validation of pods that do not apply to templates, besides the spec itself. */
function ofPodsOnly({ spec }: Pod): FieldError[] {
  const errors: FieldError[] = [];
  if ((spec.serviceAccountName ?? '') === '') {
    for (const [v, { projected }] of (spec.volumes ?? []).entries())
      for (const [s, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
        if (serviceAccountToken !== undefined)
          errors.push(
            forbidden(
              `spec.volumes[${v}].projected.sources[${s}].serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          );
      }
  }
  return [
    ...errors,
    ...validateImagesOfPod(spec.containers, 'spec.containers'),
    ...validateImagesOfPod(spec.initContainers, 'spec.initContainers'),
  ];
}

/** Claims of ephemeral volumes are named after the pod, so such a spec is validated for each pod again. */
function specErrors(object: Pod, context: KindContext): FieldError[] {
  const { spec, metadata } = object;
  const own = (spec.volumes ?? []).some(({ ephemeral }) => ephemeral !== undefined);
  return own
    ? [...validatePodSpec(spec, 'spec', context, metadata.name), ...ofPodsOnly(object)]
    : validateOnce(spec, context, () => [...validatePodSpec(spec, 'spec', context), ...ofPodsOnly(object)], gatesOfPodSpecs(context));
}

export function validatePod(object: Pod, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const errors = [
    ...validateMeta(object, true, subdomainName, context),
    ...validatePodAnnotations(object.metadata.annotations, spec, 'metadata.annotations', context),
    ...specErrors(object, context),
  ];
  if ((spec.ephemeralContainers ?? []).length > 0) errors.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  return [...errors, ...validateSeccompAgreement(object.metadata.annotations, spec, 'spec', context)];
}

const IMMUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only additions to existing tolerations) or `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n';

export function validatePodUpdate(object: Pod, old: Pod, context: KindContext): readonly FieldError[] {
  const { spec, metadata } = object;
  const before = old.spec;
  const errors = validateMetaUpdate(object, old, context);
  if (metadata.annotations !== old.metadata.annotations)
    append(errors, validatePodAnnotations(metadata.annotations, spec, 'metadata.annotations', context));
  if (spec !== before) append(errors, specErrors(object, context));
  if (metadata.annotations !== old.metadata.annotations)
    append(errors, validatePodAnnotationUpdate(metadata.annotations, old.metadata.annotations, 'metadata.annotations', context));
  if (spec === before) return errors;
  for (const field of ['containers', 'initContainers'] as const) {
    const changed = containerListErrors(spec[field] ?? [], before[field] ?? [], `spec.${field}`);
    append(errors, changed.errors);
    if (changed.stop) return errors;
  }
  const { activeDeadlineSeconds: deadline } = spec;
  const shortened = deadlineErrors(deadline, before.activeDeadlineSeconds);
  append(errors, shortened);
  // An invalid deadline ends the validation; a removed one does not.
  if (shortened.length > 0 && deadline !== undefined) return errors;
  append(errors, tolerationErrors(spec.tolerations ?? [], before.tolerations ?? []));
  return sameValue(unchangeable(spec, before), before) ? errors : [...errors, forbidden('spec', IMMUTABLE)];
}

function containerListErrors(
  containers: readonly Container[],
  old: readonly Container[],
  field: string,
): { readonly errors: FieldError[]; readonly stop: boolean } {
  if (containers.length !== old.length) return { errors: [forbidden(field, 'pod updates may not add or remove containers')], stop: true };
  const errors = containers.flatMap(({ image = '' }, at) =>
    image === ''
      ? [required(`${field}[${at}].image`)]
      : validateImagesOfPod([{ image } as Container], field).map((error) => ({ ...error, field: `${field}[${at}].image` })),
  );
  return { errors, stop: false };
}

/** Old tolerations may keep any seconds; new ones are validated. */
const tolerationErrors = (tolerations: readonly Toleration[], old: readonly Toleration[]): FieldError[] =>
  keepsTolerations(tolerations, old)
    ? validateTolerations(tolerations, 'spec.tolerations')
    : [forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];

/** The deadline may be set, and only reduced. */
function deadlineErrors(deadline: number | undefined, old: number | undefined): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  if (deadline === undefined)
    return old === undefined ? [] : [invalid(field, undefined, 'must not update from a positive integer to nil value')];
  if (deadline < 0 || deadline > MAX_INT32) return [invalid(field, deadline, inclusiveRange(MAX_INT32))];
  return old !== undefined && old < deadline ? [invalid(field, deadline, 'must be less than or equal to previous value')] : [];
}

/** Every old toleration must be kept; its seconds may differ. */
function keepsTolerations(tolerations: readonly Toleration[], old: readonly Toleration[]): boolean {
  // The tolerations are decoded, so equal ones have equal JSON texts.
  const textOf = (one: Toleration): string => JSON.stringify({ ...one, tolerationSeconds: undefined });
  const now = new Set(tolerations.map(textOf));
  return old.every((one) => now.has(textOf(one)));
}

/** Returns the new spec with the mutable fields of the old one. */
function unchangeable(spec: PodSpec, before: PodSpec): Record<string, unknown> {
  const images = (containers: readonly Container[] | undefined, old: readonly Container[] | undefined): unknown =>
    containers?.map((container, at) => ({ ...container, image: old?.[at]?.image }));
  const result: Record<string, unknown> = {
    ...spec,
    containers: images(spec.containers, before.containers),
    activeDeadlineSeconds: before.activeDeadlineSeconds,
    tolerations: before.tolerations,
  };
  if (spec.initContainers !== undefined) result['initContainers'] = images(spec.initContainers, before.initContainers);
  if ((before.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1)
    result['terminationGracePeriodSeconds'] = before.terminationGracePeriodSeconds;
  for (const key of Object.keys(result)) if (result[key] === undefined) delete result[key];
  return result;
}

export function validatePodStatusUpdate(object: Pod, before: Pod, context: KindContext): readonly FieldError[] {
  const { status, spec } = object;
  const errors = validateMetaUpdate(object, before, context);
  if (status === before.status && spec === before.spec) return errors;
  // Upstream puts the path of conditions below metadata.
  const { conditions = NONE } = status;
  for (let at = 0; at < conditions.length; at++) {
    const type = conditions[at]?.type ?? '';
    if (!SYSTEM_CONDITIONS.has(type)) append(errors, problemsAt(isQualifiedName(type), `metadata.conditions[${at}].Type`, type));
  }
  if (spec.nodeName !== before.spec.nodeName) errors.push(forbidden('status.nodeName', 'may not be changed directly'));
  if (status.nominatedNodeName !== undefined && status.nominatedNodeName !== before.status.nominatedNodeName)
    append(errors, problemsAt(isDns1123Subdomain(status.nominatedNodeName), 'status.nominatedNodeName', status.nominatedNodeName));
  const { restartPolicy } = before.spec;
  revivals(status.containerStatuses, before.status.containerStatuses, 'status.containerStatuses', restartPolicy, errors);
  revivals(status.initContainerStatuses, before.status.initContainerStatuses, 'status.initContainerStatuses', restartPolicy, errors);
  if (status.podIPs !== undefined && status.podIPs !== before.status.podIPs) append(errors, addressErrors(status.podIPs));
  return errors;
}

const SYSTEM_CONDITIONS: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

const NO_ERRORS: readonly FieldError[] = [];

/** Pod IPs must be valid, at most one of each family, and distinct. */
function addressErrors(addresses: readonly { readonly ip?: string }[]): readonly FieldError[] {
  // Most pods have exactly one.
  if (addresses.length === 1 && isValidIp(addresses[0]?.ip ?? '').length === 0) return NO_ERRORS;
  const ips = addresses.map(({ ip = '' }) => ip);
  const errors = ips.flatMap((ip, at) => problemsAt(isValidIp(ip), `status.podIPs[${at}]`, ip));
  if (ips.length < 2) return errors;
  const list = podStatus.fields.podIPs;
  const parsed = ips.map(parseIp);
  const four = parsed.filter((ip) => ip !== undefined && isIpv4(ip)).length;
  if (parsed.every((ip) => ip !== undefined) && (four === 0 || four === ips.length || ips.length > 2))
    errors.push(invalid('status.podIPs', shown(addresses, list), 'may specify no more than one IP for each IP family'));
  const seenBefore = repeats<string>();
  for (const [at, ip] of ips.entries())
    if (seenBefore(ip)) errors.push(duplicate(`status.podIPs[${at}]`, shown(addresses[at], list.items)));
  return errors;
}

/** A container that has terminated for good must not run again. Upstream compares containers by index. */
function revivals(
  statuses: readonly ContainerStatus[] = NONE,
  old: readonly ContainerStatus[] = NONE,
  field: string,
  policy: string,
  errors: FieldError[],
): void {
  if (policy === 'Always' || statuses === old) return;
  for (let at = 0; at < old.length; at++) {
    const was = old[at];
    const ended = was?.state.terminated;
    if (ended === undefined || (ended.exitCode !== 0 && policy === 'OnFailure')) continue;
    for (const now of statuses)
      if (now.name === was?.name && now.state.terminated === undefined)
        errors.push(forbidden(`${field}[${at}].state`, 'may not be transitioned to non-terminated state'));
  }
}

const NONE: readonly never[] = [];
