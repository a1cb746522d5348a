/** What a quota counts: which objects, and their usage of each resource. Models: v1.24 pkg/quota/v1/evaluator/core. */
import { isOf, type Pod, type ResourceQuota, type Service } from '../kinds/index.ts';
import type { ApiObject } from '../machinery/index.ts';
import { own, addQuantities, compareQuantities, parseQuantity, ZERO_QUANTITY, type Quantity } from '../../schema/values/index.ts';
import type { Resource } from '../request/index.ts';

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** Returns the quantity of a text; zero for an absent one. */
export const amount = (text: string | undefined): Quantity =>
  text === undefined ? ZERO_QUANTITY : (parseQuantity(text).value ?? ZERO_QUANTITY);
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

export type QuotaScopes = Pick<ResourceQuota['spec'], 'scopes' | 'scopeSelector'>;
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
