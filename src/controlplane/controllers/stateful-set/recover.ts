/**
 * Recovery when a write of a sync was refused. Models: v1.24 pkg/controller/statefulset stateful_pod_control.go, pkg/controller/history
 * CreateControllerRevision.
 */
import type { ControllerRevision, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { Answer, Failure, Outcome, RecoverInput, Write } from '../../runtime/index.ts';
import { readRevision } from '../../shared/index.ts';
import { claimEvent } from './claims.ts';
import { podEvent } from './identity.ts';
import type { Known, SetMemory } from './input.ts';
import { mayAdopt } from './membership.ts';
import { ordinalNameOf } from './ordinals.ts';
import { judgeCollision } from './revisions.ts';
import { aggregateError } from './scale.ts';

type Input = RecoverInput<'StatefulSet', SetMemory>;
/** The delay before a conflicting status is retried, as upstream's. Milliseconds. */
const RETRY_MS = 10;
/** Upstream's retry.DefaultRetry. */
const MOST_TRIES = 5;

type Create = Extract<Write, { readonly op: 'create' }>;

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

  const {
    kind,
    metadata: { name = '' },
  } = write.object;
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
  const pod =
    dropped.find((write): write is Create => write.op === 'create' && write.object.kind === 'Pod')?.object.metadata.name ??
    `${set.metadata.name}-${ordinal}`;
  return {
    why: `claim ${name} could not be created (${status.reason ?? 'error'}), so neither can its pod`,
    writes: [...events, ...others, failedCreate(set, pod, aggregateError(claimErrors))],
    memory: { ...memory, known: { claimErrors } },
    backoff: 'retry',
  };
}

function failedCreate(set: StatefulSet, pod: string, error: string): Write {
  const { message, ...event } = podEvent(set, 'create', pod, true);
  return { op: 'event', event: { ...event, message: message.replace('{error}', () => error) } };
}

/** Adds the result of a live read to the knowledge of the sync, which then starts anew. */
export function learn(set: StatefulSet, answer: Answer, known: Known): Known {
  if (answer.write.op === 'get' && answer.write.kind === 'StatefulSet') return { ...known, mayAdopt: mayAdopt(set, answer) };
  return answer.object === undefined ? known : judgeCollision(set, answer.object as ControllerRevision, known);
}
