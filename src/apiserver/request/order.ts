/** Members in published order: objects the server adds to are written as if they had been decoded that way. */
import type { ObjectShape, Schema } from '../../grammar/schema/index.ts';

const ranks = new WeakMap<ObjectShape['fields'], ReadonlyMap<string, number>>();

function rankOf(fields: ObjectShape['fields']): ReadonlyMap<string, number> {
  let found = ranks.get(fields);
  if (found === undefined) ranks.set(fields, (found = new Map(Object.keys(fields).map((name, at) => [name, at]))));
  return found;
}

/** The same members in the order of the shape, one level deep; undefined members are dropped. */
export function inOrder<T extends object>(shape: Schema | undefined, value: T): T {
  if (shape?.type !== 'object') return value;
  const rank = rankOf(shape.fields);
  const given = value as Record<string, unknown>;
  const names = Object.keys(given)
    .filter((name) => given[name] !== undefined)
    .sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
  const result: Record<string, unknown> = {};
  for (const name of names) result[name] = given[name];
  return result as T;
}

/** A shallow, frozen copy of a shared subtree with some members replaced, in published order. */
export const withMembers = <T extends object>(shape: Schema | undefined, value: T, members: Partial<T>): T =>
  Object.freeze(inOrder(shape, { ...value, ...members }));
