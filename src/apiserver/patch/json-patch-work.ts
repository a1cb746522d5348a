/** What a JSON patch may change in place, and how much it may do: its operations share one document, and each could touch all of it. */
import { PatchFailure, tooLarge } from './errors.ts';
import { compareText, isList, isMap, put, type JsonMap } from './values.ts';

export interface Work {
  /** Characters that `copy` has added. */
  copied: number;
  /** What comparing and moving has cost, in members looked at. */
  spent: number;
  /** Containers that the patch has made, which nobody else sees. */
  readonly own: Set<unknown>;
}

/** Members that one patch may look at to compare and to move; ten thousand operations on a list of a thousand items take a sixth of it. */
const MOST_WORK = 2_000_000;
/** Items that move along in a list for the cost of one member that is compared. */
const MOVED_AT_ONCE = 32;

/** Counts work that is not in proportion to the operation's own size; refuses the patch that asks for too much. */
export function spend(work: Work, how: 'compared' | 'moved', members: number): void {
  work.spent += how === 'moved' ? members / MOVED_AT_ONCE : members;
  if (work.spent > MOST_WORK)
    throw new PatchFailure(tooLarge(`the operations of this JSON patch compare and move more than ${MOST_WORK} members; send it in parts`));
}

/** The container itself if the patch has made it, else a copy that the patch owns. */
export function writable(container: JsonMap | readonly unknown[], { own }: Work): Record<string, unknown> | unknown[] {
  if (own.has(container)) return container as Record<string, unknown> | unknown[];
  const made = isList(container) ? [...container] : { ...container };
  own.add(made);
  return made;
}

/** A copy that shares nothing that the patch may still change. */
export function cloned(value: unknown, work: Work): unknown {
  if (isList(value)) return value.map((item) => cloned(item, work));
  if (!isMap(value)) return value;
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) put(made, key, cloned(value[key], work));
  if (work.own.has(value)) sortMembers(made);
  return made;
}

/** Maps that were changed are encoded in the order of their keys. */
export function sortOwn({ own }: Work): void {
  for (const container of own) if (isMap(container)) sortMembers(container);
}

function sortMembers(map: Record<string, unknown>): void {
  const keys = Object.keys(map);
  if (keys.every((key, at) => at === 0 || compareText(keys[at - 1] ?? '', key) < 0)) return;
  const entries = keys.sort(compareText).map((key) => [key, map[key]] as const);
  for (const [key] of entries) delete map[key];
  for (const [key, value] of entries) put(map, key, value);
}
