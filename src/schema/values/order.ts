/** The order of a registry. What its `all.ts` exports comes without one: modules keep their exports sorted by the name of the variable. */
import { compareText } from './bytes.ts';

/** Those that `first` names, in that order, then the others by name: what is added needs no place in a second list. */
export function inOrder<T>(members: readonly T[], nameOf: (member: T) => string, first: readonly string[]): readonly T[] {
  const ranks = new Map(first.map((name, at) => [name, at]));
  const rankOf = (member: T): number => ranks.get(nameOf(member)) ?? first.length;
  return members.toSorted((a, b) => rankOf(a) - rankOf(b) || compareText(nameOf(a), nameOf(b)));
}
