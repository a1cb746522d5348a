/** Claims, volumes, classes and drivers, as scheduling reads them. */
import { nodeSelectorTerms } from '../../../../apiserver/decisions/index.ts';
import { type Names, namespacedName } from '../../../../apiserver/machinery/index.ts';
import type { Node } from '../../../../apiserver/kinds/index.ts';
import { keptIn, removeFrom } from '../../../../schema/values/index.ts';
import type { ObjectOf } from '../../../runtime/index.ts';
import { storageClassOf } from '../../../shared/index.ts';

export type Claim = ObjectOf<'PersistentVolumeClaim'>;
export type Volume = ObjectOf<'PersistentVolume'>;
export type StorageClass = ObjectOf<'StorageClass'>;
export type TopologyTerm = NonNullable<StorageClass['allowedTopologies']>[number];

/** Whether a claim has its volume and the annotation that binding is complete. */
export const isFullyBound = ({ metadata, spec }: Claim, names: Names): boolean =>
  (spec.volumeName ?? '') !== '' && metadata.annotations?.[names.key('pv', 'bind-completed')] !== undefined;

export function isReachable({ spec }: Volume, node: Node): boolean {
  const required = spec.nodeAffinity?.required;
  return required === undefined || nodeSelectorTerms(required.nodeSelectorTerms)(node);
}

const NONE: readonly Volume[] = [];

/**
 * Volumes by what claims search for: available ones by class, and those bound or pre-bound to a claim. Models: v1.24 volumebinding
 * pv_assume_cache.
 */
export function createVolumeIndex(names: Names) {
  const kindTables = new Map<string, Map<string, Volume>>();
  const kindTableOf = new Map<string, string>();
  const kindTableFor = (volume: Volume): string => {
    const { claimRef } = volume.spec;
    return claimRef === undefined ? `class ${storageClassOf(volume, names)}` : `claim ${namespacedName(claimRef)}`;
  };
  return {
    /** A volume was added, changed, or (undefined) removed. */
    set(name: string, volume: Volume | undefined): void {
      const before = kindTableOf.get(name);
      const kindTable = volume === undefined ? undefined : kindTableFor(volume);
      if (before !== undefined && before !== kindTable) {
        removeFrom(kindTables, before, name);
        kindTableOf.delete(name);
      }
      if (volume === undefined || kindTable === undefined) return;
      kindTableOf.set(name, kindTable);
      keptIn(kindTables, kindTable, () => new Map<string, Volume>()).set(name, volume);
    },
    unclaimed: (className: string): Iterable<Volume> => kindTables.get(`class ${className}`)?.values() ?? NONE,
    reservedFor: (claim: string): Iterable<Volume> => kindTables.get(`claim ${claim}`)?.values() ?? NONE,
  };
}
