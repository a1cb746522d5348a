/**
 * What a namespace may hold: a create that would exceed a quota is refused, one that fits is added to what is used.
 * The hard limits and the count after deletions are kept by the quota controller in the quota's status.
 * Models: apiserver pkg/admission/plugin/resourcequota, pkg/quota/v1/evaluator/core.
 */
import type { ApiObject } from '../../api/object.ts';
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, ZERO_QUANTITY, type Quantity } from '../../values/index.ts';
import type { Door } from '../door.ts';
import { forbidden } from '../errors.ts';
import { withMetadata } from '../metadata.ts';
import { storeKey, type Resource } from '../resource.ts';
import type { AdmissionPlugin } from './plugin.ts';

type Amounts = Readonly<Record<string, string>>;
interface Quota { readonly spec?: { readonly scopes?: readonly string[] }; readonly status?: { readonly hard?: Amounts; readonly used?: Amounts } }
interface Container { readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts } }
interface PodSpec { readonly containers?: readonly Container[]; readonly initContainers?: readonly Container[]; readonly overhead?: Amounts; readonly activeDeadlineSeconds?: number }

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'] as const;

const amount = (text: string | undefined): Quantity => (text === undefined ? ZERO_QUANTITY : parseQuantity(text).value ?? ZERO_QUANTITY);
const larger = (a: Quantity, b: Quantity): Quantity => (compareQuantities(a, b) >= 0 ? a : b);

/** What a pod asks for of a resource: the sum of its containers or the largest init container, and its overhead. */
function podAmount(spec: PodSpec, side: 'requests' | 'limits', resource: string): Quantity {
  let sum = ZERO_QUANTITY;
  for (const container of spec.containers ?? []) sum = addQuantities(sum, amount(container.resources?.[side]?.[resource]));
  for (const container of spec.initContainers ?? []) sum = larger(sum, amount(container.resources?.[side]?.[resource]));
  return addQuantities(sum, amount(spec.overhead?.[resource]));
}

/** What an object uses of each resource a quota may limit. */
export function usageOf(resource: Resource, object: ApiObject): ReadonlyMap<string, Quantity> {
  const one = amount('1');
  const { plural } = resource.kind;
  const usage = new Map<string, Quantity>([[resource.group === '' ? plural : `count/${plural}.${resource.group}`, one], [resource.group === '' ? `count/${plural}` : plural, one]]);
  if (resource.kind.kind === 'Pod') {
    const spec = object['spec'] as PodSpec;
    for (const name of COMPUTE) {
      const requests = podAmount(spec, 'requests', name);
      usage.set(name, requests).set(`requests.${name}`, requests).set(`limits.${name}`, podAmount(spec, 'limits', name));
    }
  }
  if (resource.kind.kind === 'PersistentVolumeClaim') {
    const { resources, storageClassName } = object['spec'] as { readonly resources?: { readonly requests?: Amounts }; readonly storageClassName?: string };
    const storage = amount(resources?.requests?.['storage']);
    usage.set('requests.storage', storage);
    if (storageClassName !== undefined) {
      usage.set(`${storageClassName}.storageclass.storage.k8s.io/requests.storage`, storage).set(`${storageClassName}.storageclass.storage.k8s.io/persistentvolumeclaims`, one);
    }
  }
  return usage;
}

const bestEffort = (object: ApiObject): boolean => (object['status'] as { readonly qosClass?: string } | undefined)?.qosClass === 'BestEffort';

/** Whether a quota's scope covers a pod. */
export function inScope(scope: string, object: ApiObject): boolean {
  switch (scope) {
    case 'BestEffort': return bestEffort(object);
    case 'NotBestEffort': return !bestEffort(object);
    case 'Terminating': return (object['spec'] as PodSpec).activeDeadlineSeconds !== undefined;
    case 'NotTerminating': return (object['spec'] as PodSpec).activeDeadlineSeconds === undefined;
    default: return true;
  }
}

/** What every container must say something about where it is limited: these alone, which upstream calls a mistake not to be made again. */
const REQUIRED: ReadonlySet<string> = new Set(['cpu', 'memory']);

/** Compute resources a limited pod must say something about, and does not. */
function unsaid(limited: readonly string[], object: ApiObject): readonly string[] {
  const { containers: main = [], initContainers = [] } = object['spec'] as PodSpec;
  const containers = [...main, ...initContainers];
  return limited.filter((name) => {
    const side = name.startsWith('limits.') ? 'limits' : 'requests';
    const resource = name.replace(/^(requests|limits)\./, '');
    return REQUIRED.has(resource) && containers.some((container) => container.resources?.[side]?.[resource] === undefined);
  });
}

const listed = (names: readonly string[], value: (name: string) => Quantity): string => names.map((name) => `${name}=${formatQuantity(value(name))}`).join(',');

/** The status of a quota with the object counted in; throws when it does not fit, undefined when the quota does not care. */
function charged(resource: Resource, name: string, quota: ApiObject, object: ApiObject, usage: ReadonlyMap<string, Quantity>): ApiObject | undefined {
  const { spec, status } = quota as unknown as Quota;
  const pod = resource.kind.kind === 'Pod';
  if (spec?.scopes !== undefined && !(pod && spec.scopes.every((scope) => inScope(scope, object)))) return undefined;
  const hard = status?.hard ?? {};
  const limited = Object.keys(hard).filter((one) => usage.has(one)).sort((a, b) => (a < b ? -1 : 1));
  if (limited.length === 0) return undefined;
  const missing = pod ? unsaid(limited, object) : [];
  if (missing.length > 0) throw forbidden(resource, name, `failed quota: ${quota.metadata.name}: must specify ${missing.join(',')}`);
  const asked = (one: string): Quantity => usage.get(one) ?? ZERO_QUANTITY;
  const used = (one: string): Quantity => amount(status?.used?.[one]);
  const exceeded = limited.filter((one) => compareQuantities(asked(one), ZERO_QUANTITY) > 0 && compareQuantities(addQuantities(used(one), asked(one)), amount(hard[one])) > 0);
  if (exceeded.length > 0) {
    throw forbidden(resource, name, `exceeded quota: ${quota.metadata.name}, requested: ${listed(exceeded, asked)}, used: ${listed(exceeded, used)}, limited: ${listed(exceeded, (one) => amount(hard[one]))}`);
  }
  const grown = Object.fromEntries(limited.map((one) => [one, formatQuantity(addQuantities(used(one), asked(one)))]));
  return { ...quota, status: { ...status, used: { ...status?.used, ...grown } } };
}

export const resourceQuota: AdmissionPlugin = {
  name: 'ResourceQuota',
  verbs: ['create'],
  validate(door: Door, { resource, namespace, name, dryRun }, object) {
    if (namespace === undefined || door.store.size('ResourceQuota') === 0) return;
    const quotas = door.store.by('ResourceQuota', 'namespace', namespace);
    if (quotas.length === 0) return;
    const usage = usageOf(resource, object);
    const updated = quotas.map((quota) => charged(resource, object.metadata.name ?? name, quota, object, usage));
    if (dryRun) return;
    for (const quota of updated) {
      if (quota === undefined) continue;
      door.commit(door.resource('ResourceQuota'), 'MODIFIED', storeKey(namespace, quota.metadata.name), withMetadata(quota, { resourceVersion: door.nextVersion() }));
    }
  },
};
