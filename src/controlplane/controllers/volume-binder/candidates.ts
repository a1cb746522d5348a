/**
 * The volumes that a claim may be bound to, updated as volumes change: those pre-bound to it, and the available ones of its class. Models:
 * v1.24 pkg/controller/volume/persistentvolume index.go, by class instead of access mode.
 */
import { type Names, namespacedName } from '../../../apiserver/machinery/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../apiserver/kinds/index.ts';
import type { CacheView, Delta } from '../../runtime/index.ts';
import { classOf } from './match.ts';

/** Names of volumes: by the claim in their claimRef, and without one by class. */
export interface Candidates {
  readonly made: Map<string, Set<string>>;
  readonly free: Map<string, Set<string>>;
}

export const createCandidates = (): Candidates => ({ made: new Map(), free: new Map() });

const placeOf = (volume: PersistentVolume, names: Names, { made, free }: Candidates): readonly [Map<string, Set<string>>, string] => {
  const { claimRef } = volume.spec;
  return claimRef === undefined ? [free, classOf(volume, names)] : [made, namespacedName(claimRef)];
};

/** Updates the candidates with one delta of a volume. */
export function observeCandidates(state: Candidates, { type, object, old }: Delta<'PersistentVolume'>, names: Names): void {
  const { name } = object.metadata;
  const [map, at] = placeOf(object, names, state);
  for (const volume of [old, type === 'DELETED' ? object : undefined]) {
    if (volume === undefined) continue;
    const [before, key] = placeOf(volume, names, state);
    // An unchanged entry keeps its position.
    if (type !== 'DELETED' && before === map && key === at) continue;
    const members = before.get(key);
    if (members?.delete(name) === true && members.size === 0) before.delete(key);
  }
  if (type !== 'DELETED') map.set(at, (map.get(at) ?? new Set()).add(name));
}

/** Volumes pre-bound to the claim first. With `onlyMade` there are no others. */
export function* candidatesFor(
  claim: PersistentVolumeClaim,
  { made, free }: Candidates,
  cache: CacheView,
  names: Names,
  onlyMade: boolean,
): Iterable<PersistentVolume> {
  const sets = [made.get(namespacedName(claim.metadata)), onlyMade ? undefined : free.get(classOf(claim, names))];
  for (const name of sets.flatMap((set) => [...(set ?? [])])) {
    const volume = cache.get('PersistentVolume', undefined, name);
    if (volume !== undefined) yield volume;
  }
}
