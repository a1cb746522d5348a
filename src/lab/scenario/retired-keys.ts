/** Keys of earlier versions of the format, with their present names. */
const RENAMED: Readonly<Record<string, string>> = { claim: 'assert', furnished: 'bootstrap' };

/** Returns the present name of a key, if it is one of `names`; undefined: it was never another key. */
export function renamedKey(key: string, names: readonly string[]): string | undefined {
  const name = Object.hasOwn(RENAMED, key) ? RENAMED[key] : undefined;
  return name !== undefined && names.includes(name) ? name : undefined;
}
