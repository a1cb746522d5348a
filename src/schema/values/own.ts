/** The member of a table or of a map that somebody sent; never what a prototype holds (`constructor`). */
export const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
