/** Validation of HorizontalPodAutoscalers. Models: v1.24 pkg/apis/autoscaling/validation. */
import { append, isValidPathSegmentName, quantity, quantitySign } from '../../../schema/values/index.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  type KindContext,
  notSupported,
  problemsAt,
  required,
  shownQuantity,
  subdomainName,
  validateMeta,
  validateMetaUpdate,
  facetErrors,
} from '../../machinery/index.ts';
import {
  type HorizontalPodAutoscaler,
  horizontalPodAutoscalerSchema,
  type MetricSpec,
  type MetricTarget,
  reference,
  SOURCE_TYPES,
  TARGET_TYPES,
} from './shape.ts';

const isOneOf = (known: readonly string[], value: string): boolean => known.includes(value);

export const validateAutoscaler = (object: HorizontalPodAutoscaler, context: KindContext): readonly FieldError[] => [
  ...validateMeta(object, true, subdomainName, context),
  ...specErrors(object, context.gates['HPAScaleToZero'] === true ? 0 : 1),
];

/** An autoscaler that has a minimum of zero already may keep it without the gate. */
export const validateAutoscalerUpdate = (
  object: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler,
  context: KindContext,
): readonly FieldError[] => [
  ...validateMetaUpdate(object, old, context),
  ...specErrors(object, context.gates['HPAScaleToZero'] === true || old.spec.minReplicas === 0 ? 0 : 1),
];

function specErrors({ spec }: HorizontalPodAutoscaler, least: number): FieldError[] {
  const { minReplicas, maxReplicas, metrics } = spec;
  const errors: FieldError[] = [];
  if (minReplicas < least) errors.push(invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${least}`));
  if (maxReplicas < 1) errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0'));
  if (maxReplicas < minReplicas) errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'));
  append(errors, facetErrors(reference, spec.scaleTargetRef, 'spec.scaleTargetRef'));
  for (const [at, metric] of metrics.entries()) append(errors, metricErrors(metric, `spec.metrics[${at}]`));
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External'))
    errors.push(forbidden('spec.metrics', 'must specify at least one Object or External metric to support scaling to zero replicas'));
  return [...errors, ...facetErrors(horizontalPodAutoscalerSchema.fields.spec.fields.behavior, spec.behavior, 'spec.behavior')];
}

const metricNameErrors = (name: string, field: string): FieldError[] =>
  name === ''
    ? [required(`${field}.metric.name`, 'must specify a metric name')]
    : problemsAt(isValidPathSegmentName(name), `${field}.metric.name`, name);

/** The members of a metric in the order in which they are checked, and the type of each. */
const MEMBERS = [
  ['object', 'Object'],
  ['external', 'External'],
  ['pods', 'Pods'],
  ['resource', 'Resource'],
  ['containerResource', 'ContainerResource'],
] as const;

function metricErrors(metric: MetricSpec, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { type } = metric;
  if (type === '') errors.push(required(`${field}.type`, 'must specify a metric source type'));
  // Upstream reports it twice: before checking the sources, and when no source matches the type.
  const unknown = isOneOf(SOURCE_TYPES, type) ? [] : [notSupported(`${field}.type`, type, SOURCE_TYPES)];
  append(errors, unknown);
  const present = MEMBERS.map(([member]) => member).filter((member) => metric[member] !== undefined);
  const [first] = present;
  if (first !== undefined) append(errors, sourceErrors(metric, first, `${field}.${first}`));
  append(errors, unknown);
  const expected = MEMBERS.find(([, name]) => name === type)?.[0];
  if (expected !== undefined && metric[expected] === undefined) errors.push(required(`${field}.${expected}`, unfilled(expected)));
  if (present.length > 1)
    for (const member of present)
      if (member !== expected) errors.push(forbidden(`${field}.${member}`, 'must populate the given metric source only'));
  return errors;
}

const unfilled = (member: string): string =>
  `must populate information for the given metric source${
    member === 'containerResource' ? ' (only allowed when HPAContainerMetrics feature is enabled)' : ''
  }`;

function sourceErrors(metric: MetricSpec, member: (typeof MEMBERS)[number][0], field: string): FieldError[] {
  switch (member) {
    case 'object': {
      const { describedObject, metric: named, target } = metric.object as NonNullable<MetricSpec['object']>;
      return [
        ...facetErrors(reference, describedObject, `${field}.describedObject`),
        ...metricNameErrors(named.name, field),
        ...targetErrors(target, `${field}.target`),
        ...needed(target.value ?? target.averageValue, `${field}.target.averageValue`, 'must set either a target value or averageValue'),
      ];
    }
    case 'external': {
      const { metric: named, target } = metric.external as NonNullable<MetricSpec['external']>;
      const text = 'must set either a target value for metric or a per-pod target';
      return [
        ...metricNameErrors(named.name, field),
        ...targetErrors(target, `${field}.target`),
        ...needed(target.value ?? target.averageValue, `${field}.target.averageValue`, text),
        ...(target.value !== undefined && target.averageValue !== undefined
          ? [forbidden(`${field}.target.value`, 'may not set both a target value for metric and a per-pod target')]
          : []),
      ];
    }
    case 'pods': {
      const { metric: named, target } = metric.pods as NonNullable<MetricSpec['pods']>;
      return [
        ...metricNameErrors(named.name, field),
        ...targetErrors(target, `${field}.target`),
        ...needed(target.averageValue, `${field}.target.averageValue`, 'must specify a positive target averageValue'),
      ];
    }
    case 'resource': {
      const { name, target } = metric.resource as NonNullable<MetricSpec['resource']>;
      return [...needed(name, `${field}.name`, 'must specify a resource name'), ...usageErrors(target, `${field}.target`)];
    }
    case 'containerResource': {
      const { name, container, target } = metric.containerResource as NonNullable<MetricSpec['containerResource']>;
      return [
        ...needed(name, `${field}.name`, 'must specify a resource name'),
        ...needed(container, `${field}.container`, 'must specify a container'),
        ...usageErrors(target, `${field}.target`),
      ];
    }
  }
}

const needed = (value: string | undefined, field: string, text: string): FieldError[] =>
  value === undefined || value === '' ? [required(field, text)] : [];

/** The target is a share of the requests, or an average amount for each pod. */
function usageErrors(target: MetricTarget, field: string): FieldError[] {
  const errors = targetErrors(target, field);
  const { averageUtilization, averageValue } = target;
  if (averageUtilization === undefined && averageValue === undefined)
    errors.push(required(`${field}.averageUtilization`, 'must set either a target raw value or a target utilization'));
  if (averageUtilization !== undefined && averageValue !== undefined)
    errors.push(forbidden(`${field}.averageValue`, 'may not set both a target raw value and a target utilization'));
  return errors;
}

function targetErrors({ type, value, averageValue, averageUtilization }: MetricTarget, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${field}.type`, 'must specify a metric target type'));
  if (!isOneOf(TARGET_TYPES, type)) errors.push(invalid(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  for (const [name, amount] of [['value', value] as const, ['averageValue', averageValue] as const])
    if (amount !== undefined && quantitySign(quantity(amount)) !== 1)
      errors.push(invalid(`${field}.${name}`, shownQuantity(amount), 'must be positive'));
  if (averageUtilization !== undefined && averageUtilization < 1)
    errors.push(invalid(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0'));
  return errors;
}
