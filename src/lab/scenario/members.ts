/** Members of an object that are there only if there is a value: absent ones stay absent. */

/** `{ [name]: value }`, or nothing if there is no value. */
export const renamed = <K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [P in K]?: V });

export function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<T, K>;
}
