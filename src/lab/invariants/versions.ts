/** The versions of an object on which a decision of its controller may be based. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { isOf, type ObjectNamed } from '../../apiserver/kinds/index.ts';
import type { Change } from '../../apiserver/store/index.ts';

/** The newest version of each object, and the versions since the one that its status has observed. */
export interface Versions<Self> {
  observe(change: Change): void;
  of(uid: string): readonly Self[];
  /** Returns the state as plain data. */
  describe(): unknown;
}

/** For a kind whose status has observedGeneration and is written last in a sync, on the newest version only. */
export function createVersions<K extends string>(kind: K): Versions<ObjectNamed<K>> {
  const known = new Map<string, ObjectNamed<K>[]>();
  return {
    observe({ type, object }) {
      if (!isOf(kind, object)) return;
      const { uid, generation = 0 } = object.metadata;
      if (type === 'DELETED') {
        known.delete(uid);
        return;
      }
      const versions = known.get(uid) ?? [];
      const last: ApiObject | undefined = versions.at(-1);
      // Later decisions are not based on older versions.
      const observed = object['status'] !== last?.['status'] && observedIn(object) >= generation;
      if (observed || last === undefined) known.set(uid, [object]);
      else if (last.metadata.generation === generation) versions[versions.length - 1] = object;
      else versions.push(object);
    },
    of: (uid) => known.get(uid) ?? [],
    describe: () => known,
  };
}

/** Returns the observed generation of a status; 0 where it has none. */
export const observedIn = (object: ApiObject | undefined): number =>
  (object?.['status'] as { readonly observedGeneration?: number } | undefined)?.observedGeneration ?? 0;
