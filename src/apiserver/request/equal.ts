/** Structural equality of JSON values, and keeping old references where nothing changed. */

/** Whether two JSON values are the same; shared subtrees cost nothing. Key order does not matter. */
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

/** The old value when it equals the new one, so that unchanged subtrees stay shared between revisions. */
export const keep = <T>(old: T, value: T): T => (old !== value && sameValue(old, value) ? old : value);

/** Whether two objects of a kind differ outside `metadata` and the named fields. */
export function differsOutside(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>, ignored: string): boolean {
  for (const key in a) if (key !== 'metadata' && key !== ignored && !sameValue(a[key], b[key])) return true;
  for (const key in b) if (key !== 'metadata' && key !== ignored && b[key] !== undefined && a[key] === undefined) return true;
  return false;
}
