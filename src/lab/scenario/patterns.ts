/** Patterns over the names of invariants: `job/*` selects, `!job/finished-is-final` deselects. */

/** Whether a pattern matches a name; `*` matches any text, including slashes. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}

/** Selects invariants: absent means all; a pattern adds, one with `!` removes; `!` patterns alone start from all. */
export function selectInvariants(patterns: readonly string[] | undefined, names: readonly string[]): readonly string[] {
  if (patterns === undefined) return names;
  const selected = new Set(patterns.length > 0 && patterns.every((pattern) => pattern.startsWith('!')) ? names : []);
  for (const pattern of patterns) {
    const away = pattern.startsWith('!');
    for (const name of names) {
      if (!matchesPattern(away ? pattern.slice(1) : pattern, name)) continue;
      if (away) selected.delete(name);
      else selected.add(name);
    }
  }
  return names.filter((name) => selected.has(name));
}
