/**
 * The readings of a metrics server at an instant, from the usage in a scenario or from a pod's annotations `sim.orch.io/cpu` and
 * `sim.orch.io/memory`. Without either there is no metrics server. Autoscalers and `top` read it. With the other metrics it is the source
 * of the metrics APIs and of autoscalers. Models: metrics-server. Simplified: a container has readings as soon as its pod runs.
 */
import { memo } from '../../engine/index.ts';
import type { Pod } from '../../apiserver/kinds/index.ts';
import { SIM } from '../../apiserver/machinery/index.ts';
import { milliUnitsOf, parseQuantity } from '../../schema/values/index.ts';
import { keyOfPod } from './curve.ts';
import { type Usage, createUsage, type UsageSpec } from './usage.ts';
import { createSeries, type Series, type SeriesSpec } from './series.ts';

export const MEASURED = ['cpu', 'memory'] as const;
type Measured = (typeof MEASURED)[number];

/** Thousandths of a core, and of a byte; absent: unknown. */
export type Reading = Readonly<Partial<Record<Measured, number>>>;
interface ContainerReading {
  readonly name: string;
  readonly reading: Reading;
}

export interface Meter {
  /** Readings of each container of a running pod; undefined: nothing is known. */
  ofPod(pod: Pod): readonly ContainerReading[] | undefined;
  /** The reading of a node with these pods. */
  ofNode(node: string, pods: readonly Pod[]): Reading;
}

const annotationOf = (resource: Measured): string => `${SIM}/${resource}`;

/** Whether a pod's annotations state its usage. */
export const reportsUsage = ({ metadata: { annotations } }: Pod): boolean =>
  annotations !== undefined && MEASURED.some((resource) => annotations[annotationOf(resource)] !== undefined);

/** The amount in a pod's annotation, in thousandths; undefined: there is none, or it is invalid. */
function reportedBy({ metadata: { annotations } }: Pod, resource: Measured): number | undefined {
  const written = annotations?.[annotationOf(resource)];
  return written === undefined || parseQuantity(written).value === undefined ? undefined : milliUnitsOf(written);
}

/** The CPU limit of a container, thousandths of a core. */
const quotaOf = ({ resources }: Pod['spec']['containers'][number]): number =>
  resources?.limits?.['cpu'] === undefined ? Infinity : milliUnitsOf(resources.limits['cpu']);

/** The input of a meter: described usage, all pods (for shared work), and the nodes that enforce no CPU quota. */
interface MeterSource {
  readonly usage: Usage | undefined;
  everyPod(): Iterable<Pod>;
  isUnthrottled(node: string): boolean;
}

/** Readings at an instant, milliseconds since the epoch. A container with a CPU limit uses no more than that: it is throttled. */
export function meterAt({ usage, everyPod, isUnthrottled }: MeterSource, now: number): Meter {
  const remembered = memo<{ shares: ReadonlyMap<string, number> | undefined }>({ shares: undefined });
  const described = (pod: Pod, container: string, isFirst: boolean): Reading => {
    if (usage === undefined) return {};
    const { cpu, memory } = usage.containerNow(pod, container, now);
    // The first container does the shared work, like all usage without a container's name.
    const share = isFirst ? ((remembered.shares ??= usage.sharesAt(everyPod, now)).get(keyOfPod(pod)) ?? 0) : 0;
    return { cpu: cpu + share, memory: memory * 1000 };
  };
  const meter: Meter = {
    ofPod(pod) {
      if (pod.status.phase !== 'Running' || (usage === undefined && !reportsUsage(pod))) return undefined;
      const quotas = pod.spec.containers.map(isUnthrottled(pod.spec.nodeName ?? '') ? () => Infinity : quotaOf);
      return pod.spec.containers.map(({ name }, index) => {
        const reading: Partial<Record<Measured, number>> = { ...described(pod, name, index === 0) };
        if (reading.cpu !== undefined) reading.cpu = Math.min(reading.cpu, quotas[index] ?? Infinity);
        // The usage of a pod as a whole is that of its first container.
        for (const resource of MEASURED) {
          const reported = reportedBy(pod, resource);
          const most = resource === 'cpu' ? quotas.reduce((sum, quota) => sum + quota, 0) : Infinity;
          if (reported !== undefined) reading[resource] = index === 0 ? Math.min(reported, most) : 0;
        }
        return { name, reading };
      });
    },
    ofNode(node, pods) {
      const { cpu, memory } = usage?.systemAt(node, now) ?? { cpu: 0, memory: 0 };
      const sum = { cpu, memory: memory * 1000 };
      for (const pod of pods)
        for (const { reading } of meter.ofPod(pod) ?? []) for (const resource of MEASURED) sum[resource] += reading[resource] ?? 0;
      return sum;
    },
  };
  return meter;
}

/** The source of the metrics APIs. */
export interface Metered {
  /** Usage of pods and nodes; absent: only the annotations of pods count. */
  readonly usage?: Usage;
  /** Other metrics; absent: their APIs are not available. */
  readonly series?: Series;
  /** Nodes whose agents enforce no CPU quota. */
  readonly unthrottled?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** From the specification of each; `startAt`: the start of the run, milliseconds since the epoch. */
export const createMetered = (
  usage: readonly UsageSpec[] | undefined,
  series: readonly SeriesSpec[] | undefined,
  startAt: number,
  unthrottled: ReadonlySet<string> = NONE,
): Metered => ({
  unthrottled,
  ...(usage === undefined ? {} : { usage: createUsage(usage, startAt) }),
  ...(series === undefined ? {} : { series: createSeries(series, startAt) }),
});
