/**
 * Maintains pods with identities: each with its ordinal, name and claims, created and deleted in order, and replaced one by one when the
 * template changes. Models: v1.24 pkg/controller/statefulset. Differs: a percentage of maxUnavailable rounds up; pods are deleted by uid; a
 * deleted claim enqueues its set; of the time until a pod is available only the end causes a sync.
 */
import { defineController, idle, watchOnly, watch, writeStatus, type Outcome } from '../../runtime/index.ts';
import { setClaims } from './claims.ts';
import { emptyDraft, type Draft, isRelevant, statusOf, rollOut } from './update.ts';
import { isDying, NOTHING_KNOWN, type Known, type SetInput, type SetMemory, waitForAvailable } from './input.ts';
import { adoptRevisions, readSet, adoptPods, learn, recoverSet, setsOfClaim, setsOfPod } from './recover.ts';
import { orphanPods, setPods, type SetPods } from './pods.ts';
import { decideRevisions, listRevisions, truncateHistory, type Revisions } from './revisions.ts';
import { condemn, fillOrdinals } from './scale.ts';

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
