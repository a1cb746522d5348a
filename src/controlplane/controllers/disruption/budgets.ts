/**
 * The pods that budgets cover, updated pod by pod, so that a sync reads counts. And the number of pods that a budget expects, and how many
 * of them are healthy. Models: the loops over pods of v1.24 pkg/controller/disruption, as incremental updates.
 */
import { controllerOf, sameValue, type OwnerReference } from '../../../apiserver/machinery/index.ts';
import type { Pod, PodDisruptionBudget, KindRegistry, ObjectByKind } from '../../../apiserver/kinds/index.ts';
import type { CacheView, Delta } from '../../runtime/index.ts';
import { labelMatcher, type Labels, scaledIntOrPercent, compareText } from '../../../schema/values/index.ts';
import { addTo, dropFrom, ensure, isReady } from '../../shared/index.ts';

export interface Covered {
  readonly selector: PodDisruptionBudget['spec']['selector'];
  readonly matches: (labels: Labels | undefined) => boolean;
  readonly pods: Map<string, Pod>;
  /** Pods that are ready and not being deleted. */
  healthy: number;
  /** Controllers of the pods, by uid, with the number of their pods. */
  readonly controllers: Map<string, { readonly owner: OwnerReference; pods: number }>;
}

export interface Budgets {
  readonly byKey: Map<string, Covered>;
  readonly byNamespace: Map<string, Set<string>>;
}

export const createBudgets = (): Budgets => ({ byKey: new Map(), byNamespace: new Map() });

export const isHealthy = (pod: Pod): boolean => pod.metadata.deletionTimestamp === undefined && isReady(pod);

function count(covered: Covered, pod: Pod, by: 1 | -1): void {
  if (isHealthy(pod)) covered.healthy += by;
  const owner = controllerOf(pod);
  if (owner === undefined) return;
  const controller = ensure(covered.controllers, owner.uid, () => ({ owner, pods: 0 }));
  if ((controller.pods += by) === 0) covered.controllers.delete(owner.uid);
}

function place(covered: Covered, name: string, pod: Pod | undefined): void {
  const before = covered.pods.get(name);
  if (before !== undefined) count(covered, before, -1);
  if (pod === undefined) covered.pods.delete(name);
  else {
    covered.pods.set(name, pod);
    count(covered, pod, 1);
  }
}

export function followBudget({ byKey, byNamespace }: Budgets, { type, key, object }: Delta<'PodDisruptionBudget'>, cache: CacheView): void {
  const { namespace = '' } = object.metadata;
  if (type === 'DELETED') {
    byKey.delete(key);
    dropFrom(byNamespace, namespace, key);
    return;
  }
  const { selector } = object.spec;
  const known = byKey.get(key);
  if (known !== undefined && sameValue(known.selector, selector)) return;
  const covered: Covered = { selector, matches: labelMatcher(selector), pods: new Map(), healthy: 0, controllers: new Map() };
  for (const pod of cache.by('Pod', 'namespace', namespace))
    if (covered.matches(pod.metadata.labels)) place(covered, pod.metadata.name, pod);
  byKey.set(key, covered);
  addTo(byNamespace, namespace, key, () => new Set());
}

export function followPod({ byKey, byNamespace }: Budgets, { type, object }: Delta<'Pod'>): void {
  if (byKey.size === 0) return;
  const { namespace = '', name, labels } = object.metadata;
  for (const key of byNamespace.get(namespace) ?? []) {
    const covered = byKey.get(key);
    if (covered === undefined) continue;
    const stays = type !== 'DELETED' && covered.matches(labels);
    if (stays || covered.pods.has(name)) place(covered, name, stays ? object : undefined);
  }
}

const NO_KEYS: readonly string[] = [];

/** Budgets that a change of a pod concerns: those that cover it after the change. */
export function concerned({ byKey, byNamespace }: Budgets, { type, object, old }: Delta<'Pod'>): readonly string[] {
  if (byKey.size === 0) return NO_KEYS;
  const keys = byNamespace.get(object.metadata.namespace ?? '');
  if (keys === undefined) return [];
  if (type === 'MODIFIED' && old !== undefined && isSame(object, old)) return [];
  return [...keys].filter((key) => byKey.get(key)?.matches(object.metadata.labels) === true);
}

/** Whether a change does not affect any budget. */
const isSame = (pod: Pod, old: Pod): boolean =>
  isHealthy(pod) === isHealthy(old) &&
  pod.metadata.deletionTimestamp === old.metadata.deletionTimestamp &&
  pod.metadata.labels === old.metadata.labels &&
  controllerOf(pod)?.uid === controllerOf(old)?.uid;

interface Around {
  readonly cache: CacheView;
  readonly registry: KindRegistry;
}

/**
 * The number of pods that a budget expects, and how many of them must be healthy; a text is the reason why the number is unknown. Models:
 * v1.24 pkg/controller/disruption getExpectedPodCount, getExpectedScale.
 */
export function expectedPods(
  { spec: { minAvailable, maxUnavailable }, metadata: { namespace } }: PodDisruptionBudget,
  covered: Covered,
  around: Around,
): { readonly expected: number; readonly desired: number } | string {
  if (maxUnavailable === undefined && typeof minAvailable === 'number') return { expected: covered.pods.size, desired: minAvailable };
  const share = maxUnavailable ?? minAvailable;
  if (share === undefined) return { expected: 0, desired: 0 };
  const scale = scaleOf(covered, namespace, around);
  if (typeof scale === 'string') return scale;
  const { value, error } = scaledIntOrPercent(share, scale, true);
  if (value === undefined) return error;
  return { expected: scale, desired: maxUnavailable === undefined ? value : Math.max(0, scale - value) };
}

/** The wanted replicas of all controllers of the pods: a percentage refers to wanted pods, not to existing ones. */
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
