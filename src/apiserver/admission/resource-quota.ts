/**
 * Quotas of a namespace: which objects they count, and their usage of each resource. A create that would exceed a quota is refused, any other
 * is added to its usage. The quota controller maintains the hard limits in the status, and the usage after deletions. Models: apiserver
 * pkg/admission/plugin/resourcequota, pkg/quota/v1/evaluator/core.
 */
import { type ApiObject, produce } from '../machinery/index.ts';
import {
  own,
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  subQuantities,
  ZERO_QUANTITY,
  compareText,
} from '../../schema/values/index.ts';
import type { Quantity } from '../../schema/values/index.ts';
import { isOf, type ObjectNamed, type Pod, type ResourceQuota, type Service } from '../kinds/index.ts';
import { forbidden, type Resource, storeKey } from '../request/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** Returns the quantity of a text; zero for an absent one. */
const amount = (text: string | undefined): Quantity => (text === undefined ? ZERO_QUANTITY : (parseQuantity(text).value ?? ZERO_QUANTITY));
const larger = (a: Quantity, b: Quantity): Quantity => (compareQuantities(a, b) >= 0 ? a : b);
const ONE = amount('1');

/** The amount of a resource that a pod requests: the sum of its containers or the largest init container, plus its overhead. */
function podAmount(spec: Pod['spec'], side: 'requests' | 'limits', resource: string): Quantity {
  let sum = ZERO_QUANTITY;
  for (const container of spec.containers ?? []) sum = addQuantities(sum, amount(own(container.resources[side], resource)));
  for (const container of spec.initContainers ?? []) sum = larger(sum, amount(own(container.resources[side], resource)));
  return addQuantities(sum, amount(own(spec.overhead, resource)));
}

/** The number of node ports that a service will need, computed before they are allocated. */
function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts }: Service['spec']): number {
  if (type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false)) return ports.length;
  return type === 'LoadBalancer' ? ports.filter(({ nodePort = 0 }) => nodePort !== 0).length : 0;
}

/** Returns the usage of an object by the name of the quota resource. */
export function usageOf({ group, kind: { plural, definition } }: Resource, object: ApiObject): ReadonlyMap<string, Quantity> {
  if (definition !== undefined) return new Map([[`count/${plural}.${group}`, ONE]]);
  const usage = new Map<string, Quantity>([
    [group === '' ? plural : `count/${plural}.${group}`, ONE],
    [group === '' ? `count/${plural}` : plural, ONE],
  ]);
  if (isOf('Pod', object)) {
    for (const name of COMPUTE) {
      const requests = podAmount(object.spec, 'requests', name);
      usage
        .set(name, requests)
        .set(`requests.${name}`, requests)
        .set(`limits.${name}`, podAmount(object.spec, 'limits', name));
    }
  } else if (isOf('Service', object)) {
    const { spec } = object;
    usage
      .set('services.nodeports', amount(String(nodePorts(spec))))
      .set('services.loadbalancers', spec.type === 'LoadBalancer' ? ONE : ZERO_QUANTITY);
  } else if (isOf('PersistentVolumeClaim', object)) {
    const { resources, storageClassName } = object.spec;
    const storage = amount(resources?.requests?.['storage']);
    usage.set('requests.storage', storage);
    if (storageClassName !== undefined) {
      usage
        .set(`${storageClassName}.storageclass.storage.k8s.io/requests.storage`, storage)
        .set(`${storageClassName}.storageclass.storage.k8s.io/persistentvolumeclaims`, ONE);
    }
  }
  return usage;
}

type QuotaScopes = Pick<ResourceQuota['spec'], 'scopes' | 'scopeSelector'>;
interface Requirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

const isBestEffort = ({ status }: Pod): boolean => status?.qosClass === 'BestEffort';

/** Whether the pod has affinity or anti-affinity to pods of other namespaces. */
const crossesNamespaces = ({ spec: { affinity } }: Pod): boolean =>
  [affinity?.podAffinity, affinity?.podAntiAffinity].some((terms) =>
    [
      ...(terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ].some(({ namespaces, namespaceSelector }) => (namespaces ?? []).length > 0 || namespaceSelector !== undefined),
  );

function hasPriority({ spec: { priorityClassName = '' } }: Pod, { operator, values = [] }: Requirement): boolean {
  if (operator === 'Exists') return priorityClassName !== '';
  if (operator === 'DoesNotExist') return priorityClassName === '';
  if (operator === 'NotIn') return !values.includes(priorityClassName);
  return operator === 'In' && priorityClassName !== '' && values.includes(priorityClassName);
}

// Models: podMatchesScopeFunc.
const SCOPES: ReadonlyMap<string, (pod: Pod, requirement: Requirement) => boolean> = new Map([
  ['BestEffort', isBestEffort],
  ['NotBestEffort', (pod) => !isBestEffort(pod)],
  ['Terminating', ({ spec }) => spec.activeDeadlineSeconds !== undefined],
  ['NotTerminating', ({ spec }) => spec.activeDeadlineSeconds === undefined],
  ['PriorityClass', hasPriority],
  ['CrossNamespacePodAffinity', crossesNamespaces],
]);

/** Whether a quota counts the object. Scopes apply to pods only. */
export function covers({ scopes = [], scopeSelector }: QuotaScopes, object: ApiObject): boolean {
  const requirements: readonly Requirement[] = [
    ...scopes.map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(scopeSelector?.matchExpressions ?? []),
  ];
  if (requirements.length === 0) return true;
  return isOf('Pod', object) && requirements.every((requirement) => SCOPES.get(requirement.scopeName)?.(object, requirement) === true);
}

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
  needs: 'ResourceQuota',
  validate(scope, { resource, namespace, name, dryRun, verb }, object, old) {
    if (namespace === undefined) return;
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
