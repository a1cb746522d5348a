/**
 * Volumes by what claims search for: available ones by class, and those bound or pre-bound to a claim. Models: v1.24 volumebinding
 * pv_assume_cache.
 */
import { type Names, namespacedName } from '../../../../apiserver/machinery/index.ts';
import { classNameOf, type Volume } from './objects.ts';

export interface VolumeIndex {
  /** A volume was added, changed, or (undefined) removed. */
  set(name: string, volume: Volume | undefined): void;
  unclaimed(className: string): Iterable<Volume>;
  reservedFor(claim: string): Iterable<Volume>;
}

const NONE: readonly Volume[] = [];

/** No volumes. */
export function createVolumeIndex(names: Names): VolumeIndex {
  const kindTables = new Map<string, Map<string, Volume>>();
  const kindTableOf = new Map<string, string>();
  const kindTableFor = (volume: Volume): string => {
    const { claimRef } = volume.spec;
    return claimRef === undefined ? `class ${classNameOf(volume, names)}` : `claim ${namespacedName(claimRef)}`;
  };
  return {
    set(name, volume) {
      const before = kindTableOf.get(name);
      const kindTable = volume === undefined ? undefined : kindTableFor(volume);
      if (before !== undefined && before !== kindTable) {
        const volumes = kindTables.get(before);
        volumes?.delete(name);
        if (volumes?.size === 0) kindTables.delete(before);
        kindTableOf.delete(name);
      }
      if (volume === undefined || kindTable === undefined) return;
      kindTableOf.set(name, kindTable);
      const volumes = kindTables.get(kindTable);
      if (volumes === undefined) kindTables.set(kindTable, new Map([[name, volume]]));
      else volumes.set(name, volume);
    },
    unclaimed: (className) => kindTables.get(`class ${className}`)?.values() ?? NONE,
    reservedFor: (claim) => kindTables.get(`claim ${claim}`)?.values() ?? NONE,
  };
}
