/**
 * What a metrics server knows at an instant: what a scenario says of usage, or what a pod's own annotations `sim.orch.io/cpu` and
 * `sim.orch.io/memory` say of it. As long as neither says anything, there is no metrics server. Who scales by usage and who prints it ask
 * here. Models: metrics-server. Simplified: it knows of a container as soon as its pod runs.
 */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { SIM } from '../../apiserver/machinery/index.ts';
import { milliUnitsOf, parseQuantity } from '../../schema/values/index.ts';
import { keyOfPod } from './shares.ts';
import type { Usage } from './usage.ts';

/** What is measured. */
export const MEASURED = ['cpu', 'memory'] as const;
type Measured = (typeof MEASURED)[number];

/** Thousandths of a core, and of a byte; absent: nothing is known of it. */
export type Reading = Readonly<Partial<Record<Measured, number>>>;
export interface ContainerReading {
  readonly name: string;
  readonly reading: Reading;
}

export interface Meter {
  /** Of each container of a pod that runs; undefined where nothing is known of it. */
  ofPod(pod: Pod): readonly ContainerReading[] | undefined;
  /** Of a node with these pods on it. */
  ofNode(node: string, pods: readonly Pod[]): Reading;
}

const annotationOf = (resource: Measured): string => `${SIM}/${resource}`;

/** Whether a pod itself says what it uses. */
export const tellsUsage = ({ metadata: { annotations } }: Pod): boolean =>
  annotations !== undefined && MEASURED.some((resource) => annotations[annotationOf(resource)] !== undefined);

/** What an annotation says of a whole pod, in thousandths; undefined where there is none or it is no amount. */
function reportedBy({ metadata: { annotations } }: Pod, resource: Measured): number | undefined {
  const written = annotations?.[annotationOf(resource)];
  return written === undefined || parseQuantity(written).value === undefined ? undefined : milliUnitsOf(written);
}

/** What a container may have of processors at most, thousandths of a core. */
const quotaOf = ({ resources }: Pod['spec']['containers'][number]): number =>
  resources?.limits?.['cpu'] === undefined ? Infinity : milliUnitsOf(resources.limits['cpu']);

/** Where a meter reads: what is described, all pods there are (for work that they share), and which nodes hold nobody to a quota. */
export interface MeterSource {
  readonly usage: Usage | undefined;
  everyPod(): Iterable<Pod>;
  isUnthrottled(node: string): boolean;
}

/** Readings at an instant, milliseconds since the epoch. A container with a limit uses no more of processors than that: it is throttled. */
export function meterAt({ usage, everyPod, isUnthrottled }: MeterSource, now: number): Meter {
  let shares: ReadonlyMap<string, number> | undefined;
  const described = (pod: Pod, container: string, isFirst: boolean): Reading => {
    if (usage === undefined) return {};
    const { cpu, memory } = usage.containerNow(pod, container, now);
    // Work that is shared is done by the first container, as usage without a container's name is its.
    const share = isFirst ? ((shares ??= usage.sharesAt(everyPod, now)).get(keyOfPod(pod)) ?? 0) : 0;
    return { cpu: cpu + share, memory: memory * 1000 };
  };
  const meter: Meter = {
    ofPod(pod) {
      if (pod.status.phase !== 'Running' || (usage === undefined && !tellsUsage(pod))) return undefined;
      const quotas = pod.spec.containers.map(isUnthrottled(pod.spec.nodeName ?? '') ? () => Infinity : quotaOf);
      return pod.spec.containers.map(({ name }, index) => {
        const reading: Partial<Record<Measured, number>> = { ...described(pod, name, index === 0) };
        if (reading.cpu !== undefined) reading.cpu = Math.min(reading.cpu, quotas[index] ?? Infinity);
        // What is said of a pod as a whole is its first container's.
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
