/**
 * Quotas of a namespace: a create that would exceed a quota is refused, any other is added to its usage. The quota controller maintains the
 * hard limits in the status, and the usage after deletions. Models: apiserver pkg/admission/plugin/resourcequota,
 * pkg/quota/v1/evaluator/core.
 */
import { type ApiObject, produce } from '../machinery/index.ts';
import {
  own,
  addQuantities,
  compareQuantities,
  formatQuantity,
  subQuantities,
  ZERO_QUANTITY,
  type Quantity,
  compareText,
} from '../../schema/values/index.ts';
import { isOf, type ObjectNamed, type Pod } from '../kinds/index.ts';
import { forbidden, type Resource, storeKey } from '../request/index.ts';
import type { Scope } from './request-scope.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { amount, covers, usageOf } from './quota-usage.ts';

/** Returns the additional usage of a write, compared with the object before it. */
function growth(resource: Resource, object: ApiObject, old: ApiObject | undefined): ReadonlyMap<string, Quantity> {
  const usage = usageOf(resource, object);
  if (old === undefined) return usage;
  const before = usageOf(resource, old);
  return new Map(
    [...usage].flatMap(([name, after]) => {
      const more = subQuantities(after, before.get(name) ?? ZERO_QUANTITY);
      return compareQuantities(more, ZERO_QUANTITY) > 0 ? [[name, more]] : [];
    }),
  );
}

/** Resources that containers must set where a quota limits them. */
const REQUIRED: ReadonlySet<string> = new Set(['cpu', 'memory']);

/** Returns the limited compute resources that a pod does not set. */
function missingCompute(limited: readonly string[], { spec }: Pod): readonly string[] {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return limited.filter((name) => {
    const side = name.startsWith('limits.') ? 'limits' : 'requests';
    const resource = name.replace(/^(requests|limits)\./, '');
    return REQUIRED.has(resource) && containers.some((container) => own(container.resources[side], resource) === undefined);
  });
}

const listed = (names: readonly string[], value: (name: string) => Quantity): string =>
  names.map((name) => `${name}=${formatQuantity(value(name))}`).join(',');

/** Returns the status of a quota with the object's usage added; undefined where it does not count. Refuses beyond the quota. */
function charged(
  resource: Resource,
  name: string,
  quota: ObjectNamed<'ResourceQuota'>,
  object: ApiObject,
  usage: ReadonlyMap<string, Quantity>,
): ApiObject | undefined {
  const { spec, status } = quota;
  if (!covers(spec, object)) return undefined;
  const hard = status?.hard ?? {};
  const limited = Object.keys(hard)
    .filter((one) => usage.has(one))
    .sort(compareText);
  if (limited.length === 0) return undefined;
  const missing = isOf('Pod', object) ? missingCompute(limited, object) : [];
  if (missing.length > 0) throw forbidden(resource, name, `failed quota: ${quota.metadata.name}: must specify ${missing.join(',')}`);
  const asked = (one: string): Quantity => usage.get(one) ?? ZERO_QUANTITY;
  const used = (one: string): Quantity => amount(status?.used?.[one]);
  const exceeded = limited.filter(
    (one) =>
      compareQuantities(asked(one), ZERO_QUANTITY) > 0 && compareQuantities(addQuantities(used(one), asked(one)), amount(hard[one])) > 0,
  );
  if (exceeded.length > 0) {
    throw forbidden(
      resource,
      name,
      `exceeded quota: ${quota.metadata.name}, requested: ${listed(exceeded, asked)}, used: ${listed(exceeded, used)}, limited: ${listed(exceeded, (one) => amount(hard[one]))}`,
    );
  }
  const grown = Object.fromEntries(limited.map((one) => [one, formatQuantity(addQuantities(used(one), asked(one)))]));
  return produce(quota, (draft) => {
    (draft.status ??= {}).used = { ...status?.used, ...grown };
  });
}

const MAY_GROW: ReadonlySet<string> = new Set(['Service', 'PersistentVolumeClaim']);

export const resourceQuota: AdmissionPlugin = {
  name: 'ResourceQuota',
  verbs: ['create', 'update'],
  validate(scope: Scope, { resource, namespace, name, dryRun, verb }, object, old) {
    if (namespace === undefined || scope.store.size('ResourceQuota') === 0) return;
    // Only updates of services (type) and claims (size) may increase usage.
    if (verb === 'update' && !MAY_GROW.has(resource.kind.kind)) return;
    const quotas = scope.store.by('ResourceQuota', 'namespace', namespace);
    if (quotas.length === 0) return;
    const usage = growth(resource, object, verb === 'update' ? old : undefined);
    const updated = quotas.map((quota) => charged(resource, object.metadata.name ?? name, quota, object, usage));
    if (dryRun) return;
    for (const quota of updated) {
      if (quota === undefined) continue;
      scope.commit(scope.resource('ResourceQuota'), 'MODIFIED', storeKey(namespace, quota.metadata.name), quota);
    }
  },
};
