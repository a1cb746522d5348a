/**
 * The metrics server's readings of a target's pods, one amount per pod. Models: v1.24 pkg/controller/podautoscaler/metrics
 * resource_client.go.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { defineAggregate, type CacheView } from '../../runtime/index.ts';
import { meterAt, type Meter, type Metered, type Reading, reportsUsage } from '../../usage/index.ts';

const EVERY_POD = '';

/** The number of pods with usage annotations. */
export const reportingPods = defineAggregate<'Pod', { count: number }>({
  name: 'pods that report their usage',
  kind: 'Pod',
  groupOf: (pod) => (reportsUsage(pod) ? EVERY_POD : undefined),
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

/** The metrics server at an instant, if there is one. */
export const meterFor = (cache: CacheView, { usage, unthrottled }: Metered, now: number): Meter | undefined =>
  usage === undefined && cache.aggregate(reportingPods, EVERY_POD).count === 0
    ? undefined
    : meterAt({ usage, everyPod: () => cache.list('Pod'), isUnthrottled: (node) => unthrottled?.has(node) === true }, now);

/** The usage of each pod for a resource, in thousandths, by name: of the whole pod, or of one container. A text: why it is unknown. */
export function usedBy(
  meter: Meter,
  pods: readonly Pod[],
  resource: string,
  container: string | undefined,
): ReadonlyMap<string, number> | string {
  const used = new Map<string, number>();
  let known = 0;
  for (const pod of pods) {
    const { name, namespace = '' } = pod.metadata;
    const readings = meter.ofPod(pod);
    if (readings === undefined) continue;
    known += 1;
    const selected = container === undefined ? readings : readings.filter((each) => each.name === container);
    if (selected.length === 0)
      return `failed to get container metrics: container ${container ?? ''} not present in metrics for pod ${namespace}/${name}`;
    const amounts = selected.map(({ reading }) => amountIn(reading, resource));
    if (amounts.every((each) => each !== undefined))
      used.set(
        name,
        amounts.reduce((sum, each) => sum + each, 0),
      );
  }
  return known === 0 ? 'no metrics returned from resource metrics API' : used;
}

const amountIn = (reading: Reading, resource: string): number | undefined =>
  resource === 'cpu' || resource === 'memory' ? reading[resource] : undefined;
