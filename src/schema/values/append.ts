/** Adds the items of lists at the end of another, however many: `push(...items)` takes a stack as deep as the list is long. */
export function append<T>(into: T[], ...lists: readonly (readonly T[])[]): void {
  // By position: most lists are empty, and an iterator each is more than nothing.
  for (let which = 0; which < lists.length; which++) {
    const list = lists[which];
    if (list !== undefined) for (let at = 0; at < list.length; at++) into.push(list[at] as T);
  }
}
