/** The order of a registry. The exports of an `all.ts` have none: a module sorts them by variable name. */
import { compareText } from './bytes.ts';

/** Returns the members named in `first`, in that order, then the others sorted by name. An added member needs no entry in `first`. */
export function inOrder<T>(members: readonly T[], nameOf: (member: T) => string, first: readonly string[]): readonly T[] {
  const ranks = new Map(first.map((name, at) => [name, at]));
  const rankOf = (member: T): number => ranks.get(nameOf(member)) ?? first.length;
  return members.toSorted((a, b) => rankOf(a) - rankOf(b) || compareText(nameOf(a), nameOf(b)));
}
