/**
 * Creates a pod for every ordinal below the wanted number, deletes those above it, and replaces outdated ones: from the highest ordinal down to
 * the partition, one at a time or as many as may be unavailable. In ordered mode each pod waits for its predecessor; in parallel mode none
 * waits. And the status of a set after a sync. Models: v1.24 pkg/controller/statefulset updateStatefulSet,
 * updateStatefulSetAfterInvariantEstablished, completeRollingUpdate, inconsistentStatus.
 */
import { rulesOf, keyOf } from '../../../apiserver/machinery/index.ts';
import { legacyIntOrPercent, present, unlessZero, bump } from '../../../schema/values/index.ts';
import {
  deletePod,
  hasStaleClaim,
  misownedOrdinals,
  ownNewClaims,
  planClaims,
  reown,
  createPod,
  failedCreate,
  foreignStorage,
  podEvent,
  repairPod,
} from './identity.ts';
import { partitionOf, type SetInput, unavailableCount, firstUnavailable, isAvailable, isOrdered } from './input.ts';
import { podAt, type SetPods, liveCount, podName } from './pods.ts';
import type { Revisions, Revision } from './revisions.ts';
import { type Write, record } from '../../runtime/index.ts';
import type { StatefulSet, StatefulSetStatus } from '../../../apiserver/kinds/index.ts';
import type { OrdinalSet } from '../../shared/index.ts';

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
  if (stale >= partitionOf(set) && stale >= unwell) replace(set, pods, revisions, draft, stale);
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
    replace(set, pods, revisions, draft, stale);
    stale = stale === 0 ? -1 : highestStale(pods, revisions, stale - 1);
  }
}

/** A percentage of the pods rounds up, or down as in v1.24: rule `stateful-set/max-unavailable-rounds-up`. */
function maxUnavailable(input: SetInput, replicas: number): number {
  const roundsUp = rulesOf(input) === 'specification';
  const scaled = legacyIntOrPercent(input.self.spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1, replicas, roundsUp);
  return scaled.error === undefined ? Math.max(1, scaled.value) : 1;
}

function replace(set: StatefulSet, pods: SetPods, { update }: Revisions, draft: Draft, ordinal: number): void {
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
export type Draft = ReturnType<typeof emptyDraft>;

export const emptyDraft = () => ({
  writes: new Array<Write>(),
  /** Deletions of old revisions, written at the end. */
  forgotten: new Array<Write>(),
  /** Change of the number of pods. */
  replicas: 0,
  /** Change of the number of live pods by revision. */
  revisions: new Map<string, number>(),
  /** Change of the count of the current revision alone, even where it is the update's as well. */
  current: 0,
  /** What is done or waited for, in words; the first entry counts. */
  why: new Array<string>(),
  /** The sync ends here without a status, and the key backs off. */
  failed: false,
});

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

const HIGHEST = 0x7fffffff;
/** The number of pods that one sync creates, at most: the next sync continues. */
const MOST_AT_ONCE = 5_000;

/** Creates missing pods, replaces failed ones, repairs adopted ones. Returns whether the sync may continue. */
export function fillOrdinals(input: SetInput, pods: SetPods, revisions: Revisions, draft: Draft): boolean {
  const { replicas } = input.self.spec;
  if (!isOrdered(input.self)) {
    const absent = absentBelow(pods.present, replicas);
    const todo = new Set<number>([...absent, ...pods.failed.range(0, replicas), ...needRepair(input, pods, replicas)]);
    const filled = [...todo].sort((a, b) => a - b).every((ordinal) => fill(input, pods, revisions, draft, ordinal));
    return filled && absent.length < MOST_AT_ONCE;
  }
  const unavailable = firstUnavailable(input, pods);
  const first = Math.min(pods.healthy.nextAbsent(0), unavailable ?? replicas, replicas);
  for (const ordinal of needRepair(input, pods, first)) fill(input, pods, revisions, draft, ordinal);
  if (first >= replicas) return true;
  const pod = podAt(pods, first);
  if (pod === undefined || pods.failed.has(first)) fill(input, pods, revisions, draft, first);
  else draft.why.push(waitsFor(pods, first, pod.metadata.name));
  return false;
}

function fill(input: SetInput, pods: SetPods, revisions: Revisions, draft: Draft, ordinal: number): boolean {
  const { self: set } = input;
  const pod = podAt(pods, ordinal);
  if (pod !== undefined && !pods.failed.has(ordinal)) {
    draft.writes.push(...repairPod(input, pods, pod, ordinal));
    return true;
  }
  if (pod !== undefined) {
    const text = `StatefulSet ${keyOf(set)} is recreating failed Pod ${pod.metadata.name}`;
    draft.writes.push(record(set, 'Warning', 'RecreatingFailedPod', text), deletePod(set, pod));
    draft.replicas--;
    draft.why.push(`${pod.metadata.name} has failed and is recreated`);
    // A failed pod that is being deleted was not counted for its revision.
    if (pods.live.has(ordinal)) bump(draft.revisions, pods.members.get(ordinal)?.traits.revision ?? '', -1);
  }
  return make(input, pods, revisions, draft, ordinal);
}

function make(input: SetInput, pods: SetPods, revisions: Revisions, draft: Draft, ordinal: number): boolean {
  const { self: set } = input;
  const name = podName(set.metadata.name, ordinal);
  if (hasStaleClaim(input, ordinal)) {
    draft.why.push(`a claim of ${name} belongs to an earlier pod of that name: waiting for its deletion`);
    return false;
  }
  const claims = planClaims(input, ordinal);
  draft.writes.push(...claims.writes);
  if (claims.errors.length > 0) {
    const error = aggregateError(claims.errors);
    draft.writes.push(failedCreate(set, name, error));
    draft.why.push(`${name} cannot be created: ${error}`);
    draft.failed = true;
    return false;
  }
  const revision = revisionFor(input, revisions, ordinal);
  draft.writes.push(createPod(input, ordinal, revision), ...ownNewClaims(input, ordinal, podEvent(set, 'update', name, true)));
  draft.replicas++;
  bump(draft.revisions, revision.name, 1);
  draft.why.push(whyMake(input, pods, ordinal, name));
  return true;
}

/** Several errors in upstream's format. */
export const aggregateError = (errors: readonly string[]): string => (errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`);

/** Below the partition pods keep the current revision. */
function revisionFor({ self: set }: SetInput, { current, update }: Revisions, ordinal: number): Revision {
  if (set.spec.updateStrategy.rollingUpdate !== undefined) return ordinal < partitionOf(set) ? current : update;
  return set.spec.updateStrategy.type === 'RollingUpdate' && ordinal < (set.status.currentReplicas ?? 0) ? current : update;
}

/** Deletes pods with surplus ordinals, the highest first. Returns whether the sync may continue. */
export function condemn(input: SetInput, pods: SetPods, draft: Draft): boolean {
  const { self: set } = input;
  const { replicas } = set.spec;
  for (const ordinal of misownedOrdinals(input, pods, replicas, HIGHEST)) {
    const pod = podAt(pods, ordinal);
    if (pod !== undefined) draft.writes.push(...reown(input, pod, ordinal, podEvent(set, 'update', pod.metadata.name, true)));
  }
  if (!isOrdered(set)) {
    for (let target = pods.live.previous(HIGHEST); target !== undefined && target >= replicas; target = pods.live.previous(target - 1)) {
      scaleDown(input, pods, draft, target);
      if (target === 0) break;
    }
    return true;
  }
  const target = pods.present.previous(HIGHEST);
  const pod = target === undefined || target < replicas ? undefined : podAt(pods, target);
  if (target === undefined || pod === undefined) return true;
  // A pod that is not available may be deleted only if no lower pod is unhealthy.
  if (!pods.live.has(target) || (!isAvailable(input, pods, target) && pods.present.range(0, HIGHEST, pods.healthy).next().value !== target))
    draft.why.push(waitsFor(pods, target, pod.metadata.name));
  else scaleDown(input, pods, draft, target);
  return false;
}

function scaleDown({ self: set }: SetInput, pods: SetPods, draft: Draft, ordinal: number): void {
  const member = pods.members.get(ordinal);
  if (member === undefined) return;
  draft.writes.push(deletePod(set, member.pod));
  bump(draft.revisions, member.traits.revision, -1);
  const { replicas: wanted } = set.spec;
  draft.why.push(
    `${wanted === 0 ? 'no pod is' : wanted === 1 ? 'only one pod is' : `only ${wanted} pods are`} wanted, so ${member.pod.metadata.name} is deleted`,
  );
}

/** Adopted pods that lack the identity or the storage of the set's pods. */
function needRepair(input: SetInput, pods: SetPods, bound: number): readonly number[] {
  const found = new Set<number>(misownedOrdinals(input, pods, 0, bound));
  for (const ordinals of [pods.misnamed, ...foreignStorage(input.self, pods)])
    for (const ordinal of ordinals.range(0, bound)) found.add(ordinal);
  return [...found].sort((a, b) => a - b);
}

function absentBelow(present: OrdinalSet, bound: number): readonly number[] {
  const absent: number[] = [];
  for (let ordinal = present.nextAbsent(0); ordinal < bound && absent.length < MOST_AT_ONCE; ordinal = present.nextAbsent(ordinal + 1))
    absent.push(ordinal);
  return absent;
}

function waitsFor(pods: SetPods, ordinal: number, name: string): string {
  if (!pods.live.has(ordinal)) return `${name} is terminating: the other pods wait for it`;
  return pods.healthy.has(ordinal)
    ? `${name} has not been ready for minReadySeconds: the other pods wait for it`
    : `${name} is not ready: the other pods wait for it`;
}

function whyMake({ self: set }: SetInput, pods: SetPods, ordinal: number, name: string): string {
  if (!isOrdered(set)) return `${name} is missing`;
  if (ordinal === 0) return `${name} is missing and has the lowest ordinal`;
  const before = podName(set.metadata.name, ordinal - 1);
  return pods.present.next(ordinal) === undefined && set.status.replicas <= ordinal
    ? `${before} is ready, so the next ordinal is created`
    : `${name} is missing, and its predecessors are ready`;
}
