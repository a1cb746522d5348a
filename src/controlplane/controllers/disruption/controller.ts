/**
 * Computes how many pods of a PodDisruptionBudget may be evicted now; the eviction sub-resource decrements the result. The pods that a budget
 * covers are updated pod by pod, so that a sync reads counts. Models: v1.24 pkg/controller/disruption.
 */
import { controllerOf, sameValue, type OwnerReference } from '../../../apiserver/machinery/index.ts';
import type { Pod, PodDisruptionBudget, KindRegistry, ObjectByKind } from '../../../apiserver/kinds/index.ts';
import { defineController, forKinds, idle, watchOnly, observing, record, watch, write, writeStatus } from '../../runtime/index.ts';
import type { CacheView, Delta, Outcome, Write } from '../../runtime/index.ts';
import type { Labels } from '../../../schema/values/index.ts';
import {
  keptIn,
  addTo,
  compareText,
  formatTime,
  labelMatcher,
  parseTime,
  removeFrom,
  scaledIntOrPercent,
} from '../../../schema/values/index.ts';
import { isReady, present, withCondition } from '../../shared/index.ts';

export interface Covered {
  readonly selector: PodDisruptionBudget['spec']['selector'];
  readonly matches: (labels: Labels | undefined) => boolean;
  readonly pods: Map<string, Pod>;
  /** Pods that are ready and not being deleted. */
  healthy: number;
  /** Controllers of the pods, by uid, with the number of their pods. */
  readonly controllers: Map<string, { readonly owner: OwnerReference; pods: number }>;
}

export const createBudgets = () => ({ byKey: new Map<string, Covered>(), byNamespace: new Map<string, Set<string>>() });
export type Budgets = ReturnType<typeof createBudgets>;

const isHealthy = (pod: Pod): boolean => pod.metadata.deletionTimestamp === undefined && isReady(pod);

function count(covered: Covered, pod: Pod, by: 1 | -1): void {
  if (isHealthy(pod)) covered.healthy += by;
  const owner = controllerOf(pod);
  if (owner === undefined) return;
  const controller = keptIn(covered.controllers, owner.uid, () => ({ owner, pods: 0 }));
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
    removeFrom(byNamespace, namespace, key);
    return;
  }
  const { selector } = object.spec;
  const known = byKey.get(key);
  if (known !== undefined && sameValue(known.selector, selector)) return;
  const covered: Covered = { selector, matches: labelMatcher(selector), pods: new Map(), healthy: 0, controllers: new Map() };
  for (const pod of cache.by('Pod', 'namespace', namespace))
    if (covered.matches(pod.metadata.labels)) place(covered, pod.metadata.name, pod);
  byKey.set(key, covered);
  addTo(byNamespace, namespace, key);
}

export function followPod({ byKey, byNamespace }: Budgets, { type, object }: Delta<'Pod'>): void {
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
  if (type === 'MODIFIED' && old !== undefined && isSame(object, old)) return [];
  return [...(byNamespace.get(object.metadata.namespace ?? '') ?? [])].filter(
    (key) => byKey.get(key)?.matches(object.metadata.labels) === true,
  );
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

/** The update, if the status has changed; the time of a condition alone does not count. */
const updateOf = (budget: PodDisruptionBudget, status: PodDisruptionBudget['status']): readonly Write[] =>
  sameValue(budget.status, status) ? [] : [writeStatus(budget, status)];

export const disruption = forKinds((registry) =>
  defineController<'PodDisruptionBudget', never, Budgets>({
    name: 'disruption',
    component: 'controllermanager',
    reconciles: 'PodDisruptionBudget',
    writes: ['PodDisruptionBudget'],
    models:
      'v1.24 pkg/controller/disruption. Simplified: where several budgets select a pod, each of them is reconciled; only StatefulSets, ReplicaSets and Deployments have scales.',
    watches: [
      watch('Pod', (delta, { state }) => concerned(state, delta), { predicate: { whileThereAre: 'PodDisruptionBudget' } }),
      ...['StatefulSet', 'ReplicaSet', 'Deployment'].map((kind) => watch(kind, watchOnly)),
    ],
    start: createBudgets,
    describe: ({ byKey }) => [...byKey].map(([key, { pods }]) => [key, [...pods.keys()]]),
    observe: observing({
      PodDisruptionBudget: (delta, { state, cache }) => followBudget(state, delta, cache),
      Pod: (delta, { state }) => followPod(state, delta),
    }),
    reconcile({ self: budget, key, state, cache, now }): Outcome<never> {
      const covered = state.byKey.get(key);
      if (covered === undefined) return idle('the pods that it selects are not known yet');
      const { namespace = '' } = budget.metadata;
      const notices: Write[] = covered.pods.size === 0 ? [record(budget, 'Normal', 'NoPods', 'No matching pods found')] : [];
      const expected = expectedPods(budget, covered, { cache, registry });
      if (typeof expected === 'string') {
        const message = `Failed to calculate the number of expected pods: ${expected}`;
        return write(
          `the expected number of pods is unknown, so no disruption is allowed: ${expected}`,
          ...notices,
          record(budget, 'Warning', 'CalculateExpectedPodCountFailed', message),
          ...updateOf(budget, failedStatus(budget, expected, now)),
        );
      }
      const { pods, overdue, nextAt } = disruptedPods(budget, covered, now);
      // Upstream prints the namespace in place of the name.
      for (const pod of overdue)
        notices.push(record(pod, 'Warning', 'NotDeleted', `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`));
      const healthy = healthyPods(covered, pods, now);
      const status = statusOf(budget, expected, healthy, pods, now);
      return {
        why: `${healthy} of ${expected.expected} pods healthy, ${expected.desired} required: disruptions allowed ${status.disruptionsAllowed}`,
        writes: [...notices, ...updateOf(budget, status)],
        ...(nextAt === undefined ? {} : { wakeAt: nextAt + 1 }),
      };
    },
  }),
);

type Status = PodDisruptionBudget['status'];
type Times = Readonly<Record<string, string>>;

/** A pod whose eviction was granted should be deleted within this time, milliseconds; after it the pod counts again. */
const DELETION_TIMEOUT_MS = 120_000;

/**
 * The granted evictions of a budget that still count: their times by the names of the pods; pods that should be deleted by now; and when the
 * next is overdue. Models: v1.24 pkg/controller/disruption updatePdbStatus, failSafe, buildDisruptedPodMap; pkg/apis/policy conditions.
 */
function disruptedPods({ status: { disruptedPods: granted = {} } }: PodDisruptionBudget, covered: Covered, now: number) {
  const pods: Record<string, string> = {};
  const overdue: Pod[] = [];
  let nextAt: number | undefined;
  for (const [name, time] of Object.entries(granted)) {
    const pod = covered.pods.get(name);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined || time === null) continue;
    const dueAt = parseTime(time) + DELETION_TIMEOUT_MS;
    if (dueAt < now) {
      overdue.push(pod);
      continue;
    }
    pods[name] = time;
    nextAt = Math.min(nextAt ?? dueAt, dueAt);
  }
  return { pods, overdue, nextAt };
}

/** Healthy pods without a granted eviction. */
function healthyPods({ pods, healthy }: Covered, disrupted: Times, now: number): number {
  const going = Object.entries(disrupted).filter(([name, time]) => {
    const pod = pods.get(name);
    return pod !== undefined && isHealthy(pod) && parseTime(time) + DELETION_TIMEOUT_MS > now;
  });
  return healthy - going.length;
}

function statusOf(
  budget: PodDisruptionBudget,
  { expected, desired }: Exclude<ReturnType<typeof expectedPods>, string>,
  healthy: number,
  disrupted: Times,
  now: number,
): Status {
  const { generation } = budget.metadata;
  // A budget without expected pods allows nothing, so its first pods are protected before they are counted.
  const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
  const [status, reason] = disruptionsAllowed > 0 ? (['True', 'SufficientPods'] as const) : (['False', 'InsufficientPods'] as const);
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
    disruptionsAllowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: withCondition(budget.status.conditions, conditionOf(status, reason, '', generation, now)),
  };
}

/** No disruption is allowed while the expected number is unknown. */
const failedStatus = ({ status }: PodDisruptionBudget, message: string, now: number): Status => ({
  ...status,
  disruptionsAllowed: 0,
  conditions: withCondition(status.conditions, conditionOf('False', 'SyncFailed', message, status.observedGeneration, now)),
});

const conditionOf = (status: string, reason: string, message: string, generation: number | undefined, now: number) =>
  present({
    type: 'DisruptionAllowed',
    status,
    observedGeneration: generation === 0 ? undefined : generation,
    lastTransitionTime: formatTime(now),
    reason,
    message,
  });
