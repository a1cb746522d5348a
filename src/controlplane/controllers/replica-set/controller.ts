/**
 * Maintains a number of pods of one template. Models: v1.24 pkg/controller/replicaset. Differs: pods are created one after another where
 * upstream sends a batch at once, and deleted by uid.
 */
import type { ReplicaSet, ReplicaSetStatus } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, watch, writeStatus, type Outcome, type Write } from '../../runtime/index.ts';
import { deletePodOf, unmanagedPods, writeAgain } from '../../shared/index.ts';
import { adoptPods, isDying, minReadyMs, type SetInput, type SetMemory, replicaPods, type ReplicaPods, setsOfPod } from './owned.ts';
import { recoverSet, isRelevant, statusOf } from './status.ts';
import { podsToDelete, createPod } from './pods.ts';

/** Larger differences take several syncs. */
const MOST_PER_SYNC = 500;

export const replicaSet = defineController<'ReplicaSet', SetMemory>({
  name: 'replica-set',
  component: 'replicaset-controller',
  reconciles: 'ReplicaSet',
  writes: ['ReplicaSet', 'Pod'],
  watches: [watch('Pod', setsOfPod, { predicate: { owners: ['ReplicaSet', ''] } })],
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
      memory: plan === NOTHING ? null : { planned: { creates: plan.creates, deletes: plan.deletes } },
      ...(later === undefined ? {} : { enqueue: [{ key: input.key, afterMs: later }] }),
    } satisfies Outcome<SetMemory>;
  },
  reconcileAbsent: () => ({ ...idle('it is gone'), memory: null }),
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
