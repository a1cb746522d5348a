/**
 * The objects that an owner controls: which owners a change of one concerns, which the owner adopts, releases, creates and deletes, and the
 * writes for that. Models: v1.24 pkg/controller/controller_ref_manager.go, garbagecollector/patch.go, and the event handlers of its controllers
 * (addPod, updatePod, deletePod …).
 */
import type { DaemonSet, Pod, ReplicaSet } from '../../apiserver/kinds/index.ts';
import { controllerOf, keyOf } from '../../apiserver/machinery/index.ts';
import type { ApiObject, ObjectInput, OwnerReference, PodTemplateSpec } from '../../apiserver/machinery/index.ts';
import { labelMatcher, present, type LabelMatcher } from '../../schema/values/index.ts';
import { addressOf, create, defineAggregate, remove } from '../runtime/index.ts';
import type { CacheView, Delta, Enqueue, ObjectOf, ObserveContext, Write } from '../runtime/index.ts';
import { createLabelSets } from './label-selection.ts';
import { isReady } from './service-pods.ts';

/** The cached object that an owner reference of a kind names, if its uid is the same. */
export function referenced<K extends string>(
  kind: K,
  namespace: string | undefined,
  owner: OwnerReference | undefined,
  { cache }: Pick<ObserveContext, 'cache'>,
): ObjectOf<K> | undefined {
  if (owner?.kind !== kind) return undefined;
  const found = cache.get(kind, namespace, owner.name);
  return found?.metadata.uid === owner.uid ? found : undefined;
}

export const controllerReference = ({ apiVersion, kind, metadata: { name, uid } }: ApiObject): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** The metadata of a pod of a template, frozen. Models: v1.24 pkg/controller/controller_utils.go GetPodFromTemplate. */
export function podMetadata(owner: ApiObject, { metadata }: PodTemplateSpec, more: Partial<ObjectInput['metadata']> = {}) {
  const { name, namespace } = owner.metadata;
  const { labels, annotations, finalizers } = metadata;
  const ownerReferences = Object.freeze([Object.freeze(controllerReference(owner))]);
  return Object.freeze(present({ generateName: `${name}-`, namespace, labels, annotations, ownerReferences, finalizers, ...more }));
}

export const createPodOf = (about: ApiObject, pod: ObjectInput): Write =>
  create(pod, { then: { about, type: 'Normal', reason: 'SuccessfulCreate', message: 'Created pod: {name}' } });
export const deletePodOf = (about: ApiObject, pod: Pod): Write =>
  remove(pod, { then: { about, type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` } });

function patchOf(object: ApiObject, fields: Readonly<Record<string, unknown>>): Write {
  const {
    kind,
    metadata: { name, namespace, uid },
  } = object;
  const patch = { metadata: { uid, ...fields } };
  // Literals, because each pod of a Job gets such patches.
  return namespace === undefined
    ? { op: 'patch', kind, name, patchType: 'strategic', patch, tolerate: GONE_IS_FINE, awaited: true }
    : { op: 'patch', kind, namespace, name, patchType: 'strategic', patch, tolerate: GONE_IS_FINE, awaited: true };
}
const GONE_IS_FINE: readonly string[] = ['NotFound'];

/** A live check that the owner exists: with a stale cache, objects could be adopted by an owner that is gone. */
const stillThere = (owner: ApiObject): Write => ({ op: 'check', ...addressOf(owner), uid: owner.metadata.uid });

/** Adopts an object without a controller reference. The uid in the patch protects a later object of the same name. */
export const adopt = (object: ApiObject, owner: ApiObject, finalizers: readonly string[] = []): Write =>
  patchOf(object, { ownerReferences: [controllerReference(owner)], ...(finalizers.length === 0 ? {} : { finalizers }) });

export const removeOwners = (object: ApiObject, ownerUids: readonly string[], finalizers: readonly string[] = []): Write =>
  patchOf(object, {
    ownerReferences: ownerUids.map((uid) => ({ $patch: 'delete', uid })),
    ...(finalizers.length === 0 ? {} : { '$deleteFromPrimitiveList/finalizers': finalizers }),
  });

export const dropFinalizers = (object: ApiObject, finalizers: readonly string[]): Write =>
  patchOf(object, { '$deleteFromPrimitiveList/finalizers': finalizers });

/** For aggregates of the objects that owners of a kind control: grouped by the uid of the owner. */
export const byController = (kind: string) => ({
  owner: kind,
  groupOf(object: ApiObject): string | undefined {
    const owner = controllerOf(object);
    return owner?.kind === kind ? owner.uid : undefined;
  },
});

const NONE: readonly never[] = [];

/** The owner of an object whose controller reference has not changed; undefined otherwise. Most changes are of such objects. */
export function keptOwner<K extends string>(kind: K, { object, old }: Delta, context: ObserveContext): ObjectOf<K> | undefined {
  const reference = controllerOf(object);
  return old !== undefined && controllerOf(old) !== reference ? undefined : referenced(kind, object.metadata.namespace, reference, context);
}

/** The owners that a change concerns: the former and the present one; where there is none, those that may adopt the object. */
export function concernedOwners<K extends string>(
  kind: K,
  { type, object, old }: Delta,
  context: ObserveContext,
  adopters: (object: ApiObject, context: ObserveContext) => readonly ObjectOf<K>[],
): readonly ObjectOf<K>[] {
  const { namespace, labels } = object.metadata;
  const reference = controllerOf(object);
  const owner = referenced(kind, namespace, reference, context);
  const before = old === undefined || type === 'DELETED' ? undefined : controllerOf(old);
  const former = before === reference || before?.uid === reference?.uid ? undefined : referenced(kind, namespace, before, context);
  if (former === undefined && owner !== undefined) return [owner];
  const concerned = former === undefined ? NONE : owner === undefined ? [former] : [former, owner];
  if (reference !== undefined || type === 'DELETED') return concerned;
  const mayBeWanted = old === undefined || before !== undefined || old.metadata.labels !== labels;
  return mayBeWanted ? [...concerned, ...adopters(object, context)] : concerned;
}

/** Those of the object's namespace whose selectors match it. */
const selectingOwners =
  <K extends 'DaemonSet' | 'Deployment' | 'ReplicaSet'>(kind: K) =>
  ({ metadata: { namespace, labels } }: ApiObject, { cache }: ObserveContext): readonly ObjectOf<K>[] =>
    cache.by(kind, 'namespace', namespace ?? '').filter(({ spec }) => labelMatcher(spec.selector)(labels));

/** The keys of the owners of a kind that a change concerns. */
export const concernedKeys =
  <K extends 'DaemonSet' | 'Deployment' | 'ReplicaSet'>(kind: K) =>
  (delta: Delta, context: ObserveContext): readonly string[] =>
    concernedOwners(kind, delta, context, selectingOwners(kind)).map(keyOf);

/** How long a pod has to be ready before it counts as available, milliseconds. */
export const minReadyMs = ({ spec }: DaemonSet | ReplicaSet): number => (spec.minReadySeconds ?? 0) * 1000;

/** Added to the time until a pod is available, because times in objects are whole seconds. */
const SLACK_MS = 1000;

/** The sets that a change of a pod enqueues. A pod that becomes ready enqueues its set once more, when it becomes available. */
export function setsOfPod(kind: 'DaemonSet' | 'ReplicaSet') {
  const concerned = concernedKeys(kind);
  return (delta: Delta<'Pod'>, context: ObserveContext): readonly Enqueue[] => {
    const { type, object: pod, old } = delta;
    const keys = concerned(delta, context);
    if (type === 'DELETED' || old === undefined || !isReady(pod) || isReady(old)) return keys;
    const set = referenced(kind, pod.metadata.namespace, controllerOf(pod), context);
    const wait = set === undefined ? 0 : minReadyMs(set);
    return set === undefined || wait === 0 ? keys : [...keys, { key: keyOf(set), afterMs: wait + SLACK_MS }];
  };
}

/** Pods without a controller reference, by namespace: candidates for adoption. */
export const unmanagedPods = defineAggregate<'Pod', ReturnType<typeof createLabelSets<Pod>>>({
  name: 'pods without a managing owner',
  kind: 'Pod',
  owner: '',
  groupOf: (pod) => (controllerOf(pod) === undefined ? (pod.metadata.namespace ?? '') : undefined),
  empty: () => createLabelSets(),
  add: (sets, pod) => sets.add(pod),
  remove: (sets, pod) => sets.remove(pod),
  change(sets, before, after) {
    if (before.metadata.uid === after.metadata.uid) sets.replace(before, after);
    else {
      sets.remove(before);
      sets.add(after);
    }
  },
  plain: (sets) => sets.plain(),
});

export const isDying = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;

/** The pods that an owner can adopt; one that is being deleted adopts none. */
export const podsToAdopt = (owner: ApiObject, cache: CacheView, matches: LabelMatcher): readonly Pod[] =>
  isDying(owner)
    ? NONE
    : cache
        .aggregate(unmanagedPods, owner.metadata.namespace ?? '')
        .matching(matches)
        .filter((pod) => !isDying(pod));

/** The same for objects of other kinds. */
export const objectsToAdopt = <K extends 'ReplicaSet' | 'ControllerRevision'>(
  kind: K,
  owner: ApiObject,
  cache: CacheView,
  matches: LabelMatcher,
): readonly ObjectOf<K>[] =>
  isDying(owner)
    ? NONE
    : cache
        .by(kind, 'unmanagedInNamespace', owner.metadata.namespace ?? '')
        .filter((object) => !isDying(object) && matches(object.metadata.labels));

/**
 * Keeps the controlled objects that belong to the owner, releases the others, and adopts orphans after a live check of the owner. An owner
 * that is being deleted releases nothing. Models: v1.24 pkg/controller ClaimPods, ClaimReplicaSets, ClaimControllerRevisions.
 */
export function claim<O extends ApiObject>(
  owner: ApiObject,
  controlled: Iterable<O>,
  belongs: (object: O) => boolean,
  orphans: readonly O[],
  { finalizers = [], checked = true }: { readonly finalizers?: readonly string[]; readonly checked?: boolean } = {},
): { readonly kept: readonly O[]; readonly writes: readonly Write[] } {
  const kept: O[] = [];
  const writes: Write[] = [];
  for (const object of controlled) {
    if (belongs(object)) kept.push(object);
    else if (!isDying(owner)) writes.push(removeOwners(object, [owner.metadata.uid], finalizers));
  }
  if (orphans.length > 0 && checked) writes.push(stillThere(owner));
  for (const orphan of orphans) writes.push(adopt(orphan, owner, finalizers));
  return { kept, writes };
}
