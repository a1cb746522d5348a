/**
 * What pods use, as a metrics server tells it: what a scenario says of usage, or what a pod's own annotations `sim.orch.io/cpu` and
 * `sim.orch.io/memory` say. As long as neither says anything, there is no metrics server. Models: metrics-server's pods.metrics, v1.24 pkg/controller/podautoscaler/metrics.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { SIM } from '../../../apiserver/vocabulary/index.ts';
import { milliUnitsOf, parseQuantity } from '../../../grammar/values/index.ts';
import { defineAggregate, type CacheView } from '../../runtime/index.ts';
import type { Usage } from '../../usage/index.ts';

const RESOURCES = ['cpu', 'memory'] as const;
const annotationOf = (resource: string): string => `${SIM}/${resource}`;
const EVERY_POD = '';

/** Whether any pod tells what it uses. */
export const reportingPods = defineAggregate<'Pod', { count: number }>({
  name: 'pods that tell what they use',
  kind: 'Pod',
  groupOf: ({ metadata: { annotations } }) =>
    annotations !== undefined && RESOURCES.some((resource) => annotations[annotationOf(resource)] !== undefined) ? EVERY_POD : undefined,
  empty: () => ({ count: 0 }),
  add: (summary) => {
    summary.count += 1;
  },
  remove: (summary) => {
    summary.count -= 1;
  },
  change: () => undefined,
  plain: ({ count }) => count,
});

/** A metrics server; it can be asked for cpu and memory. */
export interface Meter {
  /** How much of a resource a pod uses, in thousandths; undefined where nothing is known of it. Only pods that run are looked at. */
  of(pod: Pod, resource: string): number | undefined;
}

/** The metrics server for these pods at an instant, if there is one. */
export function meterFor(cache: CacheView, pods: readonly Pod[], usage: Usage | undefined, now: number): Meter | undefined {
  if (usage === undefined && cache.aggregate(reportingPods, EVERY_POD).count === 0) return undefined;
  const shares = usage?.sharesAt(pods, now);
  return {
    of(pod, resource) {
      if (pod.status.phase !== 'Running') return undefined;
      const written = pod.metadata.annotations?.[annotationOf(resource)];
      if (written !== undefined && parseQuantity(written).value !== undefined) return milliUnitsOf(written);
      if (usage === undefined) return undefined;
      const { cpu, memory } = usage.usageAt(pod, now);
      if (resource === 'memory') return memory * 1000;
      return resource === 'cpu' ? cpu + (shares?.get(pod.metadata.name) ?? 0) : undefined;
    },
  };
}
