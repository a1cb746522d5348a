/**
 * HorizontalPodAutoscaler: sets the number of replicas from the usage of pods. Models: v1.24 autoscaling/v2,
 * pkg/registry/autoscaling/horizontalpodautoscaler, pkg/apis/autoscaling/validation.
 */
import type { Fieldset } from '../../../schema/shape/index.ts';
import { append, quantity, quantitySign } from '../../../schema/values/index.ts';
import { assign, castDraft, defineKind, type Draft, firstOf, keepSpec, keepStatus, type KindOf } from '../../machinery/index.ts';
import type { FieldError, KindContext } from '../../objects/index.ts';
import { facetErrors, forbidden, invalid, notSupported, ofEach, required, shownQuantity } from '../../validation/index.ts';
import { type HorizontalPodAutoscaler, horizontalPodAutoscalerSchema, metricSpec, SOURCE_TYPES, target } from './shape.ts';
import type { MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from './shape.ts';

const SPEC = horizontalPodAutoscalerSchema.fields.spec;

const newAutoscalerErrors = (object: HorizontalPodAutoscaler, context: KindContext): FieldError[] =>
  specErrors(object, context.gates['HPAScaleToZero'] === true ? 0 : 1);

/** An autoscaler that has a minimum of zero already may keep it without the gate. */
const autoscalerErrors = (object: HorizontalPodAutoscaler, context: KindContext, old: HorizontalPodAutoscaler): FieldError[] =>
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

const isShareOfCpu = ({ resource }: MetricSpec): boolean => resource?.name === 'cpu' && resource.target.averageUtilization !== undefined;

/** The first CPU metric counts, if it is a utilization; further CPU utilizations are lost. */
function asKept(metrics: readonly MetricSpec[]): readonly MetricSpec[] {
  const first = metrics.find(({ type, resource }) => type === 'Resource' && resource?.name === 'cpu');
  const others = metrics.filter((metric) => !(metric.type === 'Resource' && isShareOfCpu(metric)));
  if (first === undefined || !isShareOfCpu(first)) return others;
  const { name, target } = first.resource as NonNullable<MetricSpec['resource']>;
  const { averageUtilization = 0 } = target;
  return [...others, { type: 'Resource', resource: { name, target: { type: 'Utilization', averageUtilization } } }];
}

function keepMetrics(draft: Draft<HorizontalPodAutoscaler>): void {
  draft.spec.metrics = castDraft(asKept(draft.spec.metrics as readonly MetricSpec[]));
}

/** A refused object keeps the order as sent, because the errors name its paths. */
function prepareAutoscaler(draft: Draft<HorizontalPodAutoscaler>, context: KindContext): void {
  draft.status = { desiredReplicas: 0, currentMetrics: null };
  if (horizontalPodAutoscaler.validate(draft, context).length === 0) keepMetrics(draft);
}

function prepareAutoscalerUpdate(draft: Draft<HorizontalPodAutoscaler>, old: HorizontalPodAutoscaler, context: KindContext): void {
  keepStatus(draft, old);
  if (horizontalPodAutoscaler.validateUpdate(draft, old, context).length === 0) keepMetrics(draft);
}

/** The current CPU utilization comes last, too. */
function prepareAutoscalerStatus(draft: Draft<HorizontalPodAutoscaler>, old: HorizontalPodAutoscaler): void {
  keepSpec(draft, old);
  const all = (draft.status.currentMetrics ?? []) as readonly MetricStatus[];
  const isShare = ({ type, resource }: MetricStatus): boolean =>
    type === 'Resource' && resource?.name === 'cpu' && resource.current.averageUtilization !== undefined;
  const share = all.find(isShare);
  if (share !== undefined && all.at(-1) !== share)
    assign(draft.status, 'currentMetrics', castDraft([...all.filter((each) => !isShare(each)), share]));
}

const UNKNOWN = '<unknown>';

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return amountText(spec.external?.target, status?.external?.current);
    case 'Object':
      return amountText(spec.object?.target, status?.object?.current);
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? UNKNOWN}/${spec.pods?.target.averageValue ?? UNKNOWN}`;
    case 'Resource':
      return usageText(spec.resource?.target, status?.resource?.current);
    case 'ContainerResource':
      return usageText(spec.containerResource?.target, status?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

const amountText = (target: MetricTarget | undefined, current: MetricValueStatus | undefined): string =>
  target?.averageValue === undefined
    ? `${current?.value ?? UNKNOWN}/${target?.value ?? UNKNOWN}`
    : `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;

function usageText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${target.averageValue}`;
  const share = (value: number | undefined, otherwise: string): string => (value === undefined ? otherwise : `${value}%`);
  return `${share(current?.averageUtilization, UNKNOWN)}/${share(target?.averageUtilization, '<auto>')}`;
}

function targets({ spec, status }: HorizontalPodAutoscaler): string {
  const all = spec.metrics.map((metric, at) => metricText(metric, status.currentMetrics?.[at]));
  if (all.length === 0) return '<none>';
  return firstOf(all, 2, ', ');
}

export const horizontalPodAutoscaler: KindOf<HorizontalPodAutoscaler> = defineKind<HorizontalPodAutoscaler>({
  shortNames: ['hpa'],
  categories: ['all'],
  groupPrefix: 'autoscaling',
  version: 'v2',
  schema: horizontalPodAutoscalerSchema,
  subresources: ['status'],
  prepareForCreate: prepareAutoscaler,
  prepareForUpdate: prepareAutoscalerUpdate,
  prepareForStatusUpdate: prepareAutoscalerStatus,
  create: ['metadata', newAutoscalerErrors],
  update: ['changed metadata', autoscalerErrors],
  updateStatus: ['changed metadata', 'status.currentReplicas', 'status.desiredReplicas'],
  columns: [
    'Name',
    ['Reference', 'string', 'Kind and name of the scaled object.', ({ spec }) => `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`],
    ['Targets', 'string', 'Current and target value of each metric.', targets],
    ['MinPods', 'string', 'Minimum number of pods.', ({ spec }) => String(spec.minReplicas)],
    ['MaxPods', 'string', 'Maximum number of pods.', ({ spec }) => spec.maxReplicas],
    ['Replicas', 'string', 'Pods at the last evaluation.', ({ status }) => status.currentReplicas ?? 0],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go, pkg/apis/autoscaling/validation.',
});
