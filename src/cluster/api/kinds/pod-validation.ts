/** Rules of pods as objects. Models: v1.24 pkg/apis/core/validation ValidatePodCreate, ValidatePodUpdate, ValidatePodStatusUpdate. */
import { isDns1123Subdomain } from '../../values/index.ts';
import type { KindContext } from '../kind.ts';
import type { Container } from '../shapes/containers.ts';
import type { PodSpec, Toleration } from '../shapes/pod-spec.ts';
import type { ContainerStatus } from '../shapes/pod-status.ts';
import type { FieldError } from '../status.ts';
import { forbidden, invalid, required } from '../validation/field-errors.ts';
import { inclusiveRange, MAX_INT32 } from '../validation/numbers.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { validatePodAnnotations } from '../validation/pod-annotations.ts';
import { judgeOnce, validatePodSpec } from '../validation/pod-spec.ts';
import { sameValue } from '../validation/same-value.ts';
import type { Pod } from './pod.ts';

export function validatePod(object: Pod, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const errors = [...validateMeta(object, true, subdomainName, context), ...validatePodAnnotations(object.metadata.annotations, spec, 'metadata.annotations', context), ...judgeOnce(spec, context, () => validatePodSpec(spec, 'spec'))];
  if ((spec.ephemeralContainers ?? []).length > 0) errors.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  return errors;
}

const IMMUTABLE = 'pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only additions to existing tolerations) or `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n';

export function validatePodUpdate(object: Pod, old: Pod, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const before = old.spec;
  const errors = validateMetaUpdate(object, old, context);
  if (spec === before) return errors;
  errors.push(...judgeOnce(spec, context, () => validatePodSpec(spec, 'spec')));
  for (const field of ['containers', 'initContainers'] as const) {
    const changed = containerListErrors(spec[field] ?? [], before[field] ?? [], `spec.${field}`);
    errors.push(...changed.errors);
    if (changed.stop) return errors;
  }
  const deadline = deadlineErrors(spec.activeDeadlineSeconds, before.activeDeadlineSeconds);
  if (deadline.length > 0) return [...errors, ...deadline];
  if (!keepsTolerations(spec.tolerations ?? [], before.tolerations ?? [])) errors.push(forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'));
  if (errors.length > 0) return errors;
  return sameValue(unchangeable(spec, before), before) ? errors : [forbidden('spec', IMMUTABLE)];
}

function containerListErrors(containers: readonly Container[], old: readonly Container[], field: string): { readonly errors: FieldError[]; readonly stop: boolean } {
  if (containers.length !== old.length) return { errors: [forbidden(field, 'pod updates may not add or remove containers')], stop: true };
  return { errors: containers.flatMap(({ image = '' }, at) => (image.trim() === '' ? [required(`${field}[${at}].image`)] : [])), stop: false };
}

/** It may be set, and only shortened. */
function deadlineErrors(deadline: number | undefined, old: number | undefined): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  if (deadline === undefined) return old === undefined ? [] : [invalid(field, undefined, 'must not update from a positive integer to nil value')];
  if (deadline < 0 || deadline > MAX_INT32) return [invalid(field, deadline, inclusiveRange(0, MAX_INT32))];
  return old !== undefined && old < deadline ? [invalid(field, deadline, 'must be less than or equal to previous value')] : [];
}

/** Every old toleration is still there; its seconds may differ. */
const keepsTolerations = (tolerations: readonly Toleration[], old: readonly Toleration[]): boolean =>
  old.every((one) => tolerations.some((other) => sameValue({ ...other, tolerationSeconds: undefined }, { ...one, tolerationSeconds: undefined })));

/** The new spec with the changeable fields of the old one. */
function unchangeable(spec: PodSpec, before: PodSpec): Record<string, unknown> {
  const images = (containers: readonly Container[] | undefined, old: readonly Container[] | undefined): unknown => containers?.map((container, at) => ({ ...container, image: old?.[at]?.image }));
  const result: Record<string, unknown> = { ...spec, containers: images(spec.containers, before.containers), activeDeadlineSeconds: before.activeDeadlineSeconds, tolerations: before.tolerations };
  if (spec.initContainers !== undefined) result['initContainers'] = images(spec.initContainers, before.initContainers);
  if ((before.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1) result['terminationGracePeriodSeconds'] = before.terminationGracePeriodSeconds;
  for (const key of Object.keys(result)) if (result[key] === undefined) delete result[key];
  return result;
}

export function validatePodStatusUpdate(object: Pod, before: Pod, context: KindContext): readonly FieldError[] {
  const { status, spec } = object;
  const errors = validateMetaUpdate(object, before, context);
  if (spec.nodeName !== before.spec.nodeName) errors.push(forbidden('status.nodeName', 'may not be changed directly'));
  if (status.nominatedNodeName !== undefined) for (const problem of isDns1123Subdomain(status.nominatedNodeName)) errors.push(invalid('status.nominatedNodeName', status.nominatedNodeName, problem));
  errors.push(...revivalErrors(status.containerStatuses ?? [], before.status.containerStatuses ?? [], 'status.containerStatuses', before.spec.restartPolicy));
  errors.push(...revivalErrors(status.initContainerStatuses ?? [], before.status.initContainerStatuses ?? [], 'status.initContainerStatuses', before.spec.restartPolicy));
  return errors;
}

/** A container that ended for good stays ended. */
function revivalErrors(statuses: readonly ContainerStatus[], old: readonly ContainerStatus[], field: string, policy: string): FieldError[] {
  if (policy === 'Always' || statuses === old) return [];
  const errors: FieldError[] = [];
  for (const was of old) {
    const ended = was.state.terminated;
    if (ended === undefined || (ended.exitCode !== 0 && policy === 'OnFailure')) continue;
    for (const [at, now] of statuses.entries()) if (now.name === was.name && now.state.terminated === undefined) errors.push(forbidden(`${field}[${at}].state`, 'may not be transitioned to non-terminated state'));
  }
  return errors;
}
