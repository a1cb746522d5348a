/**
 * Keeps the status of quotas: their limits, and what is used. Creation counts itself at admission; this counts again when something went,
 * ended, or the limits changed. Models: v1.24 pkg/controller/resourcequota. Simplified: no five-minute resync.
 */
import type { ApiObject, KindRegistry, Pod, ResourceQuota } from '../../api/index.ts';
import { defineController, idle, write, type CacheView, type Controller, type Delta, type Outcome } from '../../runtime/index.ts';
import { inScope, resourceOf, usageOf, type Resource } from '../../server/index.ts';
import { addQuantities, formatQuantity, parseQuantity, ZERO_QUANTITY, type Quantity } from '../../values/index.ts';

const hasEnded = (object: ApiObject): boolean => object.kind === 'Pod' && ((object as Pod).status.phase === 'Succeeded' || (object as Pod).status.phase === 'Failed');

/** What the objects of a namespace use of the limited resources. */
function usedIn(cache: CacheView, resources: readonly Resource[], quota: ResourceQuota, limited: readonly string[]): Readonly<Record<string, string>> {
  const used = new Map<string, Quantity>(limited.map((name) => [name, ZERO_QUANTITY]));
  for (const resource of resources) {
    for (const object of cache.by(resource.kind.kind, 'namespace', quota.metadata.namespace ?? '')) {
      if (quota.spec.scopes !== undefined && !(object.kind === 'Pod' && quota.spec.scopes.every((scope) => inScope(scope, object)))) continue;
      for (const [name, amount] of usageOf(resource, object)) {
        const sum = used.get(name);
        // A pod that has ended uses nothing but its own name.
        if (sum !== undefined && !(hasEnded(object) && !name.startsWith('count/'))) used.set(name, addQuantities(sum, amount));
      }
    }
  }
  return Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)]));
}

const canonical = (amounts: Readonly<Record<string, unknown>> | undefined): string =>
  Object.entries(amounts ?? {}).map(([name, text]) => `${name}=${formatQuantity(parseQuantity(String(text)).value ?? ZERO_QUANTITY)}`).sort((a, b) => (a < b ? -1 : 1)).join();

/** The quotas of a namespace in which something stopped using what it used. */
const replenished = ({ type, object, old }: Delta, { cache }: { readonly cache: CacheView }): readonly string[] | undefined => {
  const ended = type === 'MODIFIED' && old !== undefined && hasEnded(object) && !hasEnded(old);
  if (type !== 'DELETED' && !ended) return undefined;
  return cache.by('ResourceQuota', 'namespace', object.metadata.namespace ?? '').map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
};

export function resourceQuotas(registry: KindRegistry): Controller {
  const counted = registry.list().filter(({ namespaced, kind }) => namespaced && kind !== 'Event' && kind !== 'Lease' && kind !== 'ResourceQuota');
  const resources = counted.map((kind) => resourceOf(kind, registry.names));
  const controller = defineController<'ResourceQuota'>({
    name: 'resource-quota',
    component: 'resourcequota-controller',
    reconciles: 'ResourceQuota',
    writes: ['ResourceQuota'],
    models: 'v1.24 pkg/controller/resourcequota. Simplified: no five-minute resync.',
    watches: counted.map(({ kind }) => ({ kind, enqueue: replenished })),
    reconcile({ self: quota, cache }): Outcome<never> {
      const hard = quota.spec.hard ?? {};
      const used = usedIn(cache, resources, quota, Object.keys(hard));
      if (canonical(quota.status.hard) === canonical(hard) && canonical(quota.status.used) === canonical(used)) return idle('its status is right');
      return write('its limits or what is used have changed', { op: 'update', subresource: 'status', object: { ...quota, status: { ...quota.status, hard, used } } });
    },
  });
  return controller;
}
