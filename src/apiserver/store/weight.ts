/** How much memory a value takes, roughly and alike on every host: what history keeps is bounded by it. */

/** Bytes of a reference and of a small value. */
const SLOT = 8;
/** Bytes of an object or list before its members. */
const HEADER = 32;
/** Deeper than any kind goes; a body that nests deeper is refused before. */
const DEEPEST = 200;

/** Bytes that a value takes beside another revision of it: what both share by reference is not counted. */
export function weightOf(value: unknown, beside?: unknown, depth = 0): number {
  if (typeof value === 'string') return SLOT + HEADER + value.length;
  if (typeof value !== 'object' || value === null || value === beside || depth > DEEPEST) return SLOT;
  const other: Readonly<Record<string, unknown>> | undefined =
    typeof beside === 'object' && beside !== null ? (beside as Readonly<Record<string, unknown>>) : undefined;
  let bytes = HEADER;
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    const same = other === undefined ? undefined : other[key];
    bytes += SLOT + (member === same ? 0 : weightOf(member, same, depth + 1));
  }
  return bytes;
}
