/** The card of an autoscaler: the load that it measured against the pods that it had, over the time of the run. */
import type { HorizontalPodAutoscaler } from '../../../apiserver/kinds/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import { amountOf } from './amount.ts';
import type { CardContent, Chart } from './card.ts';
import { many } from './words.ts';
import type { Held, PageWorld } from './world.ts';

interface Measured {
  readonly at: number;
  /** The pods that would bring the metric to its target; undefined: there is no metric with a target. */
  readonly load: number | undefined;
  readonly pods: number;
}

/** Points of a chart. */
const MOST_POINTS = 400;

export function autoscaler(held: Held, world: PageWorld): CardContent {
  const { object } = held;
  if (!isOf('HorizontalPodAutoscaler', object)) return { note: '' };
  const { scaleTargetRef: of, minReplicas = 1, maxReplicas } = object.spec;
  const { currentReplicas, desiredReplicas } = object.status;
  const code = `${of.kind}/${of.name}  ${minReplicas} to ${maxReplicas}`;
  if (currentReplicas === undefined) return { code, note: 'not synced yet' };
  const wants = desiredReplicas === currentReplicas ? '' : ` · desired ${desiredReplicas}`;
  const measured = world.versions(held).flatMap(measuredIn);
  const last = measured.at(-1);
  const note = `${many(currentReplicas, 'replica')}${wants}`;
  if (last?.load === undefined) return { code, note };
  const chart = chartOf(measured, world, [minReplicas, maxReplicas]);
  return {
    chart: { ...chart, load: `load for ${rounded(last.load)}`, pods: `${many(currentReplicas, 'pod')}${wants}` },
    note: `load for ${rounded(last.load)}, ${note}`,
  };
}

const rounded = (load: number): string => String(Math.round(load * 10) / 10);

function measuredIn({ at, object }: Held): readonly Measured[] {
  if (!isOf('HorizontalPodAutoscaler', object) || object.status.currentReplicas === undefined) return [];
  const pods = object.status.currentReplicas;
  return [{ at, pods, load: loadOf(object, pods) }];
}

/** The most that any metric asks for. */
function loadOf({ spec, status }: HorizontalPodAutoscaler, pods: number): number | undefined {
  const loads = (status.currentMetrics ?? []).flatMap(({ type, resource: measured }) => {
    const target = spec.metrics?.find((metric) => metric.type === type && metric.resource?.name === measured?.name)?.resource?.target;
    if (measured === undefined || target === undefined) return [];
    const { averageUtilization, averageValue } = measured.current;
    if (typeof averageUtilization === 'number' && typeof target.averageUtilization === 'number')
      return [(pods * averageUtilization) / target.averageUtilization];
    if (averageValue === undefined || target.averageValue === undefined) return [];
    return [(pods * amountOf(averageValue)) / amountOf(target.averageValue)];
  });
  return loads.length === 0 ? undefined : Math.max(...loads);
}

function chartOf(measured: readonly Measured[], { at: now, endsAt }: PageWorld, bounds: readonly number[]): Omit<Chart, 'load' | 'pods'> {
  const from = measured[0]?.at ?? now;
  const long = Math.max(1, endsAt - from);
  const most = Math.max(1, ...bounds, ...measured.map(({ pods, load = 0 }) => Math.max(pods, load)));
  return {
    points: measured.slice(-MOST_POINTS).map(({ at, load = 0, pods }) => ({ x: (at - from) / long, load: load / most, pods: pods / most })),
    now: (now - from) / long,
    bounds: bounds.map((bound) => bound / most),
  };
}
