/**
 * Maintains pods with identities: each with its ordinal, name and claims, created and deleted in order, and replaced one by one when the
 * template changes; and recovers when a write of a sync was refused. Models: v1.24 pkg/controller/statefulset, its stateful_pod_control.go,
 * pkg/controller/history CreateControllerRevision. Differs: a percentage of maxUnavailable rounds up; pods are deleted by uid; a deleted
 * claim enqueues its set; of the time until a pod is available only the end causes a sync.
 */
import type { ControllerRevision, StatefulSet, Pod } from '../../../apiserver/kinds/index.ts';
import { readLive, defineController, idle, watchOnly, watch, writeStatus } from '../../runtime/index.ts';
import type { Answer, Failure, Outcome, RecoverInput, Write, Delta, ObserveContext } from '../../runtime/index.ts';
import { readRevision, concernedOwners, adopt, claim, isDying } from '../../shared/index.ts';
import { claimEvent, failedCreate, setClaims } from './identity.ts';
import { type Known, type SetMemory, type SetInput, NOTHING_KNOWN, waitForAvailable } from './input.ts';
import { ordinalNameOf, addPod, emptyPods, orphanPods, setPods, type SetPods } from './pods.ts';
import { judgeCollision, decideRevisions, listRevisions, truncateHistory, type Revisions } from './revisions.ts';
import { aggregateError, emptyDraft, type Draft, isRelevant, statusOf, rollOut, condemn, fillOrdinals } from './update.ts';
import { keyOf, type ApiObject, controllerOf, storeKey } from '../../../apiserver/machinery/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';

type Input = RecoverInput<'StatefulSet', SetMemory>;
/** The delay before a conflicting status is retried, as upstream's. Milliseconds. */
const RETRY_MS = 10;
/** Upstream's retry.DefaultRetry. */
const MOST_TRIES = 5;

/** Old revisions are deleted also in a sync that failed. */
function recoverSet(input: Input, failure: Failure): Outcome<SetMemory> {
  const outcome = afterRefusal(input, failure);
  // After a live read `resume` continues with the rest of the sync.
  if (outcome.writes.some((write) => write.op === 'get')) return outcome;
  const forgotten = failure.dropped.filter(
    (write) => write.op === 'delete' && write.kind === 'ControllerRevision' && !outcome.writes.includes(write),
  );
  return forgotten.length === 0 ? outcome : { ...outcome, writes: [...outcome.writes, ...forgotten] };
}

function afterRefusal({ self: set, key, memory: last = {} }: Input, failure: Failure): Outcome<SetMemory> {
  const { write, status } = failure;
  // The status, which is last, was not written.
  const { statusFrom: _, ...memory } = last;
  const failed = { writes: [], memory, backoff: 'retry' } as const;
  const error = status.reason ?? 'error';
  if (write.op === 'update' && write.subresource === 'status' && error === 'Conflict')
    return afterConflict(key, set?.metadata.resourceVersion ?? '', memory);
  if (set === undefined || write.op !== 'create') return { ...failed, why: `a write was refused (${error})` };

  const { kind, metadata } = write.object;
  const { name = '' } = metadata;
  const exists = error === 'AlreadyExists';
  if (kind === 'ControllerRevision' && exists) return { ...readRevision(set, name), memory };
  if (kind === 'PersistentVolumeClaim') return afterRefusedClaim(set, name, memory, failure);
  // A name that is taken is retried without an event, as in upstream: most likely the cache lags.
  if (kind === 'Pod' && exists)
    return { ...failed, why: `pod ${name} exists already: it belongs to another owner or is not in the cache yet` };
  return {
    ...failed,
    why: `${name} could not be created (${error})`,
    writes: kind === 'Pod' ? [failedCreate(set, name, status.message ?? '')] : [],
  };
}

/** The cache may show the change by the next attempt; after as many attempts as upstream makes, the key backs off. */
function afterConflict(key: string, over: string, { conflicts, ...memory }: SetMemory): Outcome<SetMemory> {
  const times = (conflicts?.over === over ? conflicts.times : 0) + 1;
  if (times >= MOST_TRIES)
    return {
      why: `its status update met ${times} conflicts: its cache does not show the change yet`,
      writes: [],
      memory,
      backoff: 'retry',
    };
  return {
    why: 'conflict: the StatefulSet has changed, so its status is computed again',
    writes: [],
    memory: { ...memory, conflicts: { over, times } },
    enqueue: [{ key, afterMs: RETRY_MS }],
    backoff: 'keep',
  };
}

/** The other claims of the pod are created, the pod is not. */
function afterRefusedClaim(set: StatefulSet, name: string, memory: SetMemory, { status, dropped }: Failure): Outcome<SetMemory> {
  const error = status.message ?? '';
  const claimErrors = [...(memory.known?.claimErrors ?? []), `failed to create PVC ${name}: ${error}`];
  const ordinal = ordinalNameOf(name)?.ordinal ?? 0;
  const end = dropped.findIndex((write) => write.op !== 'create' || write.object.kind !== 'PersistentVolumeClaim');
  const others = dropped.slice(0, Math.max(0, end));
  const events: readonly Write[] = status.reason === 'AlreadyExists' ? [] : [{ op: 'event', event: claimEvent(set, name, ordinal, error) }];
  const pod = `${set.metadata.name}-${ordinal}`;
  return {
    why: `claim ${name} could not be created (${status.reason ?? 'error'}), so neither can its pod`,
    writes: [...events, ...others, failedCreate(set, pod, aggregateError(claimErrors))],
    memory: { ...memory, known: { claimErrors } },
    backoff: 'retry',
  };
}

/** Adds the result of a live read to the knowledge of the sync, which then starts anew. */
function learn(set: StatefulSet, answer: Answer, known: Known): Known {
  if (answer.write.op === 'get' && answer.write.kind === 'StatefulSet') return { ...known, mayAdopt: mayAdopt(set, answer) };
  return answer.object === undefined ? known : judgeCollision(set, answer.object as ControllerRevision, known);
}

/**
 * The sets that a change of a pod or a claim enqueues. Models: v1.24 pkg/controller/statefulset addPod, updatePod, deletePod. Differs: a
 * deleted claim enqueues its set, because a pod may wait for it.
 */
const setsOfPod = (delta: Delta<'Pod'>, context: ObserveContext): readonly string[] =>
  concernedOwners('StatefulSet', delta, context, namesake).map(keyOf);

/** The set in the pod's name may adopt it. */
function namesake({ metadata: { namespace, name, labels } }: ApiObject, { cache }: ObserveContext): readonly StatefulSet[] {
  const parent = ordinalNameOf(name)?.parent;
  const set = parent === undefined ? undefined : cache.get('StatefulSet', namespace, parent);
  return set !== undefined && labelMatcher(set.spec.selector)(labels) ? [set] : [];
}

/** In the name of a claim the border between template and set is ambiguous, so every one is tried. */
function setsOfClaim({ type, object }: Delta<'PersistentVolumeClaim'>, { cache }: ObserveContext): readonly string[] {
  const { namespace, name } = object.metadata;
  const parent = type === 'DELETED' ? ordinalNameOf(name)?.parent : undefined;
  if (parent === undefined) return [];
  const found: string[] = [];
  for (let at = parent.indexOf('-'); at >= 0; at = parent.indexOf('-', at + 1)) {
    const set = cache.get('StatefulSet', namespace, parent.slice(at + 1));
    if (set?.spec.volumeClaimTemplates?.some(({ metadata }) => metadata.name === parent.slice(0, at)) === true) found.push(keyOf(set));
  }
  return found;
}

/**
 * The pods of a set as they will be after the writes: those that it controls, selects and has named, and those that it can adopt. Models:
 * v1.24 pkg/controller PodControllerRefManager.ClaimPods, pkg/controller/statefulset getPodsForStatefulSet, adoptOrphanRevisions.
 */
function adoptPods(input: SetInput): { readonly pods: SetPods; readonly writes: readonly Write[]; readonly adopts: boolean } {
  const { self: set, cache } = input;
  const { name: setName, namespace = '', uid } = set.metadata;
  const matches = labelMatcher(set.spec.selector);
  const managed = cache.aggregate(setPods, uid);
  const orphans = isDying(set)
    ? []
    : [...cache.aggregate(orphanPods, storeKey(namespace, setName)).values()].filter(
        ({ metadata }) => metadata.deletionTimestamp === undefined && matches(metadata.labels),
      );
  if (orphans.length === 0 && managed.strays.size === 0 && managed.labels.allMatch(matches))
    return { pods: managed, writes: [], adopts: false };

  // A rare case: labels were edited, or an earlier set left pods behind. All pods are visited once.
  const belongs = (pod: Pod): boolean => ordinalNameOf(pod.metadata.name)?.parent === setName && matches(pod.metadata.labels);
  const { kept, writes } = claim(set, cache.controlledBy('Pod', set), belongs, orphans, { checked: false });
  const pods = emptyPods();
  for (const pod of [...kept, ...orphans]) addPod(pods, pod, setName);
  return { pods, writes, adopts: orphans.length > 0 };
}

function adoptRevisions({ self: set }: SetInput, history: readonly ControllerRevision[]): readonly Write[] {
  return history.filter((revision) => controllerOf(revision) === undefined).map((revision) => adopt(revision, set));
}

/** A live read of the set before anything is adopted: with a stale cache, objects could be adopted by a set that is gone. */
const readSet = ({ self }: SetInput): Write => readLive(self, { tolerate: ['NotFound'] });

const mayAdopt = (set: StatefulSet, { object }: Answer): boolean =>
  object?.metadata.uid === set.metadata.uid && object.metadata.deletionTimestamp === undefined;

export const statefulSet = defineController<'StatefulSet', SetMemory>({
  name: 'stateful-set',
  component: 'statefulset-controller',
  reconciles: 'StatefulSet',
  writes: ['StatefulSet', 'Pod', 'PersistentVolumeClaim', 'ControllerRevision'],
  watches: [
    watch('Pod', setsOfPod, { predicate: { owners: ['StatefulSet', ''] } }),
    watch('PersistentVolumeClaim', setsOfClaim, { predicate: { fields: [] } }),
    watch('ControllerRevision', watchOnly),
  ],
  aggregates: [setPods, orphanPods, setClaims],
  models:
    'Complete. Reads the API server before adoption and for a revision whose name is taken. Pods whose ordinal has leading zeros belong to no StatefulSet. Upstream: pkg/controller/statefulset, pkg/controller/history.',
  recover: recoverSet,
  resume(input, answer) {
    const { self: set, memory } = input;
    return set === undefined ? idle('it is gone') : sync({ ...input, self: set }, learn(set, answer, memory?.known ?? NOTHING_KNOWN));
  },
  reconcile(input) {
    // Upstream overwrites a status that changed meanwhile; waiting for the own write in the cache avoids a conflict.
    if (input.memory?.statusFrom === input.self.metadata.resourceVersion) return idle('its cache does not show its own write yet');
    return sync(input, NOTHING_KNOWN);
  },
});

function sync(input: SetInput, known: Known): Outcome<SetMemory> {
  const { self: set } = input;
  const history = listRevisions(input);
  const adoptions = adoptRevisions(input, history);
  const membership = adoptPods(input);
  if (adoptions.length > 0 || membership.adopts) {
    if (known.mayAdopt === undefined)
      return { why: 'it has orphans to adopt: read the StatefulSet from the API server', writes: [readSet(input)] };
    if (!known.mayAdopt) return { why: 'it is gone or being deleted, so it may not adopt', writes: [], backoff: 'retry' };
  }
  const revisions = decideRevisions(input, history, known);
  const draft = emptyDraft();
  draft.writes.push(...adoptions, ...membership.writes, ...revisions.writes);
  if (!isDying(set)) manage(input, membership.pods, revisions, draft);
  draft.forgotten.push(...truncateHistory(set, history, membership.pods, revisions));
  return conclude(input, membership.pods, revisions, draft, known);
}

/** Scaling comes before updating, and creation before deletion. */
function manage(input: SetInput, pods: SetPods, revisions: Revisions, draft: Draft): void {
  if (fillOrdinals(input, pods, revisions, draft) && condemn(input, pods, draft)) rollOut(input, pods, revisions, draft);
}

function conclude(
  input: SetInput,
  pods: SetPods,
  revisions: Revisions,
  { writes, forgotten, ...draft }: Draft,
  known: Known,
): Outcome<SetMemory> {
  const { self: set } = input;
  const why = whyOf(input, pods, revisions, draft);
  if (draft.failed) return { why, writes: [...writes, ...forgotten], backoff: 'retry' };
  const status = statusOf(input, pods, revisions, draft);
  const changed = isRelevant(set.status, status);
  const { wakeAt, ...lacking } = waitForAvailable(input, pods, status.availableReplicas);
  return {
    why,
    writes: [...writes, ...(changed ? [writeStatus(set, status)] : []), ...forgotten],
    memory: {
      ...lacking,
      ...(known === NOTHING_KNOWN ? {} : { known }),
      ...(changed ? { statusFrom: set.metadata.resourceVersion } : {}),
      ...(input.memory?.conflicts?.over === set.metadata.resourceVersion ? { conflicts: input.memory.conflicts } : {}),
    },
    ...(wakeAt === undefined ? {} : { wakeAt }),
  };
}

function whyOf({ self: set }: SetInput, pods: SetPods, { change }: Revisions, { why }: Pick<Draft, 'why'>): string {
  const [first, ...rest] = why;
  const parts = [
    ...(change === undefined ? [] : [change]),
    ...(first === undefined ? [] : [rest.length === 0 ? first : `${first}, and ${rest.length} more like it`]),
  ];
  if (parts.length > 0) return parts.join('; ');
  const state = `${pods.members.size} of ${set.spec.replicas} pods, ${pods.ready.size} ready`;
  return isDying(set) ? `it is being deleted (${state})` : `${state}: nothing to do`;
}
