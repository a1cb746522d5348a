/** Smaller subsets of a list: halves, quarters and so on are left out, then single items, while the rest still fails. */

/** Delta debugging (ddmin). Returns a list from which no single item can be removed. */
export function fewest<T>(items: readonly T[], still: (items: readonly T[]) => boolean): readonly T[] {
  let left = items;
  let parts = 2;
  while (left.length > 1) {
    const size = Math.ceil(left.length / parts);
    const smaller = without(left, size, still);
    if (smaller !== undefined) {
      left = smaller;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(left.length, parts * 2);
  }
  return left.length === 1 && still([]) ? [] : left;
}

/** Returns the list without one of its parts of a size; undefined: all are needed. */
function without<T>(items: readonly T[], size: number, still: (items: readonly T[]) => boolean): readonly T[] | undefined {
  for (let from = 0; from < items.length; from += size) {
    const rest = [...items.slice(0, from), ...items.slice(from + size)];
    if (still(rest)) return rest;
  }
  return undefined;
}
