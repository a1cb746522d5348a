/**
 * The number of pods that a budget expects, and how many of them must be healthy. Models: v1.24 pkg/controller/disruption
 * getExpectedPodCount, getExpectedScale.
 */
import type { KindRegistry, ObjectByKind, PodDisruptionBudget } from '../../../apiserver/kinds/index.ts';
import { controllerOf, type OwnerReference } from '../../../apiserver/machinery/index.ts';
import type { CacheView } from '../../runtime/index.ts';
import { scaledIntOrPercent, type IntOrString, compareText } from '../../../schema/values/index.ts';
import type { Covered } from './budgets.ts';

export interface Expected {
  readonly expected: number;
  readonly desired: number;
}

interface Around {
  readonly cache: CacheView;
  readonly registry: KindRegistry;
}

/** A text is the reason why the number is unknown. */
export function expectedPods(
  { spec: { minAvailable, maxUnavailable }, metadata: { namespace } }: PodDisruptionBudget,
  covered: Covered,
  around: Around,
): Expected | string {
  if (maxUnavailable === undefined && typeof minAvailable === 'number') return { expected: covered.pods.size, desired: minAvailable };
  const share = maxUnavailable ?? minAvailable;
  if (share === undefined) return { expected: 0, desired: 0 };
  const scale = scaleOf(covered, namespace, around);
  if (typeof scale === 'string') return scale;
  const scaled = shareOf(share, scale);
  if (typeof scaled === 'string') return scaled;
  return { expected: scale, desired: maxUnavailable === undefined ? scaled : Math.max(0, scale - scaled) };
}

function shareOf(share: IntOrString, of: number): number | string {
  const { value, error } = scaledIntOrPercent(share, of, true);
  return value ?? error ?? '';
}

/**
 * The wanted replicas of all controllers of the pods: a percentage refers to wanted pods, not to existing ones. Pods without a controller
 * reference do not count.
 */
function scaleOf({ controllers, pods }: Covered, namespace: string | undefined, { cache, registry }: Around): number | string {
  // By uid: the sets of a rollout have one Deployment.
  const scales = new Map<string, number>();
  for (const { owner } of controllers.values()) {
    const scaled = scaledBy(owner, namespace, cache);
    if (scaled === undefined) return unknownScale(owner, firstOf(owner, pods), registry);
    scales.set(scaled.metadata.uid, scaled.spec.replicas);
  }
  let sum = 0;
  for (const replicas of scales.values()) sum += replicas;
  return sum;
}

type Scaled = ObjectByKind['StatefulSet' | 'ReplicaSet' | 'Deployment'];

/** The owner that defines the number of pods: the controlling set, or the Deployment that controls the set. */
function scaledBy({ kind, name, uid }: OwnerReference, namespace: string | undefined, cache: CacheView): Scaled | undefined {
  if (kind !== 'StatefulSet' && kind !== 'ReplicaSet' && kind !== 'Deployment') return undefined;
  const found: Scaled | undefined = cache.get(kind, namespace, name);
  if (found === undefined || found.metadata.uid !== uid) return undefined;
  const above = kind === 'ReplicaSet' ? controllerOf(found) : undefined;
  return above?.kind === 'Deployment' ? scaledBy(above, namespace, cache) : found;
}

const firstOf = ({ uid }: OwnerReference, pods: Covered['pods']): string =>
  [...pods.values()]
    .filter(({ metadata }) => metadata.ownerReferences?.some((reference) => reference.uid === uid))
    .map(({ metadata }) => metadata.name)
    .sort(compareText)[0] ?? '';

/** Upstream then reads the scale sub-resource of any kind. */
function unknownScale({ kind: name, apiVersion }: OwnerReference, pod: string, registry: KindRegistry): string {
  const kind = registry.byKind(name);
  if (kind === undefined || registry.apiVersionOf(kind) !== apiVersion || kind.subresources.includes('scale'))
    return `found no controllers for pod "${pod}"`;
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/', 1)[0] ?? ''}` : '';
  return `${kind.plural}${group} does not implement the scale subresource`;
}
