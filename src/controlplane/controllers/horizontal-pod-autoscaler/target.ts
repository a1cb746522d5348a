/**
 * The target of an autoscaler: read live from the server, and changed through its scale. Models: v1.24 pkg/controller/podautoscaler
 * horizontal.go scaleForResourceMappings.
 */
import type { HorizontalPodAutoscaler, KindRegistry, MetricStatus, ScalerCondition, ScalerStatus } from '../../../apiserver/kinds/index.ts';
import { type ApiObject, type Kind, type LabelSelector, sameValue } from '../../../apiserver/machinery/index.ts';
import { type EventText, readLive, type Write } from '../../runtime/index.ts';
import { mergePatch, withCondition } from '../../shared/index.ts';
import { formatTime, isMapping, type LabelMatcher, labelMatcher, own, parseLabelSelector } from '../../../schema/values/index.ts';
import type { Reported } from './bounds.ts';

/** Built-in kinds with a scale that the controller may write; custom resources say themselves whether they have one. */
export const SCALABLE = ['Deployment', 'ReplicaSet', 'StatefulSet'] as const;

/** Why the target cannot be resolved, in upstream's words; undefined: it has to be read. */
export function unknownTarget({ spec: { scaleTargetRef } }: HorizontalPodAutoscaler, kinds: KindRegistry): string | undefined {
  const { kind: name, apiVersion = '' } = scaleTargetRef;
  const kind = kinds.byKind(name);
  const group = apiVersion.includes('/') ? (apiVersion.split('/', 1)[0] ?? '') : '';
  if (kind === undefined || kinds.names.group(kind.groupPrefix) !== group)
    return `no matches for kind ${JSON.stringify(name)} in group ${JSON.stringify(group)}`;
  if (!kind.subresources.includes('scale') || (kind.scale === undefined && !SCALABLE.some((each) => each === name)))
    return 'the server could not find the requested resource';
  return undefined;
}

/** Upstream's text for a missing target. */
export function notFound({ spec: { scaleTargetRef } }: HorizontalPodAutoscaler, kinds: KindRegistry): string {
  const kind = kinds.byKind(scaleTargetRef.kind);
  return `${kind?.plural ?? ''}/scale.${kinds.names.group(kind?.groupPrefix ?? '')} "${scaleTargetRef.name}" not found`;
}

/** The live read of the target; `resume` continues with the response. */
export const readTarget = ({ metadata: { namespace = '' }, spec: { scaleTargetRef } }: HorizontalPodAutoscaler): Write =>
  readLive({ kind: scaleTargetRef.kind, metadata: { namespace, name: scaleTargetRef.name } }, { tolerate: ['NotFound'] });

/** The fields of the target's scale. `found`: the replicas in its status; `matches`: its pods, or why they are not known. */
export function targetOf(object: ApiObject, { scale }: Pick<Kind, 'scale'>): Target {
  if (scale === undefined) {
    const spec = (object['spec'] ?? {}) as { readonly replicas?: number; readonly selector?: LabelSelector };
    const status = (object['status'] ?? {}) as { readonly replicas?: number };
    return { replicas: spec.replicas ?? 0, found: status.replicas ?? 0, matches: labelMatcher(spec.selector) };
  }
  const at = (path: readonly string[]): unknown =>
    path.reduce<unknown>((inner, name) => (isMapping(inner) ? own(inner, name) : undefined), object);
  const count = (path: readonly string[]): number => Number(at(path) ?? 0);
  const text = scale.selector === undefined ? '' : (at(scale.selector) ?? '');
  const counts = { replicas: count(scale.spec), found: count(scale.status) };
  if (typeof text !== 'string' || text === '')
    return {
      ...counts,
      reason: 'SelectorRequired',
      error: 'selector is required',
      message: "the HPA target's scale is missing a selector",
    };
  const { value, error = '' } = parseLabelSelector(text);
  const message = `couldn't convert selector into a corresponding internal selector object: ${error}`;
  return value === undefined ? { ...counts, reason: 'InvalidSelector', error: message, message } : { ...counts, matches: value.matches };
}

interface Replicas {
  readonly replicas: number;
  readonly found: number;
}
/** A scale without a selector: the reason and text of its Event, and the message of the condition. */
export interface Unselected extends Replicas {
  readonly reason: string;
  readonly error: string;
  readonly message: string;
  readonly matches?: undefined;
}
type Target = Unselected | (Replicas & { readonly matches: LabelMatcher });

/** Sets the replicas, unless the target was changed since it was read. */
export const setScale = (object: ApiObject, replicas: number, then: EventText, otherwise: EventText): Write => {
  const { resourceVersion } = object.metadata;
  return mergePatch(object, { metadata: { resourceVersion }, spec: { replicas } }, { subresource: 'scale', then, otherwise });
};

/** Conditions and status. Models: v1.24 pkg/controller/podautoscaler horizontal.go setStatus, setConditionInList. */
export type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';

/** The conditions with one set; a new one is added at the end, and its time changes only with its status. */
export function setCondition(
  conditions: readonly ScalerCondition[],
  type: ConditionType,
  isSo: boolean,
  { reason, message }: Reported,
  now: number,
): readonly ScalerCondition[] {
  return withCondition(conditions, { type, status: isSo ? 'True' : 'False', lastTransitionTime: formatTime(now), reason, message });
}

export interface Counts {
  readonly current: number;
  readonly desired: number;
  readonly metrics: readonly MetricStatus[];
  readonly rescaled: boolean;
}

export function statusOf(
  { status: old }: HorizontalPodAutoscaler,
  { current, desired, metrics, rescaled }: Counts,
  conditions: readonly ScalerCondition[],
  now: number,
): ScalerStatus {
  const lastScaleTime = rescaled ? formatTime(now) : old.lastScaleTime;
  return {
    ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
    ...(current === 0 ? {} : { currentReplicas: current }),
    desiredReplicas: desired,
    currentMetrics: metrics.length === 0 ? null : metrics,
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

export const isRelevant = (old: ScalerStatus, made: ScalerStatus): boolean => !sameValue(old, made);
