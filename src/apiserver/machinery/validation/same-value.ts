/**
 * Whether two JSON values are equal, regardless of the order of keys; an undefined member counts as missing. Subtrees shared by reference
 * are not walked.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!sameValue(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  let count = 0;
  for (const key in left) {
    const value = left[key];
    if (value === undefined) continue;
    if (!sameValue(value, right[key])) return false;
    count++;
  }
  for (const key in right) if (right[key] !== undefined) count--;
  return count === 0;
}
