/**
 * Replaces outdated pods, from the highest ordinal down to the partition, one at a time or as many as may be unavailable. And the status of
 * a set after a sync. Models: v1.24 pkg/controller/statefulset updateStatefulSet, updateStatefulSetAfterInvariantEstablished,
 * updateStatefulSet (the counting), completeRollingUpdate, inconsistentStatus.
 */
import { rulesOf } from '../../../apiserver/machinery/index.ts';
import { legacyIntOrPercent, present, unlessZero } from '../../../schema/values/index.ts';
import { deletePod } from './identity.ts';
import { partitionOf, type SetInput, unavailableCount } from './input.ts';
import { podAt, type SetPods, liveCount } from './pods.ts';
import type { Revisions } from './revisions.ts';
import type { Write } from '../../runtime/index.ts';
import type { StatefulSetStatus } from '../../../apiserver/kinds/index.ts';

export function rollOut(input: SetInput, pods: SetPods, revisions: Revisions, draft: Draft): void {
  if (input.self.spec.updateStrategy.type === 'OnDelete') return;
  if (input.gates['MaxUnavailableStatefulSet'] === true) replaceUpTo(input, pods, revisions, draft);
  else replaceOne(input, pods, revisions, draft);
}

/** Replaces the highest outdated pod, unless a pod above it is unhealthy: then that one must become healthy first. */
function replaceOne({ self: set }: SetInput, pods: SetPods, revisions: Revisions, draft: Draft): void {
  const top = set.spec.replicas - 1;
  if (top < 0) return;
  const stale = highestStale(pods, revisions, top);
  const unwell = pods.healthy.previousAbsent(top) ?? -1;
  if (stale >= partitionOf(set) && stale >= unwell) replace({ self: set }, pods, revisions, draft, stale);
  else if (unwell >= partitionOf(set))
    draft.why.push(`${podAt(pods, unwell)?.metadata.name ?? 'a new pod'} is not ready: the rolling update waits for it`);
}

/** Replaces outdated pods, from the highest, up to maxUnavailable together with those that are unavailable already. */
function replaceUpTo(input: SetInput, pods: SetPods, revisions: Revisions, draft: Draft): void {
  const { self: set } = input;
  const { replicas } = set.spec;
  let mayGo = maxUnavailable(input, replicas) - (replicas - pods.healthy.countBelow(replicas));
  let stale = highestStale(pods, revisions, replicas - 1);
  if (mayGo <= 0 && stale >= partitionOf(set)) draft.why.push('maxUnavailable is reached: the rolling update waits');
  for (; mayGo > 0 && stale >= partitionOf(set); mayGo--) {
    replace({ self: set }, pods, revisions, draft, stale);
    stale = stale === 0 ? -1 : highestStale(pods, revisions, stale - 1);
  }
}

/** A percentage of the pods rounds up, or down as in v1.24: rule `stateful-set/max-unavailable-rounds-up`. */
function maxUnavailable(input: SetInput, replicas: number): number {
  const roundsUp = rulesOf(input) === 'specification';
  const scaled = legacyIntOrPercent(input.self.spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1, replicas, roundsUp);
  return scaled.error === undefined ? Math.max(1, scaled.value) : 1;
}

function replace({ self: set }: Pick<SetInput, 'self'>, pods: SetPods, { update }: Revisions, draft: Draft, ordinal: number): void {
  const pod = podAt(pods, ordinal);
  if (pod === undefined) return;
  draft.writes.push(deletePod(set, pod));
  // As in upstream, the pod is subtracted from the current revision's count, whatever revision it has.
  draft.current--;
  draft.why.push(`${pod.metadata.name} is to be recreated from revision ${update.name}`);
}

/** The highest ordinal up to `top` whose pod is not of the update revision and not being deleted; -1: none. */
function highestStale(pods: SetPods, { update }: Revisions, top: number): number {
  let highest = -1;
  if (top < 0) return highest;
  for (const [revision, { live }] of pods.revisions) {
    if (revision === update.name) continue;
    const here = live.previous(top);
    if (here !== undefined && here > highest) highest = here;
  }
  return highest;
}

/** The writes of a sync as they are collected, and their effect on the counts. */
export interface Draft {
  readonly writes: Write[];
  /** Deletions of old revisions, written at the end. */
  readonly forgotten: Write[];
  /** Change of the number of pods. */
  replicas: number;
  /** Change of the number of live pods by revision. */
  readonly revisions: Map<string, number>;
  /** Change of the count of the current revision alone, even where it is the update's as well. */
  current: number;
  /** What is done or waited for, in words; the first entry counts. */
  readonly why: string[];
  /** The sync ends here without a status, and the key backs off. */
  failed: boolean;
}

export const emptyDraft = (): Draft => ({
  writes: [],
  forgotten: [],
  replicas: 0,
  revisions: new Map(),
  current: 0,
  why: [],
  failed: false,
});

export function count(draft: Draft, revision: string, by: 1 | -1): void {
  draft.revisions.set(revision, (draft.revisions.get(revision) ?? 0) + by);
}

/** Zeros are omitted where the API omits them. */
export function statusOf(
  input: SetInput,
  pods: SetPods,
  { current, update, collisions }: Revisions,
  draft: Pick<Draft, 'replicas' | 'revisions' | 'current'>,
): StatefulSetStatus {
  const { self: set } = input;
  const ready = pods.ready.size;
  const replicas = pods.members.size + draft.replicas;
  const countOf = (revision: string, besides = 0): number =>
    Math.max(0, liveCount(pods, revision) + (draft.revisions.get(revision) ?? 0) + besides);
  const updated = countOf(update.name);
  // The update is complete: the update revision becomes the current one.
  const complete = set.spec.updateStrategy.type === 'RollingUpdate' && updated === replicas && ready === replicas;
  const ofCurrent = complete ? updated : countOf(current.name, draft.current);
  return present({
    observedGeneration: set.metadata.generation,
    replicas,
    readyReplicas: unlessZero(ready),
    currentReplicas: unlessZero(ofCurrent),
    updatedReplicas: unlessZero(updated),
    currentRevision: complete ? update.name : current.name,
    updateRevision: update.name,
    collisionCount: collisions,
    availableReplicas: ready - unavailableCount(input, pods),
  });
}

const COMPARED = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'currentRevision',
  'updateRevision',
] as const;

export function isRelevant(before: StatefulSetStatus, after: StatefulSetStatus): boolean {
  if ((after.observedGeneration ?? 0) > (before.observedGeneration ?? 0)) return true;
  return COMPARED.some((field) => (before[field] ?? 0) !== (after[field] ?? 0) && (before[field] ?? '') !== (after[field] ?? ''));
}
