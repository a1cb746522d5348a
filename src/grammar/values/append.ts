/** Adds the items of lists at the end of another, however many: `push(...items)` takes a stack as deep as the list is long. */
export function append<T>(into: T[], ...lists: readonly (readonly T[])[]): void {
  for (const list of lists) for (const item of list) into.push(item);
}
