/** Returns the own property of a table or of a client's map; never an inherited one, such as `constructor`. */
export const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
