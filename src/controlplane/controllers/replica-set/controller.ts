/**
 * Maintains a number of pods of one template, with its status, and what is done when a write of a sync was refused: an event, the remaining
 * writes that upstream's parallel batches would have sent, a condition in the status, and back-off. Models: v1.24 pkg/controller/replicaset
 * manageReplicas, slowStartBatch, replica_set_utils.go calculateStatus, updateReplicaSetStatus; pkg/controller RealPodControl. Differs: pods
 * are created one after another where upstream sends a batch at once, and deleted by uid.
 */
import type { ReplicaSet, ReplicaSetStatus } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, watch, writeStatus } from '../../runtime/index.ts';
import type { Outcome, Write, Failure, RecoverInput } from '../../runtime/index.ts';
import {
  deletePodOf,
  isDying,
  minReadyMs,
  namespaceTerminates,
  readForStatus,
  refusedPod,
  setsOfPod,
  unmanagedPods,
  writeAgain,
} from '../../shared/index.ts';
import type { RefusedPod } from '../../shared/index.ts';
import { adoptPods, replicaPods, podsToDelete, createPod, availableCount } from './pods.ts';
import type { SetInput, SetMemory, ReplicaPods } from './pods.ts';
import { formatTime, labelMatcher } from '../../../schema/values/index.ts';

/** Larger differences take several syncs. */
const MOST_PER_SYNC = 500;

export const replicaSet = defineController<'ReplicaSet', SetMemory>({
  name: 'replica-set',
  component: 'replicaset-controller',
  reconciles: 'ReplicaSet',
  writes: ['ReplicaSet', 'Pod'],
  watches: [watch('Pod', setsOfPod('ReplicaSet'), { predicate: { owners: ['ReplicaSet', ''] } })],
  aggregates: [replicaPods, unmanagedPods],
  models:
    'Complete. Reads the API server before adoption and after a refused status update. Creates of one sync are sent one after another; upstream sends a batch at once. Upstream: pkg/controller/replicaset.',
  recover: recoverSet,
  resume: ({ self, memory = {} }, answer) => (self === undefined ? undefined : writeAgain(memory, answer)) ?? idle('it is gone'),
  reconcile(input) {
    const { self: set, expectationsSatisfied, now } = input;
    const claim = adoptPods(input);
    const { pods } = claim;
    const plan = expectationsSatisfied && !isDying(set) ? planPods(input, pods) : NOTHING;
    const status = statusOf(set, pods, undefined, now);
    const later = whenAvailable(set, status);
    return {
      why: whyOf(input, pods, plan),
      writes: [...claim.writes, ...plan.writes, ...(isRelevant(set.status, status) ? [writeStatus(set, status)] : [])],
      memory: plan === NOTHING ? null : { planned: plan.creates },
      ...(later === undefined ? {} : { enqueue: [{ key: input.key, afterMs: later }] }),
    } satisfies Outcome<SetMemory>;
  },
  reconcileAbsent: () => ({ memory: null, ...idle('it is gone') }),
});

interface Plan {
  readonly writes: readonly Write[];
  readonly creates: number;
  readonly deletes: number;
}
const NOTHING: Plan = { writes: [], creates: 0, deletes: 0 };

function planPods(input: SetInput, pods: ReplicaPods): Plan {
  const { self: set } = input;
  const missing = set.spec.replicas - pods.active.size;
  if (missing === 0) return NOTHING;
  if (missing > 0) {
    const creates = Math.min(missing, MOST_PER_SYNC);
    return { writes: Array.from({ length: creates }, () => createPod(set)), creates, deletes: 0 };
  }
  const toDelete = podsToDelete(input, pods, Math.min(-missing, MOST_PER_SYNC));
  return { writes: toDelete.map((pod) => deletePodOf(set, pod)), creates: 0, deletes: toDelete.length };
}

/** Wakes up when ready pods become available; a pod that becomes ready enqueues the set itself. */
const whenAvailable = (set: ReplicaSet, { readyReplicas = 0, availableReplicas = 0 }: ReplicaSetStatus): number | undefined =>
  minReadyMs(set) > 0 && readyReplicas === set.spec.replicas && availableReplicas !== set.spec.replicas ? minReadyMs(set) : undefined;

function whyOf({ self: set, expectationsSatisfied }: SetInput, { active, ready }: ReplicaPods, { creates, deletes }: Plan): string {
  const state = `${active.size} of ${set.spec.replicas} pods, ${ready} ready`;
  if (isDying(set)) return `it is being deleted (${state})`;
  if (creates > 0) return `${state}: ${creates} more ${creates === 1 ? 'pod' : 'pods'} to create`;
  if (deletes > 0) return `${state}: ${deletes} too many`;
  if (!expectationsSatisfied) return `its cache does not show all of its own writes yet (${state})`;
  return `${state}: nothing to do`;
}

type Conditions = NonNullable<ReplicaSetStatus['conditions']>;

/** A failure of the set's pods, as its condition states it. */
type ReplicaFailure = Pick<RefusedPod, 'reason'> & { readonly message: string };

function statusOf(set: ReplicaSet, pods: ReplicaPods, failure: ReplicaFailure | undefined, now: number): ReplicaSetStatus {
  const available = availableCount(pods, minReadyMs(set), now);
  const labelled = fullyLabelled(set, pods);
  const { generation } = set.metadata;
  const conditions = conditionsWith(set.status.conditions ?? [], failure, now);
  return {
    replicas: pods.active.size,
    ...(labelled === 0 ? {} : { fullyLabeledReplicas: labelled }),
    ...(pods.ready === 0 ? {} : { readyReplicas: pods.ready }),
    ...(available === 0 ? {} : { availableReplicas: available }),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

function fullyLabelled({ spec }: ReplicaSet, { active, labels }: ReplicaPods): number {
  const matches = labelMatcher({ matchLabels: spec.template.metadata.labels ?? {} });
  if (labels.allMatch(matches)) return active.size;
  return [...active.values()].filter(({ metadata }) => matches(metadata.labels)).length;
}

/** The first failure stays in the condition until there are none. */
function conditionsWith(before: Conditions, failure: ReplicaFailure | undefined, now: number): Conditions {
  const reported = before.some(({ type }) => type === 'ReplicaFailure');
  if (failure === undefined) return before.filter(({ type }) => type !== 'ReplicaFailure');
  return reported ? before : [...before, { type: 'ReplicaFailure', status: 'True', lastTransitionTime: formatTime(now), ...failure }];
}

const COMPARED = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'] as const;
const isRelevant = (before: ReplicaSetStatus, after: ReplicaSetStatus): boolean =>
  COMPARED.some((field) => (before[field] ?? 0) !== (after[field] ?? 0)) ||
  (before.conditions ?? []).length !== (after.conditions ?? []).length;

type Input = RecoverInput<'ReplicaSet', SetMemory>;

function recoverSet(input: Input, failure: Failure): Outcome<SetMemory> | undefined {
  const { self: set, memory = {} } = input;
  const { write, status, dropped } = failure;
  if (set === undefined) return undefined;
  const again = readForStatus(memory, failure);
  if (again !== undefined) return again;
  if (write.op !== 'create' && write.op !== 'delete') return undefined;
  const creating = write.op === 'create';
  if (creating && namespaceTerminates(status))
    return { why: 'its namespace is being deleted, so no pod can be created', writes: dropped.filter(({ op }) => op === 'update') };

  const first = memory.error ?? status.message ?? '';
  const { why, reason, event, batchMates, creates } = refusedPod(set, failure, memory.planned);
  const rest = creating ? batchMates : dropped.filter(({ op }) => op === 'delete');
  const planned = creating ? creates : (memory.planned ?? 0);
  return {
    why,
    writes: [event, ...rest, ...reported(input, set, { reason, message: first })],
    memory: { planned, error: first },
    backoff: 'retry',
  };
}

/** The status with the failure, and the counts of before. */
function reported(input: Input, set: ReplicaSet, trouble: ReplicaFailure): readonly Write[] {
  const { pods } = adoptPods({ ...input, self: set });
  const status = statusOf(set, pods, trouble, input.now);
  return isRelevant(set.status, status) ? [writeStatus(set, status)] : [];
}
