/** Keys of earlier versions of the format, by the names that they have now. */
const RENAMED: Readonly<Record<string, string>> = { claim: 'assert', furnished: 'bootstrap' };

/** What a key is called now, where that is one of these names; undefined: it never was another key. */
export function renamedKey(key: string, names: readonly string[]): string | undefined {
  const name = Object.hasOwn(RENAMED, key) ? RENAMED[key] : undefined;
  return name !== undefined && names.includes(name) ? name : undefined;
}
