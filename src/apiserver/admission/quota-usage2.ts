/** The usage of an object for each resource that a quota may limit. Models: v1.24 pkg/quota/v1/evaluator/core. */
import type { ApiObject } from '../machinery/index.ts';
import { own, addQuantities, compareQuantities, parseQuantity, ZERO_QUANTITY, type Quantity } from '../../schema/values/index.ts';
import type { Resource } from '../request/index.ts';

type Amounts = Readonly<Record<string, string>>;
interface Container {
  readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts };
}
export interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly overhead?: Amounts;
}
interface ServiceSpec {
  readonly type?: string;
  readonly ports?: readonly { readonly nodePort?: number }[];
  readonly allocateLoadBalancerNodePorts?: boolean;
}
interface ClaimSpec {
  readonly resources?: { readonly requests?: Amounts };
  readonly storageClassName?: string;
}

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** Returns the quantity of a text; zero for an absent one. */
export const amount = (text: string | undefined): Quantity =>
  text === undefined ? ZERO_QUANTITY : (parseQuantity(text).value ?? ZERO_QUANTITY);
const larger = (a: Quantity, b: Quantity): Quantity => (compareQuantities(a, b) >= 0 ? a : b);
const ONE = amount('1');

/** The amount of a resource that a pod requests: the sum of its containers or the largest init container, plus its overhead. */
function podAmount(spec: PodSpec, side: 'requests' | 'limits', resource: string): Quantity {
  let sum = ZERO_QUANTITY;
  for (const container of spec.containers ?? []) sum = addQuantities(sum, amount(own(container.resources?.[side], resource)));
  for (const container of spec.initContainers ?? []) sum = larger(sum, amount(own(container.resources?.[side], resource)));
  return addQuantities(sum, amount(own(spec.overhead, resource)));
}

/** The number of node ports that a service will need, computed before they are allocated. */
function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts }: ServiceSpec): number {
  if (type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false)) return ports.length;
  return type === 'LoadBalancer' ? ports.filter(({ nodePort = 0 }) => nodePort !== 0).length : 0;
}

/** Returns the usage of an object by the name of the quota resource. */
export function usageOf({ group, kind: { kind, plural } }: Resource, object: ApiObject): ReadonlyMap<string, Quantity> {
  const usage = new Map<string, Quantity>([
    [group === '' ? plural : `count/${plural}.${group}`, ONE],
    [group === '' ? `count/${plural}` : plural, ONE],
  ]);
  if (kind === 'Pod') {
    const spec = object['spec'] as PodSpec;
    for (const name of COMPUTE) {
      const requests = podAmount(spec, 'requests', name);
      usage
        .set(name, requests)
        .set(`requests.${name}`, requests)
        .set(`limits.${name}`, podAmount(spec, 'limits', name));
    }
  } else if (kind === 'Service') {
    const spec = object['spec'] as ServiceSpec;
    usage
      .set('services.nodeports', amount(String(nodePorts(spec))))
      .set('services.loadbalancers', spec.type === 'LoadBalancer' ? ONE : ZERO_QUANTITY);
  } else if (kind === 'PersistentVolumeClaim') {
    const { resources, storageClassName } = object['spec'] as ClaimSpec;
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
