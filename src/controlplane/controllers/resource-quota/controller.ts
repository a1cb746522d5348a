/**
 * Keeps the status of quotas: their limits, and what is used. Creation counts itself at admission; this counts again when something went,
 * ended, or the limits changed. Models: v1.24 pkg/controller/resourcequota. Simplified: of the five-minute resync only what it finds: pods
 * that should be gone.
 */
import { type ApiObject, keyOf } from '../../../apiserver/vocabulary/index.ts';
import type { ResourceQuota } from '../../../apiserver/kinds/index.ts';
import { defineController, forKinds, idle, isOf, watch, write, type CacheView, type Delta, type Outcome } from '../../runtime/index.ts';
import { covers, usageOf } from '../../../apiserver/admission/index.ts';
import { type Resource, resourceOf } from '../../../apiserver/request/index.ts';
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  parseTime,
  ZERO_QUANTITY,
  type Quantity,
  compareText,
} from '../../../grammar/values/index.ts';

const RESYNC_MS = 300_000;

const hasEnded = (object: ApiObject): boolean =>
  isOf('Pod', object) && (object.status.phase === 'Succeeded' || object.status.phase === 'Failed');

/** When a pod that is to go should be gone for certain: its node may never be able to say so. */
function goneAt({ metadata: { deletionTimestamp, deletionGracePeriodSeconds } }: ApiObject): number {
  return deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined
    ? Infinity
    : parseTime(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

/** What the objects of a namespace use of the limited resources, and when some of it is used no more though nothing tells. */
function usedIn(
  cache: CacheView,
  resources: readonly Resource[],
  quota: ResourceQuota,
  limited: readonly string[],
  now: number,
): { readonly used: Readonly<Record<string, string>>; readonly until: number } {
  const used = new Map<string, Quantity>(limited.map((name) => [name, ZERO_QUANTITY]));
  let until = Infinity;
  for (const resource of resources) {
    for (const object of cache.by(resource.kind.kind, 'namespace', quota.metadata.namespace ?? '')) {
      if (!covers(quota.spec, object)) continue;
      const leaves = object.kind === 'Pod' ? goneAt(object) : Infinity;
      const counts = !hasEnded(object) && now <= leaves;
      if (counts) until = Math.min(until, leaves);
      for (const [name, amount] of usageOf(resource, object)) {
        const sum = used.get(name);
        // A pod that has ended uses nothing but its own name.
        if (sum !== undefined && (counts || name.startsWith('count/'))) used.set(name, addQuantities(sum, amount));
      }
    }
  }
  return { used: Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)])), until };
}

const canonical = (amounts: Readonly<Record<string, unknown>> | undefined): string =>
  Object.entries(amounts ?? {})
    .map(([name, text]) => `${name}=${formatQuantity(parseQuantity(String(text)).value ?? ZERO_QUANTITY)}`)
    .sort(compareText)
    .join();

/** The quotas of a namespace in which something stopped using what it used. */
const replenished = ({ type, object, old }: Delta, { cache }: { readonly cache: CacheView }): readonly string[] | undefined => {
  const ended =
    type === 'MODIFIED' &&
    old !== undefined &&
    ((hasEnded(object) && !hasEnded(old)) ||
      (isOf('Service', object) && isOf('Service', old) && object.spec.type !== old.spec.type) ||
      (goneAt(object) < Infinity && goneAt(old) === Infinity));
  if (type !== 'DELETED' && !ended) return undefined;
  return cache.by('ResourceQuota', 'namespace', object.metadata.namespace ?? '').map(keyOf);
};

export const resourceQuotas = forKinds((registry) => {
  const counted = registry
    .list()
    .filter(({ namespaced, kind }) => namespaced && kind !== 'Event' && kind !== 'Lease' && kind !== 'ResourceQuota');
  const resources = counted.map((kind) => resourceOf(kind, registry.names));
  const controller = defineController<'ResourceQuota', never, { readonly startedAt: number }>({
    name: 'resource-quota',
    component: 'resourcequota-controller',
    reconciles: 'ResourceQuota',
    writes: ['ResourceQuota'],
    models: 'v1.24 pkg/controller/resourcequota. Simplified: the five-minute resync writes only what has changed.',
    watches: counted.map(({ kind }) => watch(kind, replenished)),
    start: ({ now }) => ({ startedAt: now }),
    reconcile({ self: quota, cache, now, elapsed, state: { startedAt } }): Outcome<never> {
      const hard = quota.spec.hard ?? {};
      const { used, until } = usedIn(cache, resources, quota, Object.keys(hard), now);
      // The passes of the resync are so far apart since the start, whatever the clock says.
      const firstPass = startedAt + now - elapsed;
      const later =
        until === Infinity ? {} : { wakeAt: firstPass + (Math.floor((until - firstPass) / RESYNC_MS) + 1) * RESYNC_MS, background: true };
      if (canonical(quota.status.hard) === canonical(hard) && canonical(quota.status.used) === canonical(used))
        return { ...idle('its status is up to date'), ...later };
      return {
        ...write('its limits or its usage have changed', {
          op: 'update',
          subresource: 'status',
          object: { ...quota, status: { ...quota.status, hard, used } },
        }),
        ...later,
      };
    },
  });
  return controller;
});
