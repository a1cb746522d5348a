/**
 * Recovery when a write of a sync was refused. Models: v1.24 pkg/controller/statefulset stateful_pod_control.go, pkg/controller/history
 * CreateControllerRevision.
 */
import type { ControllerRevision, StatefulSet, Pod } from '../../../apiserver/kinds/index.ts';
import {
  type Answer,
  type Failure,
  type Outcome,
  type RecoverInput,
  type Write,
  type Delta,
  type ObserveContext,
  readLive,
} from '../../runtime/index.ts';
import { readRevision, concernedOwners, adopt, claim } from '../../shared/index.ts';
import { claimEvent } from './claims.ts';
import { failedCreate } from './identity.ts';
import { type Known, type SetMemory, isDying, type SetInput } from './input.ts';
import { ordinalNameOf } from './traits.ts';
import { judgeCollision } from './revisions.ts';
import { aggregateError } from './scale.ts';
import { keyOf, type ApiObject, controllerOf, storeKey } from '../../../apiserver/machinery/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import { addPod, emptyPods, orphanPods, setPods, type SetPods } from './pods.ts';

type Input = RecoverInput<'StatefulSet', SetMemory>;
/** The delay before a conflicting status is retried, as upstream's. Milliseconds. */
const RETRY_MS = 10;
/** Upstream's retry.DefaultRetry. */
const MOST_TRIES = 5;

/** Old revisions are deleted also in a sync that failed. */
export function recoverSet(input: Input, failure: Failure): Outcome<SetMemory> {
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
  const pods = dropped.flatMap((write) => (write.op === 'create' && write.object.kind === 'Pod' ? [write.object.metadata.name] : []));
  const pod = pods[0] ?? `${set.metadata.name}-${ordinal}`;
  return {
    why: `claim ${name} could not be created (${status.reason ?? 'error'}), so neither can its pod`,
    writes: [...events, ...others, failedCreate(set, pod, aggregateError(claimErrors))],
    memory: { ...memory, known: { claimErrors } },
    backoff: 'retry',
  };
}

/** Adds the result of a live read to the knowledge of the sync, which then starts anew. */
export function learn(set: StatefulSet, answer: Answer, known: Known): Known {
  if (answer.write.op === 'get' && answer.write.kind === 'StatefulSet') return { ...known, mayAdopt: mayAdopt(set, answer) };
  return answer.object === undefined ? known : judgeCollision(set, answer.object as ControllerRevision, known);
}

/**
 * The sets that a change of a pod or a claim enqueues. Models: v1.24 pkg/controller/statefulset addPod, updatePod, deletePod. Differs: a
 * deleted claim enqueues its set, because a pod may wait for it.
 */
export const setsOfPod = (delta: Delta<'Pod'>, context: ObserveContext): readonly string[] =>
  concernedOwners('StatefulSet', delta, context, namesake).map(keyOf);

/** The set in the pod's name may adopt it. */
function namesake({ metadata: { namespace, name, labels } }: ApiObject, { cache }: ObserveContext): readonly StatefulSet[] {
  const parent = ordinalNameOf(name)?.parent;
  const set = parent === undefined ? undefined : cache.get('StatefulSet', namespace, parent);
  return set !== undefined && labelMatcher(set.spec.selector)(labels) ? [set] : [];
}

/** In the name of a claim the border between template and set is ambiguous, so every one is tried. */
export function setsOfClaim({ type, object }: Delta<'PersistentVolumeClaim'>, { cache }: ObserveContext): readonly string[] {
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
export function adoptPods(input: SetInput): { readonly pods: SetPods; readonly writes: readonly Write[]; readonly adopts: boolean } {
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

export function adoptRevisions({ self: set }: SetInput, history: readonly ControllerRevision[]): readonly Write[] {
  return history.filter((revision) => controllerOf(revision) === undefined).map((revision) => adopt(revision, set));
}

/** A live read of the set before anything is adopted: with a stale cache, objects could be adopted by a set that is gone. */
export const readSet = ({ self }: SetInput): Write => readLive(self, { tolerate: ['NotFound'] });

const mayAdopt = (set: StatefulSet, { object }: Answer): boolean =>
  object?.metadata.uid === set.metadata.uid && object.metadata.deletionTimestamp === undefined;
