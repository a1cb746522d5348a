/**
 * The volumes that a claim may be bound to, updated as volumes change: those pre-bound to it, and the available ones of its class. And the
 * unscheduled pods that mount a claim: one that waits for its first consumer names them in its event. Models: v1.24
 * pkg/controller/volume/persistentvolume index.go, by class instead of access mode, findNonScheduledPodsByPVC.
 */
import { type Names, namespacedName } from '../../../apiserver/machinery/index.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../apiserver/kinds/index.ts';
import type { CacheView, Delta } from '../../runtime/index.ts';
import { compareQuantities, labelMatcher, quantity, removeFrom, addTo } from '../../../schema/values/index.ts';
import { claimsOf, isBoundTo, storageClassOf } from '../../shared/index.ts';

/** Names of volumes: by the claim in their claimRef, and without one by class. */
export const createCandidates = () => ({ made: new Map<string, Set<string>>(), free: new Map<string, Set<string>>() });
export type Candidates = ReturnType<typeof createCandidates>;

const placeOf = (volume: PersistentVolume, names: Names, { made, free }: Candidates): readonly [Map<string, Set<string>>, string] => {
  const { claimRef } = volume.spec;
  return claimRef === undefined ? [free, storageClassOf(volume, names)] : [made, namespacedName(claimRef)];
};

export function observeCandidates(state: Candidates, { type, object, old }: Delta<'PersistentVolume'>, names: Names): void {
  const { name } = object.metadata;
  const [map, at] = placeOf(object, names, state);
  if (old !== undefined) {
    const [before, key] = placeOf(old, names, state);
    // An unchanged entry keeps its position.
    if (type === 'DELETED' || before !== map || key !== at) removeFrom(before, key, name);
  }
  if (type !== 'DELETED') addTo(map, at, name);
}

/** Volumes pre-bound to the claim first. With `onlyMade` there are no others. */
export function* candidatesFor(
  claim: PersistentVolumeClaim,
  { made, free }: Candidates,
  cache: CacheView,
  names: Names,
  onlyMade: boolean,
): Iterable<PersistentVolume> {
  const sets = [made.get(namespacedName(claim.metadata)), onlyMade ? undefined : free.get(storageClassOf(claim, names))];
  for (const name of sets.flatMap((set) => [...(set ?? [])])) {
    const volume = cache.get('PersistentVolume', undefined, name);
    if (volume !== undefined) yield volume;
  }
}

/**
 * All claims and volumes are reconciled every fifteen seconds, which repairs states without events. Here each object that needs it computes
 * the time of its next resync. Models: v1.24 pkg/controller/volume/persistentvolume resync.
 */
export const nextResync = (now: number): number => (Math.floor(now / RESYNC_MS) + 1) * RESYNC_MS;
const RESYNC_MS = 15_000;

const capacity = (volume: PersistentVolume) => quantity(volume.spec.capacity?.['storage'] ?? '0');
const isLarge = (volume: PersistentVolume, { spec }: PersistentVolumeClaim): boolean =>
  compareQuantities(capacity(volume), quantity(spec.resources.requests?.['storage'] ?? '0')) >= 0;
const grants = (volume: PersistentVolume, { spec }: PersistentVolumeClaim): boolean =>
  (spec.accessModes ?? []).every((one) => volume.spec.accessModes?.includes(one) === true);
const mode = ({ spec }: PersistentVolume | PersistentVolumeClaim): string => spec.volumeMode ?? 'Filesystem';

/** Why the volume that a claim names does not match it; undefined: it does. Models: v1.24 checkVolumeSatisfyClaim. */
export function mismatch(volume: PersistentVolume, claim: PersistentVolumeClaim, names: Names): string | undefined {
  if (!isLarge(volume, claim)) return 'requested PV is too small';
  if (storageClassOf(volume, names) !== storageClassOf(claim, names)) return 'storageClassName does not match';
  if (mode(volume) !== mode(claim)) return 'incompatible volumeMode';
  if (!grants(volume, claim)) return 'incompatible accessMode';
  return undefined;
}

/** The requirements on a pre-bound volume; its class and labels do not matter. */
const serves = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  volume.metadata.deletionTimestamp === undefined && isLarge(volume, claim) && mode(volume) === mode(claim) && grants(volume, claim);

/**
 * The volume to bind: a pre-bound one, else the smallest available one that matches. Models: v1.24 component-helpers/storage/volume
 * FindMatchingVolume.
 */
export function bestMatch(volumes: Iterable<PersistentVolume>, claim: PersistentVolumeClaim, names: Names): PersistentVolume | undefined {
  const selects = claim.spec.selector === undefined ? () => true : labelMatcher(claim.spec.selector);
  let best: PersistentVolume | undefined;
  for (const volume of volumes) {
    if (isBoundTo(volume, claim)) {
      if (serves(volume, claim)) return volume;
      continue;
    }
    if (
      volume.spec.claimRef !== undefined ||
      volume.metadata.deletionTimestamp !== undefined ||
      volume.status.phase !== 'Available' ||
      !selects(volume.metadata.labels) ||
      mismatch(volume, claim, names) !== undefined
    )
      continue;
    if (best === undefined || compareQuantities(capacity(volume), capacity(best)) < 0) best = volume;
  }
  return best;
}

/** Names of pods by the key of a claim. */
export type WaitingPods = Map<string, Set<string>>;

const waits = (pod: Pod | undefined): readonly string[] =>
  pod === undefined || pod.spec.nodeName !== undefined || /^(?:Succeeded|Failed)$/.test(pod.status.phase) ? [] : claimsOf(pod);

export function followPods(waiting: WaitingPods, { type, object, old }: Delta<'Pod'>): void {
  const { name } = object.metadata;
  for (const claim of waits(old)) removeFrom(waiting, claim, name);
  if (type !== 'DELETED') for (const claim of waits(object)) addTo(waiting, claim, name);
}

export function waitingFor(pods: ReadonlySet<string> | undefined): { readonly reason: string; readonly message: string } {
  const [first, ...others] = [...(pods ?? [])];
  if (first === undefined) return { reason: 'WaitForFirstConsumer', message: 'waiting for first consumer to be created before binding' };
  return {
    reason: 'WaitForPodScheduled',
    message:
      others.length === 0 ? `waiting for pod ${first} to be scheduled` : `waiting for pods ${[first, ...others].join(',')} to be scheduled`,
  };
}
