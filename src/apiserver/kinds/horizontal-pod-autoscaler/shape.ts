/** The schema of HorizontalPodAutoscalers: fields, types, and the defaults that depend only on the object. */
import {
  always,
  asGiven,
  atomicList,
  type Complete,
  filled,
  type Infer,
  int32,
  int64,
  mapList,
  obj,
  ptr,
  published,
  quantity,
  req,
  type Schema,
  str,
  time,
  type Fieldset,
} from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, typeMeta } from '../../machinery/index.ts';

/** The structs of this group are in a package called v2. */
const own = <const F extends Fieldset>(go: string, fields: F, flags: { readonly complete?: Complete } = {}) =>
  obj(go, fields, { ...flags, inPackage: 'v2' });

const reference = own('CrossVersionObjectReference', { kind: req(str()), name: req(str()), apiVersion: str() });
export type CrossVersionObjectReference = Infer<typeof reference>;

const identifier = own('MetricIdentifier', { name: req(str()), selector: labelSelector });
const target = own('MetricTarget', {
  type: req(str('v2.MetricTargetType')),
  value: quantity,
  averageValue: quantity,
  averageUtilization: ptr(int32),
});
export type MetricTarget = Infer<typeof target>;
const valueStatus = own('MetricValueStatus', { value: quantity, averageValue: quantity, averageUtilization: ptr(int32) });
export type MetricValueStatus = Infer<typeof valueStatus>;

/** The five sources of a metric; spec and status differ in one member. */
const sources = <const W extends Schema, const N extends string>(suffix: string, name: N, wanted: W) => {
  const measured = { [name]: always(wanted) } as { readonly [K in N]: W & { readonly always: true } };
  return {
    object: own(`ObjectMetric${suffix}`, { describedObject: always(reference), ...measured, metric: always(identifier) }),
    pods: own(`PodsMetric${suffix}`, { metric: always(identifier), ...measured }),
    resource: own(`ResourceMetric${suffix}`, { name: req(str('ResourceName')), ...measured }),
    containerResource: own(`ContainerResourceMetric${suffix}`, { name: req(str('ResourceName')), ...measured, container: req(str()) }),
    external: own(`ExternalMetric${suffix}`, { metric: always(identifier), ...measured }),
  };
};

const metricSpec = own('MetricSpec', { type: req(str('v2.MetricSourceType')), ...sources('Source', 'target', target) });
export type MetricSpec = Infer<typeof metricSpec>;
const metricStatus = own('MetricStatus', { type: req(str('v2.MetricSourceType')), ...sources('Status', 'current', valueStatus) });
export type MetricStatus = Infer<typeof metricStatus>;

const policy = own('HPAScalingPolicy', {
  type: req(str('v2.HPAScalingPolicyType')),
  value: req(int32),
  periodSeconds: req(int32),
});
export type ScalingPolicy = Infer<typeof policy>;
const rules = own('HPAScalingRules', {
  stabilizationWindowSeconds: ptr(int32),
  selectPolicy: ptr(str('v2.ScalingPolicySelect')),
  policies: ptr(atomicList(policy)),
});
export type ScalingRules = Infer<typeof rules>;

const PERCENT = { type: 'Percent', value: 100, periodSeconds: 15 };
/** The default behavior of each direction. Source: v1.24 pkg/apis/autoscaling/v2/defaults.go. */
const UP = { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, PERCENT] };
const DOWN = { selectPolicy: 'Max', policies: [PERCENT] };

type Fields = Readonly<Record<string, unknown>>;

/** An explicitly empty list of policies is kept, and refused. */
function filledWith(given: unknown, standard: Fields): Fields {
  if (typeof given !== 'object' || given === null) return standard;
  const said = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const { policies, ...others } = standard;
  return { ...others, ...('policies' in (asGiven(given) as Fields) ? {} : { policies }), ...Object.fromEntries(said) };
}

/** A direction that is given in part gets the defaults for the rest. */
const completeBehavior: Complete = ({ scaleUp, scaleDown }) => {
  const [up, down] = [filledWith(scaleUp, UP), filledWith(scaleDown, DOWN)];
  const isSame = (made: Fields, given: unknown): boolean =>
    typeof given === 'object' && given !== null && Object.keys(made).every((name) => made[name] === (given as typeof made)[name]);
  return isSame(up, scaleUp) && isSame(down, scaleDown) ? undefined : { scaleUp: up, scaleDown: down };
};

const behavior = own('HorizontalPodAutoscalerBehavior', { scaleUp: rules, scaleDown: rules }, { complete: completeBehavior });
export type ScalingBehavior = Infer<typeof behavior>;

const DEFAULT_UTILIZATION = 80;
const DEFAULT_METRICS = [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: DEFAULT_UTILIZATION } } },
];

const spec = own('HorizontalPodAutoscalerSpec', {
  scaleTargetRef: req(reference),
  minReplicas: filled(ptr(int32), 1),
  maxReplicas: req(int32),
  metrics: filled(atomicList(metricSpec), DEFAULT_METRICS),
  behavior,
});

const condition = own('HorizontalPodAutoscalerCondition', {
  type: req(str('v2.HorizontalPodAutoscalerConditionType')),
  status: req(str('ConditionStatus')),
  lastTransitionTime: always(time),
  reason: str(),
  message: str(),
});
export type ScalerCondition = Infer<typeof condition>;

const status = own('HorizontalPodAutoscalerStatus', {
  observedGeneration: ptr(int64),
  lastScaleTime: time,
  currentReplicas: int32,
  desiredReplicas: req(int32),
  currentMetrics: published(atomicList(metricStatus)),
  conditions: mapList(condition, 'type'),
});
export type ScalerStatus = Infer<typeof status>;

export const horizontalPodAutoscalerSchema = own('HorizontalPodAutoscaler', { ...typeMeta, spec: always(spec), status: always(status) });
/** A stored HorizontalPodAutoscaler: defaulted, validated and frozen. */
export type HorizontalPodAutoscaler = ObjectOf<'HorizontalPodAutoscaler', Infer<typeof horizontalPodAutoscalerSchema>>;
