/** Appends the items of lists to another list of any length: `push(...items)` would need a stack as deep as the list is long. */
export function append<T>(into: T[], ...lists: readonly (readonly T[])[]): void {
  // By index: most lists are empty, and an iterator for each costs more than the loop.
  for (let which = 0; which < lists.length; which++) {
    const list = lists[which];
    if (list !== undefined) for (let at = 0; at < list.length; at++) into.push(list[at] as T);
  }
}
