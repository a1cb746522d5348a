/** What there was at a moment of a recording: names, uids and revisions that a scenario cannot know beforehand. */
import type { TraceLine, TracedObject } from './recording.ts';

export interface History {
  /** Names of the objects of a kind, by creation. */
  names(kind: string, namespace: string | undefined, at: number): readonly (string | undefined)[];
  /** Whether the object of a uid existed. */
  lives(uid: unknown, at: number): boolean;
  /** Whether this was the object's revision. */
  isCurrent(kind: string, namespace: string | undefined, name: string | undefined, resourceVersion: unknown, at: number): boolean;
}

export function historyOf(trace: readonly TraceLine[]): History {
  const upTo = (at: number): readonly TraceLine[] => trace.filter(({ t, object: { metadata } }) => t <= at && metadata !== undefined);
  return {
    names(kind, namespace, at) {
      const names = new Set<string | undefined>();
      for (const { type, object } of upTo(at)) {
        if (object.kind !== kind || object.metadata?.namespace !== namespace) continue;
        if (type === 'DELETED') names.delete(object.metadata?.name);
        else names.add(object.metadata?.name);
      }
      return [...names];
    },
    lives(uid, at) {
      const last = upTo(at).findLast(({ object }) => object.metadata?.uid === uid);
      return typeof uid === 'string' && last !== undefined && last.type !== 'DELETED';
    },
    isCurrent(kind, namespace, name, resourceVersion, at) {
      const is = ({ kind: its, metadata }: TracedObject): boolean =>
        its === kind && metadata?.namespace === namespace && metadata?.name === name;
      return (
        resourceVersion !== undefined && upTo(at).findLast(({ object }) => is(object))?.object.metadata?.resourceVersion === resourceVersion
      );
    },
  };
}
