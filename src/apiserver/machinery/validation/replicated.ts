/**
 * Validation shared by ReplicaSets and Deployments: template, selector and counts. Models: v1.24 pkg/apis/apps/validation
 * ValidatePodTemplateSpecForReplicaSet.
 */
import { append, type LabelSelector, labelSelectorAsSelection, validateLabelSelector } from '../../../schema/values/index.ts';
import type { KindContext } from '../kind.ts';
import type { PodTemplateSpec } from '../shapes/pod-spec.ts';
import type { FieldError } from '../status.ts';
import { forbidden, immutableText, invalid, notSupported, required } from './field-errors.ts';
import { labelSelectorType, labelsType, shown, shownField } from './go-shapes.ts';
import { nonNegative } from './numbers.ts';
import { validatePodTemplate } from './pod-spec.ts';
import { sameValue } from './same-value.ts';

interface Replicated {
  readonly replicas: number;
  readonly selector?: LabelSelector;
  readonly template: PodTemplateSpec;
}

/** Returns the errors of selector and template. The texts name a Deployment and a ReplicaSet for either kind, as upstream's do. */
export function replicatedTemplateErrors(spec: Replicated, context: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  const { selector, template } = spec;
  const shownSelector = selector === undefined ? undefined : shown(selector, labelSelectorType);
  if (selector === undefined) errors.push(required('spec.selector'));
  else {
    append(errors, validateLabelSelector(selector, 'spec.selector'));
    if (Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0)
      errors.push(invalid('spec.selector', shownSelector, 'empty selector is invalid for deployment'));
  }
  const selection = labelSelectorAsSelection(selector);
  if (selection.error !== undefined) return [...errors, invalid('spec.selector', shownSelector, 'invalid label selector')];
  const { labels } = template.metadata;
  if (!selection.value.matches(labels))
    errors.push(
      invalid(
        'spec.template.metadata.labels',
        shownField(template.metadata, 'labels', labelsType),
        '`selector` does not match template `labels`',
      ),
    );
  append(errors, validatePodTemplate(template, 'spec.template', context));
  if (spec.replicas > 1) append(errors, sharedDiskErrors(template));
  const { restartPolicy, activeDeadlineSeconds } = template.spec;
  if (restartPolicy !== 'Always') errors.push(notSupported('spec.template.spec.restartPolicy', restartPolicy, ['Always']));
  if (activeDeadlineSeconds !== undefined)
    errors.push(forbidden('spec.template.spec.activeDeadlineSeconds', 'activeDeadlineSeconds in ReplicaSet is not Supported'));
  return errors;
}

/** A disk that several machines mount must be read-only. */
export function sharedDiskErrors({ spec: { volumes = [] } }: PodTemplateSpec): FieldError[] {
  return volumes.flatMap(({ gcePersistentDisk }, at) =>
    gcePersistentDisk === undefined || gcePersistentDisk.readOnly === true
      ? []
      : [
          invalid(
            `spec.template.spec.volumes[${at}].gcePersistentDisk.readOnly`,
            false,
            'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only',
          ),
        ],
  );
}

export const immutableSelector = (selector: LabelSelector | undefined, before: LabelSelector | undefined): FieldError[] =>
  sameValue(selector, before)
    ? []
    : [invalid('spec.selector', selector === undefined ? undefined : shown(selector, labelSelectorType), immutableText)];

/** Returns the errors of the counts of a status: none is negative, `parts` do not exceed the replicas, and available pods are ready. */
export function statusCountErrors<K extends string>(
  status: Readonly<Partial<Record<K | 'replicas' | 'readyReplicas' | 'availableReplicas', number>>>,
  counts: readonly K[],
  parts: readonly K[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of counts) nonNegative(status[name], `status.${name}`, errors);
  for (const name of parts)
    if ((status[name] ?? 0) > (status.replicas ?? 0))
      errors.push(invalid(`status.${name}`, status[name] ?? 0, 'cannot be greater than status.replicas'));
  if ((status.availableReplicas ?? 0) > (status.readyReplicas ?? 0))
    errors.push(invalid('status.availableReplicas', status.availableReplicas, 'cannot be greater than readyReplicas'));
  return errors;
}
