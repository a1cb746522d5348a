/** Long lists change by a few items at a time: where a list differs from its former revision. Items are compared by reference. */

/** The items of a list in `[from, to)`; all others are those of the former list, at the same place from either end. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** From this length on, comparing two lists costs less than looking at their items. */
export const LONG_LIST = 32;

/** Returns the place of the items that the former list does not have there; without a former list, that of all items. */
export function newItems(list: readonly unknown[], before: readonly unknown[] | null | undefined): Span {
  let to = list.length;
  if (before === undefined || before === null) return { from: 0, to };
  let from = 0;
  let last = before.length;
  while (from < to && from < last && list[from] === before[from]) from++;
  while (to > from && last > from && list[to - 1] === before[last - 1]) {
    to--;
    last--;
  }
  return { from, to };
}
