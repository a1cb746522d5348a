/**
 * Scales a workload by the usage of its pods, evaluated every 15 seconds. Models: v1.24 pkg/controller/podautoscaler. Differs: the scale is
 * changed by a patch with a precondition, where upstream replaces it.
 */
import type { HorizontalPodAutoscaler, KindRegistry, ScalerCondition } from '../../../apiserver/kinds/index.ts';
import type { ApiObject, Kind } from '../../../apiserver/machinery/index.ts';
import { onElapsed, defineController, watchOnly, record, watch, writeStatus } from '../../runtime/index.ts';
import type { Controller, Outcome, ReconcileInput, Write } from '../../runtime/index.ts';
import { bound, type Reported, changing, type Memory, remembering } from './bounds.ts';
import { demandOf, type Demand, meterFor, reportingPods } from './metrics.ts';
import { isRelevant, statusOf, setCondition, readTarget, notFound, SCALABLE, setScale, targetOf, unknownTarget } from './target.ts';
import type { ConditionType, Counts, Unselected } from './target.ts';
import type { Metered } from '../../usage/index.ts';
import type { ControllerOptions } from '../options.ts';

/** --horizontal-pod-autoscaler-sync-period. */
const PERIOD_MS = 15_000;
const EVERY = { everyMs: PERIOD_MS, does: 'evaluates its metrics' };

type Input = Pick<ReconcileInput<HorizontalPodAutoscaler, Memory>, 'key' | 'self' | 'now' | 'cache' | 'names' | 'memory' | 'kinds'> & {
  /** The clock for times in objects; `now` is elapsed time. */
  readonly wall: number;
};

interface Evaluation extends Input {
  readonly metered: Metered;
  readonly memory: Memory;
  readonly conditions: readonly ScalerCondition[];
}

export const horizontalPodAutoscaler = (_: KindRegistry, metered: ControllerOptions = {}): Controller<'HorizontalPodAutoscaler', Memory> =>
  defineController<'HorizontalPodAutoscaler', Memory>({
    name: 'horizontal-pod-autoscaler',
    component: 'horizontal-pod-autoscaler',
    reconciles: 'HorizontalPodAutoscaler',
    writes: ['HorizontalPodAutoscaler', ...SCALABLE],
    watches: [watch('Pod', watchOnly, { predicate: { fields: ['metadata.annotations'] } })],
    aggregates: [reportingPods],
    models:
      'Pod usage comes from cluster.usage of the scenario or from the annotations sim.orch.io/cpu and sim.orch.io/memory; other metrics come from cluster.metrics. Only cached pods have metrics; a metrics server may know newer ones. Upstream: pkg/controller/podautoscaler.',
    reconcile: onElapsed((input) => {
      const { self: autoscaler, now, memory, kinds } = input;
      if (memory === undefined) return waiting('the first evaluation is due 15 seconds after it was observed', { dueAt: now + PERIOD_MS });
      if (now < memory.dueAt) return waiting('the next evaluation is not due yet', memory);
      const unknown = unknownTarget(autoscaler, kinds);
      if (unknown !== undefined)
        return withoutTarget({ ...input, metered, memory, conditions: autoscaler.status.conditions ?? [] }, unknown);
      return { why: 'read the scale of its target', writes: [readTarget(autoscaler)], memory };
    }),
    reconcileAbsent: () => ({ why: 'it is gone', writes: [], memory: null }),
    resume: onElapsed((input, { object }) => {
      const { self: autoscaler, memory } = input;
      if (autoscaler === undefined || memory === undefined) return { why: 'it is gone', writes: [], memory: null };
      const evaluation: Evaluation = { ...input, self: autoscaler, metered, memory, conditions: autoscaler.status.conditions ?? [] };
      return object === undefined ? withoutTarget(evaluation, notFound(autoscaler, input.kinds)) : evaluate(evaluation, object);
    }),
    recover: onElapsed((input, { write, status, dropped }) => {
      const { self: autoscaler, now, wall, memory } = input;
      if (autoscaler === undefined || memory === undefined || write.op !== 'patch') return undefined;
      // The status records the failure; everything else waits for the next evaluation.
      const message = `the HPA controller was unable to update the target scale: ${status.message ?? ''}`;
      const reported = { reason: 'FailedUpdateScale', message };
      const conditions = setCondition(autoscaler.status.conditions ?? [], 'AbleToScale', false, reported, wall);
      const made = { ...autoscaler.status, conditions };
      return {
        ...waiting('its target could not be scaled', { ...memory, dueAt: now + PERIOD_MS }),
        writes: dropped.some(({ op }) => op === 'update') || isRelevant(autoscaler.status, made) ? [writeStatus(autoscaler, made)] : [],
      };
    }),
  });

const waiting = (why: string, memory: Memory): Outcome<Memory> => ({
  why,
  writes: [],
  memory,
  wakeAt: memory.dueAt,
  background: true,
  recurs: EVERY,
});

const found = (evaluation: Evaluation, type: ConditionType, isSo: boolean, reported: Reported): Evaluation => ({
  ...evaluation,
  conditions: setCondition(evaluation.conditions, type, isSo, reported, evaluation.wall),
});

/** Ends an evaluation: writes the status if it has changed, and plans the next one. */
function concluded(
  why: string,
  { self, conditions, memory, now, wall }: Evaluation,
  counts: Counts | undefined,
  first: readonly Write[],
): Outcome<Memory> {
  const { currentReplicas = 0, desiredReplicas, currentMetrics } = self.status;
  const made = statusOf(
    self,
    counts ?? { current: currentReplicas, desired: desiredReplicas, metrics: currentMetrics ?? [], rescaled: false },
    conditions,
    wall,
  );
  const next = { ...memory, dueAt: now + PERIOD_MS };
  return { ...waiting(why, next), writes: [...first, ...(isRelevant(self.status, made) ? [writeStatus(self, made)] : [])] };
}

function withoutTarget(evaluation: Evaluation, error: string): Outcome<Memory> {
  const message = `the HPA controller was unable to get the target's current scale: ${error}`;
  const judged = found(evaluation, 'AbleToScale', false, { reason: 'FailedGetScale', message });
  return concluded(`its target cannot be scaled: ${error}`, judged, undefined, [
    record(evaluation.self, 'Warning', 'FailedGetScale', error),
  ]);
}

function evaluate(before: Evaluation, object: ApiObject): Outcome<Memory> {
  const { minReplicas, maxReplicas } = before.self.spec;
  const { replicas: current } = targetOf(object, kindOf(before, object));
  const memory = before.memory.recommendations === undefined ? remembering(before.memory, before.self, current, before.now) : before.memory;
  const message = "the HPA controller was able to get the target's current scale";
  const evaluation = found({ ...before, memory }, 'AbleToScale', true, { reason: 'SucceededGetScale', message });
  const counts = { current, metrics: [], rescaled: false };
  if (current === 0 && minReplicas !== 0) {
    const disabled = { reason: 'ScalingDisabled', message: 'scaling is disabled since the replica count of the target is zero' };
    const inactive = found(evaluation, 'ScalingActive', false, disabled);
    return concluded('its target has 0 replicas, which disables autoscaling', inactive, { ...counts, desired: 0 }, []);
  }
  const to = (desired: number, reason: string) => rescale(evaluation, object, { ...counts, desired }, reason);
  if (current > maxReplicas) return to(maxReplicas, 'Current number of replicas above Spec.MaxReplicas');
  if (current < minReplicas) return to(minReplicas, 'Current number of replicas below Spec.MinReplicas');
  return byMetrics(evaluation, object);
}

function byMetrics(evaluation: Evaluation, object: ApiObject): Outcome<Memory> {
  const target = targetOf(object, kindOf(evaluation, object));
  if (target.matches === undefined) return withoutSelector(evaluation, target);
  const { replicas: current, found: there, matches } = target;
  const { self, cache, names, kinds, now, metered } = evaluation;
  const { namespace = '' } = self.metadata;
  const pods = cache.by('Pod', 'namespace', namespace).filter(({ metadata }) => matches(metadata.labels));
  const meter = meterFor(cache, metered, now);
  const everyPod = () => cache.list('Pod');
  const { series } = metered;
  const demand = demandOf(self, { namespace, pods, everyPod, meter, series, names, kinds, now, current, found: there });
  const events = demand.failures.map(({ reason, error }) => record(self, 'Warning', reason, error));
  if (demand.isVoid) return withoutNumbers(evaluation, demand, { current, isMetered: meter !== undefined }, events);

  const valid = `the HPA was able to successfully calculate a replica count from ${demand.name}`;
  const active = found(evaluation, 'ScalingActive', true, { reason: 'ValidMetricFound', message: valid });
  const { replicas: wanted } = demand;
  const { replicas: desired, steadied, window, limited } = bound(self, { current, wanted, memory: evaluation.memory, now });
  const bounded = found(found(active, 'AbleToScale', true, steadied), 'ScalingLimited', limited.isLimited, limited);
  const after = { ...bounded, memory: remembering(evaluation.memory, self, wanted, now) };
  const counts = { current, desired, metrics: demand.statuses, rescaled: false };
  const reason = wanted > current ? `${demand.name} above target` : wanted < current ? 'All metrics below target' : '';
  if (desired !== current) return rescale(after, object, counts, reason, events);
  // The window comes first: the text of a bound then refers to the count that the window keeps.
  const holds = [window, limited.isLimited ? limited.message : undefined].filter((text) => text !== undefined).join(', and ');
  const held = wanted === current ? 'the current count' : `${wanted}, but ${holds === '' ? steadied.message : holds}`;
  return concluded(`its metrics recommend ${held}`, after, counts, events);
}

const kindOf = ({ kinds }: Evaluation, { kind }: ApiObject): Pick<Kind, 'scale'> => kinds.byKind(kind) ?? {};

/** A custom resource whose scale does not say which pods are its own. */
function withoutSelector(evaluation: Evaluation, { replicas: current, reason, error, message }: Unselected): Outcome<Memory> {
  const { self } = evaluation;
  const inactive = found(evaluation, 'ScalingActive', false, { reason: 'InvalidSelector', message });
  const { desiredReplicas: desired, currentMetrics } = self.status;
  return concluded(`its pods are not known: ${error}`, inactive, { current, desired, metrics: currentMetrics ?? [], rescaled: false }, [
    record(self, 'Warning', reason, error),
    record(self, 'Warning', 'FailedComputeMetricsReplicas', error),
  ]);
}

const OF_USAGE = ' (describe usage in cluster.usage of the scenario, or in the pod annotations sim.orch.io/cpu and sim.orch.io/memory)';

function withoutNumbers(
  evaluation: Evaluation,
  { failures, statuses }: Demand,
  { current, isMetered }: { readonly current: number; readonly isMetered: boolean },
  events: readonly Write[],
): Outcome<Memory> {
  const { self } = evaluation;
  const [first] = failures;
  const reported = { reason: first?.reason ?? '', message: `the HPA was unable to compute the replica count: ${first?.error ?? ''}` };
  const inactive = found(evaluation, 'ScalingActive', false, reported);
  const all = `invalid metrics (${failures.length} invalid out of ${statuses.length}), first error is: ${first?.within ?? first?.error ?? ''}`;
  const { desiredReplicas: desired, currentMetrics } = self.status;
  const remedy = first?.within !== undefined ? ' (describe metrics in cluster.metrics of the scenario)' : isMetered ? '' : OF_USAGE;
  return concluded(
    `no metric is available: ${first?.error ?? ''}${remedy}`,
    inactive,
    { current, desired, metrics: currentMetrics ?? [], rescaled: false },
    [...events, record(self, 'Warning', 'FailedComputeMetricsReplicas', all)],
  );
}

function rescale(
  evaluation: Evaluation,
  object: ApiObject,
  counts: Counts,
  reason: string,
  events: readonly Write[] = [],
): Outcome<Memory> {
  const { self, now, memory } = evaluation;
  const { current, desired } = counts;
  const size = `New size: ${desired}; reason: ${reason}`;
  const able = { reason: 'SucceededRescale', message: `the HPA controller was able to update the target scale to ${desired}` };
  const scaled = { ...found(evaluation, 'AbleToScale', true, able), memory: changing(memory, self, current, desired, now) };
  const then = { about: self, type: 'Normal', reason: 'SuccessfulRescale', message: size } as const;
  const otherwise = { about: self, type: 'Warning', reason: 'FailedRescale', message: `${size}; error: {error}` } as const;
  const scale = setScale(object, desired, then, otherwise);
  const why = `${reason === '' ? 'a limit of its spec' : reason}: scale from ${current} to ${desired}`;
  return concluded(why, scaled, { ...counts, rescaled: true }, [...events, scale]);
}
