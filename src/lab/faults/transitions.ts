/**
 * The names of what happens to objects in a run, for faults that mean a revision: `Pod default/a~1 gone #1`. Like the addresses of points
 * they contain no generated name, and they count from the start of the scenario.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change, Store } from '../../apiserver/store/index.ts';
import { bump } from '../../schema/values/index.ts';
import type { Transition } from '../scenario/index.ts';

type Metadata = ApiObject['metadata'];

const differs = (before: unknown, after: unknown): boolean => before !== after && JSON.stringify(before) !== JSON.stringify(after);

/** Whether two objects differ outside their metadata and status. */
function differsInSpec(before: ApiObject, after: ApiObject): boolean {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (name !== 'metadata' && name !== 'status' && differs(before[name], after[name])) return true;
  return false;
}

const differsInMetadata = (before: Metadata, after: Metadata): boolean =>
  differs(before.labels, after.labels) || differs(before.annotations, after.annotations);

function transitionOf({ type, object, previous }: Pick<Change, 'type' | 'object' | 'previous'>): Transition {
  if (type === 'DELETED') return 'gone';
  if (previous === undefined) return 'created';
  const [before, after] = [previous.metadata, object.metadata];
  if (before.deletionTimestamp === undefined && after.deletionTimestamp !== undefined) return 'deleting';
  if (differs(before.finalizers, after.finalizers)) return 'finalizers';
  if (differsInSpec(previous, object)) return 'spec';
  if (differs(before.ownerReferences, after.ownerReferences)) return 'owners';
  return differsInMetadata(before, after) ? 'metadata' : 'status';
}

/** Names changes by their revision as they happen, and finds the revision of a name. `roleOf` replaces generated names in a key. */
export function transitionsIn(roleOf: (key: string) => string) {
  const names = new Map<number, string>();
  const revisions = new Map<string, number>();
  const counts = new Map<string, number>();
  return {
    /** Returns the name of a change. A change may be passed several times. */
    name(change: Change): string {
      const known = names.get(change.revision);
      if (known !== undefined) return known;
      const text = `${change.kind} ${roleOf(change.key)} ${transitionOf(change)}`;
      const name = `${text} #${bump(counts, text)}`;
      names.set(change.revision, name);
      revisions.set(name, change.revision);
      return name;
    },
    /** Returns the revision just before or after something has happened; undefined: it has not happened so far. */
    revision(asOf: string): number | undefined {
      const at = asOf.indexOf(' ');
      const found = revisions.get(asOf.slice(at + 1));
      return found === undefined || asOf.startsWith('after') ? found : found - 1;
    },
  };
}

const SUGGESTED = 5;

/**
 * Returns the revision just before or after something has happened, from the changes that a store remembers, with names as they are in this
 * run; or an error text with what has happened to the object.
 */
export function revisionIn(store: Store, asOf: string): number | { readonly error: string } {
  const [, kind = '', key = ''] = asOf.split(' ');
  const transitions = transitionsIn((text) => text);
  const names = (store.changesAfter(kind, 0) ?? []).flatMap((change) => {
    const name = transitions.name(change);
    return change.key === key ? [name] : [];
  });
  const revision = transitions.revision(asOf);
  if (revision !== undefined) return revision;
  const what = names.length === 0 ? `nothing has happened to ${kind} ${key}` : `there is: ${names.slice(-SUGGESTED).join(', ')}`;
  return { error: `${asOf.slice(asOf.indexOf(' ') + 1)} has not happened; ${what}` };
}
