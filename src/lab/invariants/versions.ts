/** Versions of an object that a decision of its controller may rest on. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { isOf, type ObjectNamed } from '../../apiserver/kinds/index.ts';
import type { Change } from '../../apiserver/store/index.ts';

/** The newest version of each object, and those since the one that its status has observed. */
export interface Versions<Self> {
  hear(change: Change): void;
  of(uid: string): readonly Self[];
  /** What it remembers. */
  describe(): unknown;
}

/** Of a kind whose status says which generation it is about, and is written last in a sync, on the newest version alone. */
export function createVersions<K extends string>(kind: K): Versions<ObjectNamed<K>> {
  const known = new Map<string, ObjectNamed<K>[]>();
  return {
    hear({ type, object }) {
      if (!isOf(kind, object)) return;
      const { uid, generation = 0 } = object.metadata;
      if (type === 'DELETED') {
        known.delete(uid);
        return;
      }
      const versions = known.get(uid) ?? [];
      const last: ApiObject | undefined = versions.at(-1);
      // Then nothing rests on older ones.
      const observed = object['status'] !== last?.['status'] && observedIn(object) >= generation;
      if (observed || last === undefined) known.set(uid, [object]);
      else if (last.metadata.generation === generation) versions[versions.length - 1] = object;
      else versions.push(object);
    },
    of: (uid) => known.get(uid) ?? [],
    describe: () => known,
  };
}

/** The generation that a status says it has observed; 0 where it says nothing. */
export const observedIn = (object: ApiObject | undefined): number =>
  (object?.['status'] as { readonly observedGeneration?: number } | undefined)?.observedGeneration ?? 0;
