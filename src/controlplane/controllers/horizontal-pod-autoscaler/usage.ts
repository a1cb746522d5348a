/**
 * What pods use, as a metrics server tells it. A pod says it in annotations, `sim.orch.io/cpu` and `sim.orch.io/memory`; as long as no pod of
 * the cluster does, there is no metrics server. Models: metrics-server's pods.metrics, v1.24 pkg/controller/podautoscaler/metrics.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { SIM } from '../../../apiserver/vocabulary/index.ts';
import { milliUnitsOf, parseQuantity } from '../../../grammar/values/index.ts';
import { defineAggregate, type CacheView } from '../../runtime/index.ts';

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

/** Whether there is a metrics server to ask. */
export const hasMetricsApi = (cache: CacheView): boolean => cache.aggregate(reportingPods, EVERY_POD).count > 0;

/** How much of a resource a pod uses, in thousandths; undefined where nothing is known of it. Only pods that run are looked at. */
export function usageOf({ metadata: { annotations }, status }: Pod, resource: string): number | undefined {
  const written = status.phase === 'Running' ? annotations?.[annotationOf(resource)] : undefined;
  return written === undefined || parseQuantity(written).value === undefined ? undefined : milliUnitsOf(written);
}
