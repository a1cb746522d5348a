/**
 * The pods that budgets cover, updated pod by pod, so that a sync reads counts. Models: the loops over pods of v1.24
 * pkg/controller/disruption, as incremental updates.
 */
import { controllerOf, type OwnerReference } from '../../../apiserver/machinery/index.ts';
import type { Pod, PodDisruptionBudget } from '../../../apiserver/kinds/index.ts';
import type { CacheView, Delta } from '../../runtime/index.ts';
import { labelMatcher, type Labels } from '../../../schema/values/index.ts';
import { isReady } from '../../shared/index.ts';

/** The pods of one budget. */
export interface Covered {
  readonly selector: PodDisruptionBudget['spec']['selector'];
  readonly matches: (labels: Labels | undefined) => boolean;
  readonly pods: Map<string, Pod>;
  /** Pods that are ready and not being deleted. */
  healthy: number;
  /** Controllers of the pods, by uid, with the number of their pods. */
  readonly controllers: Map<string, { readonly owner: OwnerReference; pods: number }>;
}

/** Budgets by key, and their keys by namespace. */
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
  const controller = covered.controllers.get(owner.uid);
  if (controller === undefined) covered.controllers.set(owner.uid, { owner, pods: by });
  else if ((controller.pods += by) === 0) covered.controllers.delete(owner.uid);
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

/** Updates the covered pods with one delta of a budget. */
export function followBudget({ byKey, byNamespace }: Budgets, { type, key, object }: Delta<'PodDisruptionBudget'>, cache: CacheView): void {
  const { namespace = '' } = object.metadata;
  if (type === 'DELETED') {
    byKey.delete(key);
    const keys = byNamespace.get(namespace);
    if (keys?.delete(key) === true && keys.size === 0) byNamespace.delete(namespace);
    return;
  }
  const { selector } = object.spec;
  const known = byKey.get(key);
  if (known !== undefined && (known.selector === selector || JSON.stringify(known.selector) === JSON.stringify(selector))) return;
  const covered: Covered = { selector, matches: labelMatcher(selector), pods: new Map(), healthy: 0, controllers: new Map() };
  for (const pod of cache.by('Pod', 'namespace', namespace))
    if (covered.matches(pod.metadata.labels)) place(covered, pod.metadata.name, pod);
  byKey.set(key, covered);
  byNamespace.set(namespace, (byNamespace.get(namespace) ?? new Set()).add(key));
}

/** Updates the covered pods with one delta of a pod. */
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

/** Budgets that a change of a pod concerns: those that cover it after the change. */
export function concerned({ byKey, byNamespace }: Budgets, { type, object, old }: Delta<'Pod'>): readonly string[] {
  if (byKey.size === 0) return [];
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
