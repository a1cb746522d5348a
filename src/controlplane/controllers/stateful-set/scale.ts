/**
 * Creates a pod for every ordinal below the wanted number, and deletes those above it. In ordered mode each pod waits for its predecessor;
 * in parallel mode none waits. Models: v1.24 pkg/controller/statefulset updateStatefulSet, its loops over replicas and condemned pods.
 */
import { keyOf } from '../../../apiserver/machinery/index.ts';
import { record } from '../../runtime/index.ts';
import { hasStaleClaim, misownedOrdinals, ownNewClaims, planClaims, reown } from './claims.ts';
import { count, type Draft } from './update.ts';
import { createPod, deletePod, failedCreate, foreignStorage, podEvent, repairPod } from './identity.ts';
import { firstUnavailable, isAvailable, isOrdered, partitionOf, type SetInput } from './input.ts';
import type { OrdinalSet } from '../../shared/index.ts';
import { podName } from './traits.ts';
import { podAt, type SetPods } from './pods.ts';
import type { Revision, Revisions } from './revisions.ts';

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
    if (pods.live.has(ordinal)) count(draft, pods.members.get(ordinal)?.traits.revision ?? '', -1);
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
  count(draft, revision.name, 1);
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
  count(draft, member.traits.revision, -1);
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
