/** Validation of StatefulSets. Models: v1.24 pkg/apis/apps/validation. */
import {
  append,
  isValidPercent,
  labelSelectorAsSelection,
  validateLabels,
  validateLabelSelector,
  type GoText,
  type GoType,
} from '../../../schema/values/index.ts';
import {
  type FieldError,
  forbidden,
  int,
  invalid,
  type KindContext,
  labelSelectorType,
  labelsType,
  nonNegative,
  notSupported,
  pointer,
  required,
  sameValue,
  shown,
  shownField,
  struct,
  subdomainName,
  text,
  validateAnnotations,
  validateMeta,
  validateMetaUpdate,
  validatePodAnnotations,
} from '../../machinery/index.ts';
import type { StatefulSet, StatefulSetSpec } from './shape.ts';

const intOrStringType: GoType = { type: 'intOrString' };
const rollingType = struct('apps.RollingUpdateStatefulSetStrategy', { Partition: int, MaxUnavailable: pointer(intOrStringType) });
const strategyType = struct('apps.StatefulSetUpdateStrategy', { Type: text, RollingUpdate: pointer(rollingType) });

const shownIntOrString = (value: number | string): GoText => shown(value, intOrStringType);

export const validateStatefulSet = (object: StatefulSet, context: KindContext): FieldError[] => [
  ...validateMeta(object, true, subdomainName, context),
  ...specErrors(object.spec, context),
];

function specErrors(spec: StatefulSetSpec, context: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  const policy = spec.podManagementPolicy;
  if (policy === '') errors.push(required('spec.podManagementPolicy'));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel')
    errors.push(invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  append(errors, strategyErrors(spec.updateStrategy), retentionErrors(spec, context.gates['StatefulSetAutoDeletePVC'] === true));
  nonNegative(spec.replicas, 'spec.replicas', errors);
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors);
  if (spec.selector === undefined) errors.push(required('spec.selector'));
  else {
    append(errors, validateLabelSelector(spec.selector, 'spec.selector'));
    if (Object.keys(spec.selector.matchLabels ?? {}).length + (spec.selector.matchExpressions ?? []).length === 0)
      errors.push(invalid('spec.selector', shown(spec.selector, labelSelectorType), 'empty selector is invalid for statefulset'));
  }
  const selection = labelSelectorAsSelection(spec.selector);
  if (selection.error !== undefined)
    errors.push(invalid('spec.selector', spec.selector === undefined ? undefined : shown(spec.selector, labelSelectorType), ''));
  else append(errors, templateErrors(spec, selection.value.matches, context));
  const { restartPolicy, activeDeadlineSeconds } = spec.template.spec;
  if (restartPolicy !== 'Always') errors.push(notSupported('spec.template.spec.restartPolicy', restartPolicy, ['Always']));
  if (activeDeadlineSeconds !== undefined)
    errors.push(forbidden('spec.template.spec.activeDeadlineSeconds', 'activeDeadlineSeconds in StatefulSet is not Supported'));
  return errors;
}

function strategyErrors(strategy: StatefulSetSpec['updateStrategy']): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const field = 'spec.updateStrategy';
  if (type === '') return [required(field)];
  if (type === 'OnDelete')
    return rollingUpdate === undefined
      ? []
      : [invalid(`${field}.rollingUpdate`, shown(rollingUpdate, rollingType), "only allowed for updateStrategy 'RollingUpdate'")];
  if (type !== 'RollingUpdate') return [invalid(field, shown(strategy, strategyType), "must be 'RollingUpdate' or 'OnDelete'")];
  const errors: FieldError[] = [];
  nonNegative(rollingUpdate?.partition, `${field}.rollingUpdate.partition`, errors);
  if (rollingUpdate?.maxUnavailable !== undefined)
    append(errors, maxUnavailableErrors(rollingUpdate.maxUnavailable, `${field}.rollingUpdate.maxUnavailable`));
  return errors;
}

/** The value must be a positive number, or a percentage from 1 to 100. */
function maxUnavailableErrors(value: number | string, field: string): FieldError[] {
  if (typeof value === 'number') {
    if (value < 0) return [invalid(field, value, 'must be greater than or equal to 0')];
    return value === 0 ? [invalid(field, shownIntOrString(value), 'cannot be 0')] : [];
  }
  const errors: FieldError[] = isValidPercent(value).map((problem) => invalid(field, shownIntOrString(value), problem));
  const percent = errors.length === 0 ? Number(value.slice(0, -1)) : 0;
  if (percent === 0) errors.push(invalid(field, shownIntOrString(value), 'cannot be 0'));
  if (percent > 100) errors.push(invalid(field, shownIntOrString(value), 'must not be greater than 100%'));
  return errors;
}

function retentionErrors({ persistentVolumeClaimRetentionPolicy: policy }: StatefulSetSpec, enabled: boolean): FieldError[] {
  if (policy === undefined || !enabled) return [];
  const known = ['Retain', 'Delete'];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((name) =>
    known.includes(policy[name]) ? [] : [notSupported(`spec.persistentVolumeClaimRetentionPolicy.${name}`, policy[name], known)],
  );
}

/** Only the parts of the template that the set depends on are validated: its pods are validated when they are created. */
function templateErrors(
  { template }: StatefulSetSpec,
  matches: (labels: Readonly<Record<string, string>> | undefined) => boolean,
  context: KindContext,
): FieldError[] {
  const { labels, annotations } = template.metadata;
  const errors: FieldError[] = [];
  if (!matches(labels))
    errors.push(
      invalid(
        'spec.template.metadata.labels',
        shownField(template.metadata, 'labels', labelsType),
        '`selector` does not match template `labels`',
      ),
    );
  append(errors, validateLabels(labels, 'spec.template.labels'), validateAnnotations(annotations ?? {}, 'spec.template.annotations'));
  return [...errors, ...validatePodAnnotations(annotations, template.spec, 'spec.template.annotations', context)];
}

const CHANGEABLE = ['replicas', 'template', 'updateStrategy', 'minReadySeconds', 'persistentVolumeClaimRetentionPolicy'] as const;

export function validateStatefulSetUpdate(object: StatefulSet, old: StatefulSet, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const before = old.spec;
  const errors = [...validateStatefulSet(object, context), ...validateMetaUpdate(object, old, context)];
  const fixed = (one: StatefulSetSpec): Record<string, unknown> => {
    const rest: Record<string, unknown> = { ...one };
    for (const name of CHANGEABLE) delete rest[name];
    return rest;
  };
  if (spec !== before && !sameValue(fixed(spec), fixed(before))) {
    errors.push(
      forbidden(
        'spec',
        "updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ),
    );
  }
  nonNegative(spec.replicas, 'spec.replicas', errors);
  return errors;
}

export function validateStatefulSetStatusUpdate(object: StatefulSet, old: StatefulSet, context: KindContext): readonly FieldError[] {
  const { status } = object;
  const errors: FieldError[] = [];
  const names = [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
    'observedGeneration',
    'collisionCount',
  ] as const;
  for (const name of names) nonNegative(status[name], `status.${name}`, errors);
  const total = status.replicas;
  for (const name of ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const)
    if ((status[name] ?? 0) > total) errors.push(invalid(`status.${name}`, status[name] ?? 0, 'cannot be greater than status.replicas'));
  if ((status.availableReplicas ?? 0) > (status.readyReplicas ?? 0))
    errors.push(invalid('status.availableReplicas', status.availableReplicas, 'cannot be greater than readyReplicas'));
  append(errors, validateMetaUpdate(object, old, context));
  const [collisions, before] = [status.collisionCount, old.status.collisionCount];
  if (before !== undefined && (collisions ?? -1) < before)
    errors.push(invalid('status.collisionCount', collisions ?? 0, 'cannot be decremented'));
  return errors;
}
