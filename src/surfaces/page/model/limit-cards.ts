/** Card contents of what scales or limits others: autoscalers, disruption budgets, quotas, and namespaces that end. */
import type { Namespace, PodDisruptionBudget, ResourceQuota, HorizontalPodAutoscaler } from '../../../apiserver/kinds/index.ts';
import { compareText, BINARY, DECIMAL } from '../../../schema/values/index.ts';
import type { CardContent, CardLine, Slot, Chart } from './card.ts';
import { many } from './words.ts';
import { MOST_SLOTS } from './workloads.ts';
import type { PageWorld, Held } from './world.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';

/** A slot for each expected pod: healthy ones, of which the last may be disrupted, then missing ones. */
export function disruptionBudget({ metadata, status }: PodDisruptionBudget, world: PageWorld): CardContent {
  const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods } = status;
  const slots = Array.from({ length: Math.min(MOST_SLOTS, Math.max(expectedPods, currentHealthy)) }, (_, at): Slot => {
    const free = at >= currentHealthy - disruptionsAllowed;
    return at >= currentHealthy
      ? { is: 'open', title: 'not healthy' }
      : free
        ? { is: 'Running', title: 'may be evicted' }
        : { is: 'Ready', title: 'required' };
  });
  const refused = refusedBy('PodDisruptionBudget', metadata, world);
  return {
    slots,
    lines: refused === undefined ? [] : [refused],
    note: `${many(disruptionsAllowed, 'eviction')} allowed · ${currentHealthy} of ${expectedPods} healthy, ${desiredHealthy} required`,
  };
}

const MOST_LINES = 2;

/** The limited resources, the fullest first. */
export function resourceQuota({ metadata, status: { hard = {}, used = {} } }: ResourceQuota, world: PageWorld): CardContent {
  const resources = Object.keys(hard)
    .map((name): CardLine & { readonly part: number } => {
      const [is = '0', most = '0'] = [used[name], hard[name]];
      const part = partOf(is, most);
      return { label: name, text: `${is} of ${most}`, part, bad: part >= 1 };
    })
    .sort((a, b) => b.part - a.part || compareText(a.label, b.label));
  const refused = refusedBy('ResourceQuota', metadata, world);
  const full = resources.flatMap(({ label, bad }) => (bad === true ? [label] : []));
  const more = resources.length - MOST_LINES;
  return {
    lines: [...resources.slice(0, MOST_LINES), ...(refused === undefined ? [] : [refused])],
    note:
      [...(full.length > 0 ? [`${full.join(', ')} used up`] : []), ...(more > 0 ? [many(more, 'more resource')] : [])].join(' · ') ||
      (resources.length === 0 ? 'not counted yet' : 'there is room'),
  };
}

function partOf(used: string, hard: string): number {
  const [is, most] = [amountOf(used), amountOf(hard)];
  return most <= 0 ? 1 : Math.min(1, is / most);
}

/** The last request that was refused because of an object, and how many were. */
function refusedBy(
  kind: string,
  { namespace = 'default', name }: { readonly namespace?: string; readonly name: string },
  world: PageWorld,
): CardLine | undefined {
  const { last, count } = world.refusals(kind, `${namespace}/${name}`);
  return last === undefined ? undefined : { label: count === 1 ? 'refused' : `refused ${count}×`, text: last.request, bad: true };
}

/** What remains of a namespace, by kind, the most frequent first. */
export function endingNamespace({ metadata: { name } }: Namespace, world: PageWorld): CardContent {
  const counts = new Map<string, number>();
  for (const kind of world.kinds())
    for (const { object } of world.list(kind)) if (object.metadata.namespace === name) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].sort(([a, x], [b, y]) => y - x || compareText(a, b));
  const all = kinds.reduce((sum, [, count]) => sum + count, 0);
  return {
    lines: kinds.slice(0, MOST_LINES).map(([kind, count]) => ({ label: kind, text: `${count} left` })),
    note: all === 0 ? 'nothing remains' : `${many(all, 'object')} of ${many(kinds.length, 'kind')} to delete`,
  };
}

type Measured = ReturnType<typeof measuredIn>[number];

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

/** `load`: the pods that would bring the metric to its target; undefined: there is no metric with a target. */
function measuredIn({ at, object }: Held) {
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

/** The value of a quantity, as near as a picture needs it; 0: it is none. */
function amountOf(text: string): number {
  const [, number = '', suffix = ''] = /^(.*?)([A-Za-z]*)$/.exec(text) ?? [];
  const power = BINARY.get(suffix);
  return (power === undefined ? Number(number) * 10 ** (DECIMAL.get(suffix) ?? NaN) : Number(number) * 2 ** power) || 0;
}
