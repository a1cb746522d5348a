/** Validation of HorizontalPodAutoscalers. Models: v1.24 pkg/apis/autoscaling/validation. */
import type { Fieldset } from '../../../schema/shape/index.ts';
import { append, quantity, quantitySign } from '../../../schema/values/index.ts';
import type { FieldError, KindContext } from '../../objects/index.ts';
import { facetErrors, forbidden, invalid, notSupported, ofEach, required, shownQuantity } from '../../validation/index.ts';
import {
  type HorizontalPodAutoscaler,
  horizontalPodAutoscalerSchema,
  metricSpec,
  type MetricSpec,
  type MetricTarget,
  SOURCE_TYPES,
  target,
} from './shape.ts';

const SPEC = horizontalPodAutoscalerSchema.fields.spec;

export const newAutoscalerErrors = (object: HorizontalPodAutoscaler, context: KindContext): FieldError[] =>
  specErrors(object, context.gates['HPAScaleToZero'] === true ? 0 : 1);

/** An autoscaler that has a minimum of zero already may keep it without the gate. */
export const autoscalerErrors = (object: HorizontalPodAutoscaler, context: KindContext, old: HorizontalPodAutoscaler): FieldError[] =>
  specErrors(object, context.gates['HPAScaleToZero'] === true || old.spec.minReplicas === 0 ? 0 : 1);

function specErrors({ spec }: HorizontalPodAutoscaler, least: number): FieldError[] {
  const { minReplicas, maxReplicas, metrics } = spec;
  const errors: FieldError[] = [];
  if (minReplicas < least) errors.push(invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${least}`));
  append(errors, facetErrors(SPEC, spec, 'spec', 'maxReplicas'));
  if (maxReplicas < minReplicas) errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'));
  append(errors, facetErrors(SPEC, spec, 'spec', 'scaleTargetRef'), ofEach(metrics, 'spec.metrics', metricErrors));
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External'))
    errors.push(forbidden('spec.metrics', 'must specify at least one Object or External metric to support scaling to zero replicas'));
  return [...errors, ...facetErrors(SPEC, spec, 'spec', 'behavior')];
}

/** The members of a metric in the order in which they are checked, and the type of each. */
const MEMBERS = [
  ['object', 'Object'],
  ['external', 'External'],
  ['pods', 'Pods'],
  ['resource', 'Resource'],
  ['containerResource', 'ContainerResource'],
] as const;
type Member = (typeof MEMBERS)[number][0];

function metricErrors(metric: MetricSpec, field: string): FieldError[] {
  const { type } = metric;
  const errors = type === '' ? [required(`${field}.type`, 'must specify a metric source type')] : [];
  // Upstream reports it twice: before checking the sources, and when no source matches the type.
  const unknown = (SOURCE_TYPES as readonly string[]).includes(type) ? [] : [notSupported(`${field}.type`, type, SOURCE_TYPES)];
  const present = MEMBERS.map(([member]) => member).filter((member) => metric[member] !== undefined);
  const [first] = present;
  append(errors, unknown, first === undefined ? [] : sourceErrors(metric, first, `${field}.${first}`), unknown);
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

/** The names in a source, its target, and what the target needs. */
function sourceErrors(metric: MetricSpec, member: Member, field: string): FieldError[] {
  const source = metric[member] as NonNullable<MetricSpec['object']>;
  const named = Object.keys(metricSpec.fields[member].fields as Fieldset).filter((name) => name !== 'target');
  return [
    ...facetErrors(metricSpec.fields[member], source, field, ...named),
    ...targetErrors(source.target, `${field}.target`),
    ...(member === 'resource' || member === 'containerResource'
      ? usageErrors(source.target, `${field}.target`)
      : valueErrors(source.target, member, `${field}.target`)),
  ];
}

const NO_VALUE = {
  object: 'must set either a target value or averageValue',
  external: 'must set either a target value for metric or a per-pod target',
  pods: 'must specify a positive target averageValue',
};

function valueErrors({ value, averageValue }: MetricTarget, member: keyof typeof NO_VALUE, field: string): FieldError[] {
  const amount = member === 'pods' ? averageValue : (value ?? averageValue);
  const errors = (amount ?? '') === '' ? [required(`${field}.averageValue`, NO_VALUE[member])] : [];
  if (member === 'external' && value !== undefined && averageValue !== undefined)
    errors.push(forbidden(`${field}.value`, 'may not set both a target value for metric and a per-pod target'));
  return errors;
}

/** The target is a share of the requests, or an average amount for each pod. */
function usageErrors({ averageUtilization, averageValue }: MetricTarget, field: string): FieldError[] {
  if (averageUtilization === undefined && averageValue === undefined)
    return [required(`${field}.averageUtilization`, 'must set either a target raw value or a target utilization')];
  return averageUtilization === undefined || averageValue === undefined
    ? []
    : [forbidden(`${field}.averageValue`, 'may not set both a target raw value and a target utilization')];
}

function targetErrors(wanted: MetricTarget, field: string): FieldError[] {
  const errors = wanted.type === '' ? [required(`${field}.type`, 'must specify a metric target type')] : [];
  append(errors, facetErrors(target, wanted, field, 'type'));
  for (const name of ['value', 'averageValue'] as const) {
    const amount = wanted[name];
    if (amount !== undefined && quantitySign(quantity(amount)) !== 1)
      errors.push(invalid(`${field}.${name}`, shownQuantity(amount), 'must be positive'));
  }
  return [...errors, ...facetErrors(target, wanted, field, 'averageUtilization')];
}
