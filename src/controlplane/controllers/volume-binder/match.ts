/** Whether a volume matches a claim. Models: v1.24 component-helpers/storage/volume FindMatchingVolume and checkVolumeSatisfyClaim. */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../apiserver/kinds/index.ts';
import { compareQuantities, labelMatcher, quantity } from '../../../schema/values/index.ts';

export const classOf = ({ metadata, spec }: PersistentVolumeClaim | PersistentVolume, names: Names): string =>
  metadata.annotations?.[names.key('volume.beta', 'storage-class')] ?? spec.storageClassName ?? '';

const requested = (claim: PersistentVolumeClaim): string => claim.spec.resources.requests?.['storage'] ?? '0';
const capacity = (volume: PersistentVolume): string => volume.spec.capacity?.['storage'] ?? '0';
const mode = ({ spec }: PersistentVolume | PersistentVolumeClaim): string => spec.volumeMode ?? 'Filesystem';

/** Why the volume that a claim names does not match it; undefined: it does. */
export function mismatch(volume: PersistentVolume, claim: PersistentVolumeClaim, names: Names): string | undefined {
  if (compareQuantities(quantity(capacity(volume)), quantity(requested(claim))) < 0) return 'requested PV is too small';
  if (classOf(volume, names) !== classOf(claim, names)) return 'storageClassName does not match';
  if (mode(volume) !== mode(claim)) return 'incompatible volumeMode';
  if (!(claim.spec.accessModes ?? []).every((one) => volume.spec.accessModes?.includes(one) === true)) return 'incompatible accessMode';
  return undefined;
}

/** Whether a volume is pre-bound to exactly this claim. */
export const isFor = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean => {
  const { claimRef } = volume.spec;
  return (
    claimRef?.name === claim.metadata.name &&
    claimRef.namespace === claim.metadata.namespace &&
    (claimRef.uid === undefined || claimRef.uid === '' || claimRef.uid === claim.metadata.uid)
  );
};

/** The requirements on a pre-bound volume; its class and labels do not matter. */
const serves = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  volume.metadata.deletionTimestamp === undefined &&
  compareQuantities(quantity(capacity(volume)), quantity(requested(claim))) >= 0 &&
  mode(volume) === mode(claim) &&
  (claim.spec.accessModes ?? []).every((one) => volume.spec.accessModes?.includes(one) === true);

/** The volume to bind: a pre-bound one, else the smallest available one that matches. */
export function bestMatch(volumes: Iterable<PersistentVolume>, claim: PersistentVolumeClaim, names: Names): PersistentVolume | undefined {
  const selects = claim.spec.selector === undefined ? () => true : labelMatcher(claim.spec.selector);
  let best: PersistentVolume | undefined;
  for (const volume of volumes) {
    if (isFor(volume, claim)) {
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
    if (best === undefined || compareQuantities(quantity(capacity(volume)), quantity(capacity(best))) < 0) best = volume;
  }
  return best;
}
