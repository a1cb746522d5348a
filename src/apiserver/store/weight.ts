/** The approximate memory size of a value, equal on every host: it bounds the history. */
import { newItems } from '../../engine/index.ts';

/** Bytes of a reference and of a small value. */
const SLOT = 8;
/** Bytes of an object or list before its members. */
const HEADER = 32;
/** Deeper than any kind; a body that nests deeper is refused earlier. */
const DEEPEST = 200;

/** Returns the size of a value in bytes, without the parts that it shares by reference with another revision (`beside`). */
export function weightOf(value: unknown, beside?: unknown, depth = 0): number {
  if (typeof value === 'string') return SLOT + HEADER + value.length;
  if (typeof value !== 'object' || value === null || value === beside || depth > DEEPEST) return SLOT;
  return Array.isArray(value) ? weightOfList(value, beside, depth) : weightOfMembers(value, beside, depth);
}

function weightOfMembers(value: object, beside: unknown, depth: number): number {
  const members = value as Readonly<Record<string, unknown>>;
  const other = typeof beside === 'object' && beside !== null ? (beside as Readonly<Record<string, unknown>>) : undefined;
  let bytes = HEADER;
  for (const key in members) {
    const member = members[key];
    const same = other?.[key];
    bytes += SLOT + (member === same ? 0 : weightOf(member, same, depth + 1));
  }
  return bytes;
}

/** By index: iterating over property names would allocate each of them. */
function weightOfList(value: readonly unknown[], beside: unknown, depth: number): number {
  const other: readonly unknown[] = Array.isArray(beside) ? beside : [];
  const { from, to } = newItems(value, other);
  let bytes = HEADER + SLOT * value.length;
  for (let at = from; at < to; at++) {
    const item = value[at];
    if (item !== other[at]) bytes += weightOf(item, other[at], depth + 1);
  }
  return bytes;
}
