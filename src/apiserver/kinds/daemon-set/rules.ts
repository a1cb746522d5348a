/** Validation of DaemonSets. Models: v1.24 pkg/apis/apps/validation, pkg/registry/apps/daemonset/strategy.go. */
import { append, type GoType, isValidPercent, labelSelectorAsSelection, validateLabelSelector } from '../../../schema/values/index.ts';
import {
  type FieldError,
  forbidden,
  immutableSelector,
  invalid,
  type KindContext,
  labelSelectorType,
  labelsType,
  nonNegative,
  notSupported,
  pointer,
  required,
  sharedDiskErrors,
  shown,
  shownField,
  struct,
  subdomainName,
  text,
  validateMeta,
  validateMetaUpdate,
  validatePodTemplate,
} from '../../machinery/index.ts';
import type { DaemonSet, DaemonSetSpec } from './shape.ts';

const shareType: GoType = { type: 'intOrString' };
const rollingType = struct('apps.RollingUpdateDaemonSet', { MaxUnavailable: shareType, MaxSurge: shareType });
const strategyType = struct('apps.DaemonSetUpdateStrategy', { Type: text, RollingUpdate: pointer(rollingType) });

export const validateDaemonSet = (object: DaemonSet, context: KindContext): readonly FieldError[] => [
  ...validateMeta(object, true, subdomainName, context),
  ...specErrors(object.spec, context),
];

function specErrors(spec: DaemonSetSpec, context: KindContext): FieldError[] {
  const errors = selectorErrors(spec);
  const { template } = spec;
  append(errors, validatePodTemplate(template, 'spec.template', context), sharedDiskErrors(template));
  const { restartPolicy, activeDeadlineSeconds } = template.spec;
  if (restartPolicy !== 'Always') errors.push(notSupported('spec.template.spec.restartPolicy', restartPolicy, ['Always']));
  if (activeDeadlineSeconds !== undefined)
    errors.push(forbidden('spec.template.spec.activeDeadlineSeconds', 'activeDeadlineSeconds in DaemonSet is not Supported'));
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors);
  append(errors, strategyErrors(spec.updateStrategy));
  nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit', errors);
  return errors;
}

/** Upstream reports only the consequence of a missing selector: it selects nothing, so the template does not match. */
function selectorErrors({ selector, template }: DaemonSetSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (selector !== undefined) append(errors, validateLabelSelector(selector, 'spec.selector'));
  const selection = labelSelectorAsSelection(selector);
  if (selection.error === undefined && !selection.value.matches(template.metadata.labels))
    errors.push(
      invalid(
        'spec.template.metadata.labels',
        shownField(template.metadata, 'labels', labelsType),
        '`selector` does not match template `labels`',
      ),
    );
  if (selector !== undefined && Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0)
    errors.push(invalid('spec.selector', shown(selector, labelSelectorType), 'empty selector is invalid for daemonset'));
  return errors;
}

function strategyErrors(strategy: DaemonSetSpec['updateStrategy']): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const field = 'spec.updateStrategy';
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [notSupported(field, shown(strategy, strategyType), ['RollingUpdate', 'OnDelete'])];
  if (rollingUpdate === undefined) return [required(`${field}.rollingUpdate`)];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  const [down, up] = [`${field}.rollingUpdate.maxUnavailable`, `${field}.rollingUpdate.maxSurge`];
  const errors = [
    ...shareErrors(maxUnavailable, down),
    ...shareErrors(maxSurge, up),
    ...excessErrors(maxUnavailable, down),
    ...excessErrors(maxSurge, up),
  ];
  const [goes, comes] = [numberIn(maxUnavailable) !== 0, numberIn(maxSurge) !== 0];
  if (goes && comes) errors.push(invalid(up, shown(maxSurge, shareType), 'may not be set when maxUnavailable is non-zero'));
  if (!goes && !comes) errors.push(required(down, 'cannot be 0 when maxSurge is 0'));
  return errors;
}

function shareErrors(value: number | string, field: string): FieldError[] {
  if (typeof value === 'number') return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
  return isValidPercent(value).map((problem) => invalid(field, shown(value, shareType), problem));
}

const excessErrors = (value: number | string, field: string): FieldError[] =>
  typeof value === 'string' && isValidPercent(value).length === 0 && numberIn(value) > 100
    ? [invalid(field, shown(value, shareType), 'must not be greater than 100%')]
    : [];

/** Returns the number, or the percentage as a number; any other text counts as the number that Go parses from it. */
function numberIn(value: number | string): number {
  if (typeof value === 'number') return value;
  if (isValidPercent(value).length === 0) return Number(value.slice(0, -1));
  return /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}

/** Upstream validates the whole new object, then the change, and with it the specification again. */
export const validateDaemonSetUpdate = (object: DaemonSet, old: DaemonSet, context: KindContext): readonly FieldError[] => [
  ...validateDaemonSet(object, context),
  ...validateMetaUpdate(object, old, context),
  ...specErrors(object.spec, context),
  ...immutableSelector(object.spec.selector, old.spec.selector),
];

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const;

export function validateDaemonSetStatusUpdate(object: DaemonSet, old: DaemonSet, context: KindContext): readonly FieldError[] {
  const errors = [...validateMetaUpdate(object, old, context)];
  for (const name of COUNTS) nonNegative(object.status[name], `status.${name}`, errors);
  const [collisions, before] = [object.status.collisionCount, old.status.collisionCount];
  if (before !== undefined && (collisions ?? -1) < before)
    errors.push(invalid('status.collisionCount', collisions ?? 0, 'cannot be decremented'));
  return errors;
}
