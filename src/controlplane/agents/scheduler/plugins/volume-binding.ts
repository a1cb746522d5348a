/**
 * A pod's claims must be bound, or bindable on the node; nodes whose volumes fit best may be preferred. Models: v1.24 plugins/volumebinding
 * with its default score shape.
 */
import { on } from '../cluster-events.ts';
import { MAX_SCORE, unresolvable, type Plugin, type SchedulerView } from '../plugin.ts';
import { binderFor, capacityOf, requestOf, claimsOf, type PodClaims } from '../volumes/matching.ts';
import type { VolumePlan } from '../volumes/assumed-volumes.ts';
import { keyOf } from '../../../../apiserver/machinery/index.ts';

const UNBOUND = unresolvable('pod has unbound immediate PersistentVolumeClaims');

/** The requested percentage of the volumes found for a pod: by class, then the mean. */
function utilisation({ bindings }: VolumePlan, { toBind }: PodClaims, view: SchedulerView): number {
  const classes = new Map<string, { requested: number; capacity: number }>();
  for (const { volume, claim } of bindings) {
    const bindable = toBind.find((one) => keyOf(one) === claim);
    const found = view.cache.get('PersistentVolume', undefined, volume);
    if (bindable === undefined || found === undefined) continue;
    const name = found.spec.storageClassName ?? '';
    const sum = classes.get(name) ?? { requested: 0, capacity: 0 };
    classes.set(name, { requested: sum.requested + requestOf(bindable), capacity: sum.capacity + capacityOf(found) });
  }
  let total = 0;
  for (const { requested, capacity } of classes.values())
    total += capacity === 0 || requested > capacity ? MAX_SCORE : Math.trunc((requested * MAX_SCORE) / capacity);
  return classes.size === 0 ? 0 : Math.round(total / classes.size);
}

export const volumeBinding: Plugin = {
  name: 'VolumeBinding',
  events: {
    StorageClass: on('add', 'update'),
    PersistentVolumeClaim: on('add', 'update'),
    PersistentVolume: on('add', 'update'),
    Node: on('add', 'labels'),
    CSINode: on('add', 'update'),
    CSIDriver: on('add', 'update'),
    CSIStorageCapacity: on('add', 'update'),
  },
  filtersBy: 'volumes',
  filterFor({ pod }, view) {
    const claims = claimsOf(pod, view);
    if (claims === undefined) return undefined;
    if (typeof claims === 'string') return unresolvable(claims);
    if (claims.unbound.length > 0) return UNBOUND;
    const binder = binderFor(claims, view);
    return {
      check({ node }) {
        if (node === undefined) return undefined;
        const result = binder(node);
        return 'code' in result ? result : undefined;
      },
    };
  },
  weight: 1,
  // Without the gate VolumeCapacityPriority there is no score.
  scorerFor({ pod }, view) {
    if (view.gates['VolumeCapacityPriority'] !== true || (pod.spec.volumes ?? []).length === 0) return 0;
    const claims = claimsOf(pod, view);
    if (claims === undefined || typeof claims === 'string' || claims.toBind.length === 0) return 0;
    const binder = binderFor(claims, view);
    return {
      score({ node }) {
        const plan = node === undefined ? undefined : binder(node);
        return plan === undefined || 'code' in plan ? 0 : utilisation(plan, claims, view);
      },
    };
  },
};
