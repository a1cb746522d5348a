/**
 * Updates the status of quotas: limits and usage. Admission counts creations; this controller recounts after a deletion, the end of a pod,
 * or a change of limits. Models: v1.24 pkg/controller/resourcequota. Simplified: the five-minute resync handles only pods whose grace
 * period is over.
 */
import { perObject } from '../../../engine/index.ts';
import { type ApiObject, keyOf } from '../../../apiserver/machinery/index.ts';
import type { KindRegistry, ResourceQuota } from '../../../apiserver/kinds/index.ts';
import { defineController, forKinds, idle, isOf, watch, write, writeStatus } from '../../runtime/index.ts';
import type { CacheView, Delta, Outcome } from '../../runtime/index.ts';
import { covers, usageOf } from '../../../apiserver/admission/index.ts';
import { type Resource, resourceOf } from '../../../apiserver/request/index.ts';
import { addQuantities, formatQuantity, parseQuantity, parseTime, ZERO_QUANTITY, compareText } from '../../../schema/values/index.ts';
import type { Quantity } from '../../../schema/values/index.ts';

const RESYNC_MS = 300_000;

const hasEnded = (object: ApiObject): boolean =>
  isOf('Pod', object) && (object.status.phase === 'Succeeded' || object.status.phase === 'Failed');

/** When a pod being deleted certainly counts as gone: its node may never confirm it. */
function goneAt({ metadata: { deletionTimestamp, deletionGracePeriodSeconds } }: ApiObject): number {
  return deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined
    ? Infinity
    : parseTime(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

/** The usage of a namespace's objects of the limited resources, and when it next decreases without an event. */
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
        // A pod that has ended counts only as an object.
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

/** The quotas of a namespace in which an object stopped using a limited resource. */
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

const WHERE_LIMITED = { predicate: { whileThereAre: 'ResourceQuota' } } as const;

const isCounted = ({ namespaced, kind }: Resource['kind']): boolean =>
  namespaced && kind !== 'Event' && kind !== 'Lease' && kind !== 'ResourceQuota';

const countedOf = perObject((kinds: KindRegistry): readonly Resource[] =>
  kinds
    .list()
    .filter(isCounted)
    .map((kind) => resourceOf(kind, kinds.names)),
);
const countedIn = (registry: KindRegistry): readonly Resource[] => countedOf(registry.now());

export const resourceQuotas = forKinds((registry) =>
  defineController<'ResourceQuota', never, { readonly startedAt: number }>({
    name: 'resource-quota',
    component: 'resourcequota-controller',
    reconciles: 'ResourceQuota',
    writes: ['ResourceQuota'],
    models: 'v1.24 pkg/controller/resourcequota. Simplified: the five-minute resync writes only what has changed.',
    watches: countedIn(registry).map(({ kind: { kind } }) => watch(kind, replenished, WHERE_LIMITED)),
    watchOn: (kind) => (isCounted(kind) ? watch(kind.kind, replenished, WHERE_LIMITED) : undefined),
    start: ({ now }) => ({ startedAt: now }),
    reconcile({ self: quota, cache, kinds, now, elapsed, state: { startedAt } }): Outcome<never> {
      const hard = quota.spec.hard ?? {};
      const { used, until } = usedIn(cache, countedIn(kinds), quota, Object.keys(hard), now);
      // The passes of the resync are so far apart since the start, whatever the clock says.
      const firstPass = startedAt + now - elapsed;
      const later =
        until === Infinity ? {} : { wakeAt: firstPass + (Math.floor((until - firstPass) / RESYNC_MS) + 1) * RESYNC_MS, background: true };
      if (canonical(quota.status.hard) === canonical(hard) && canonical(quota.status.used) === canonical(used))
        return { ...idle('its status is up to date'), ...later };
      return { ...write('its limits or its usage have changed', writeStatus(quota, { ...quota.status, hard, used })), ...later };
    },
  }),
);
