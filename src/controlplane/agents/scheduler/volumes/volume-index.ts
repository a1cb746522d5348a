/**
 * Volumes by what claims look for: those nobody has claimed by class, and those reserved for a claim. Models: v1.24 volumebinding
 * pv_assume_cache.
 */
import { type Names, namespacedName } from '../../../../apiserver/vocabulary/index.ts';
import { classNameOf, type Volume } from './objects.ts';

export interface VolumeIndex {
  /** A volume is there, has changed, or (undefined) is gone. */
  set(name: string, volume: Volume | undefined): void;
  unclaimed(className: string): Iterable<Volume>;
  reservedFor(claim: string): Iterable<Volume>;
}

const NONE: readonly Volume[] = [];

/** No volumes. */
export function createVolumeIndex(names: Names): VolumeIndex {
  const shelves = new Map<string, Map<string, Volume>>();
  const shelfOf = new Map<string, string>();
  const shelfFor = (volume: Volume): string => {
    const { claimRef } = volume.spec;
    return claimRef === undefined ? `class ${classNameOf(volume, names)}` : `claim ${namespacedName(claimRef)}`;
  };
  return {
    set(name, volume) {
      const before = shelfOf.get(name);
      const shelf = volume === undefined ? undefined : shelfFor(volume);
      if (before !== undefined && before !== shelf) {
        const volumes = shelves.get(before);
        volumes?.delete(name);
        if (volumes?.size === 0) shelves.delete(before);
        shelfOf.delete(name);
      }
      if (volume === undefined || shelf === undefined) return;
      shelfOf.set(name, shelf);
      const volumes = shelves.get(shelf);
      if (volumes === undefined) shelves.set(shelf, new Map([[name, volume]]));
      else volumes.set(name, volume);
    },
    unclaimed: (className) => shelves.get(`class ${className}`)?.values() ?? NONE,
    reservedFor: (claim) => shelves.get(`claim ${claim}`)?.values() ?? NONE,
  };
}
