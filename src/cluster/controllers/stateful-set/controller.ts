/**
 * Keeps pods that are somebody: each with its ordinal, its name, its claims, started and stopped in order, and replaced one by one when
 * the template changes. Models: v1.24 pkg/controller/statefulset. Differs: a percentage of maxUnavailable rounds up; pods are deleted by
 * uid; a claim that goes wakes its set; of the time until a pod is available only the end is waited for.
 */
import { defineController, writeStatus, type Outcome } from '../../runtime/index.ts';
import { setClaims } from './claims.ts';
import { emptyDraft, type Draft } from './draft.ts';
import { isDying, replicasOf, type SetInput, type SetMemory } from './input.ts';
import { adoptRevisions, askForSet, claimPods } from './membership.ts';
import { orphanPods, setPods, type SetPods } from './pods.ts';
import { learn, recoverSet } from './recover.ts';
import { decideRevisions, listRevisions, truncateHistory, type Revisions } from './revisions.ts';
import { condemn, fillOrdinals } from './scale.ts';
import { isNews, nextAvailableAt, statusOf } from './status.ts';
import { rollOut } from './update.ts';
import { setsOfClaim, setsOfPod } from './watch.ts';

export const statefulSet = defineController<'StatefulSet', SetMemory>({
  name: 'stateful-set',
  component: 'statefulset-controller',
  reconciles: 'StatefulSet',
  writes: ['StatefulSet', 'Pod', 'PersistentVolumeClaim', 'ControllerRevision'],
  watches: [
    { kind: 'Pod', enqueue: setsOfPod },
    { kind: 'PersistentVolumeClaim', enqueue: setsOfClaim },
    { kind: 'ControllerRevision', enqueue: () => undefined },
  ],
  aggregates: [setPods, orphanPods, setClaims],
  models: 'Complete. Pods named with leading zeros are nobody\'s. Upstream: pkg/controller/statefulset, pkg/controller/history.',
  recover: recoverSet,
  resume(input, answer) {
    const { self: set, memory = {} } = input;
    if (set === undefined) return { why: 'it is gone', writes: [] };
    const learned = learn(set, answer, memory);
    return { ...sync({ ...input, self: set }, learned), memory: learned };
  },
  // What an earlier sync remembers was for its own refused writes.
  reconcile: (input) => ({ ...sync(input, {}), memory: null }),
});

function sync(input: SetInput, memory: SetMemory): Outcome<SetMemory> {
  const { self: set } = input;
  const history = listRevisions(input);
  const adoptions = adoptRevisions(input, history);
  const membership = claimPods(input);
  if (adoptions.length > 0 || membership.adopts) {
    if (memory.mayAdopt === undefined) return { why: 'there is something to adopt: the server is asked whether the set is still there', writes: [askForSet(input)] };
    if (!memory.mayAdopt) return { why: 'it is gone or being deleted, so it may not adopt', writes: [], backoff: 'retry' };
  }
  const revisions = decideRevisions(input, history, memory);
  const draft = emptyDraft();
  draft.writes.push(...adoptions, ...membership.writes, ...revisions.writes);
  if (!isDying(set)) manage(input, membership.pods, revisions, draft);
  return conclude(input, membership.pods, revisions, draft, truncateHistory(set, history, membership.pods, revisions));
}

/** Scaling comes before updating, and what is wanted before what is not. */
function manage(input: SetInput, pods: SetPods, revisions: Revisions, draft: Draft): void {
  if (fillOrdinals(input, pods, revisions, draft) && condemn(input, pods, draft)) rollOut(input, pods, revisions, draft);
}

function conclude(input: SetInput, pods: SetPods, revisions: Revisions, draft: Draft, forgotten: Outcome['writes']): Outcome<SetMemory> {
  const { self: set } = input;
  const why = whyOf(input, pods, revisions, draft);
  if (draft.failed) return { why, writes: [...draft.writes, ...forgotten], backoff: 'retry' };
  const status = statusOf(input, pods, revisions, draft);
  const wakeAt = nextAvailableAt(input, pods);
  return {
    why,
    writes: [...draft.writes, ...(isNews(set.status, status) ? [writeStatus(set, status)] : []), ...forgotten],
    ...(wakeAt === undefined ? {} : { wakeAt }),
  };
}

function whyOf({ self: set }: SetInput, pods: SetPods, { news }: Revisions, { why }: Draft): string {
  const [first, ...rest] = why;
  const parts = [...(news === undefined ? [] : [news]), ...(first === undefined ? [] : [rest.length === 0 ? first : `${first}, and ${rest.length} more like it`])];
  if (parts.length > 0) return parts.join('; ');
  const state = `${pods.members.size} of ${replicasOf(set)} pods, ${pods.ready.size} ready`;
  return isDying(set) ? `it is being deleted (${state})` : `${state}: nothing is to be done`;
}
