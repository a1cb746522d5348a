/**
 * The containers that a JSON patch may change in place, and the limits of its work: its operations share one document, and each could touch
 * all of it.
 */
import { PatchFailure, tooLarge } from './errors.ts';
import { compareText, isList, isMap, put, type JsonMap } from './values.ts';

export interface Work {
  /** The number of characters added by `copy`. */
  copied: number;
  /** The cost of comparing and moving, in visited members. */
  spent: number;
  /** Containers created by the patch, which no other code refers to. */
  readonly created: Set<unknown>;
}

/**
 * The maximum number of members that one patch may visit to compare and to move. Ten thousand operations on a list of a thousand items need
 * a sixth of it.
 */
const MOST_WORK = 2_000_000;
/** The number of moved list items that cost as much as one compared member. */
const MOVED_AT_ONCE = 32;

/**
 * Adds to the cost of work that is not proportional to the size of the operation.
 * @throws {PatchFailure} beyond the limit.
 */
export function spend(work: Work, how: 'compared' | 'moved', members: number): void {
  work.spent += how === 'moved' ? members / MOVED_AT_ONCE : members;
  if (work.spent > MOST_WORK)
    throw new PatchFailure(tooLarge(`the operations of this JSON patch compare and move more than ${MOST_WORK} members; send it in parts`));
}

/** Returns the container itself if the patch created it, otherwise a copy that the patch may change. */
export function writable(container: JsonMap | readonly unknown[], { created }: Work): Record<string, unknown> | unknown[] {
  if (created.has(container)) return container as Record<string, unknown> | unknown[];
  const made = isList(container) ? [...container] : { ...container };
  created.add(made);
  return made;
}

/** Returns a copy that shares nothing that the patch may still change. */
export function cloned(value: unknown, work: Work): unknown {
  if (isList(value)) return value.map((item) => cloned(item, work));
  if (!isMap(value)) return value;
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) put(made, key, cloned(value[key], work));
  if (work.created.has(value)) sortMembers(made);
  return made;
}

/** Sorts the keys of changed maps, as they are encoded. */
export function sortCreated({ created }: Work): void {
  for (const container of created) if (isMap(container)) sortMembers(container);
}

function sortMembers(map: Record<string, unknown>): void {
  const keys = Object.keys(map);
  if (keys.every((key, at) => at === 0 || compareText(keys[at - 1] ?? '', key) < 0)) return;
  const entries = keys.sort(compareText).map((key) => [key, map[key]] as const);
  for (const [key] of entries) delete map[key];
  for (const [key, value] of entries) put(map, key, value);
}
