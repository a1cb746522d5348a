/** Members in published order: objects that the server extends have the order of decoded ones. */
import { deepFreeze, type Schema } from '../../schema/shape/index.ts';

/** Returns the members in the order of the schema, one level deep; undefined members are dropped. */
export function inOrder<T extends object>(shape: Schema | undefined, value: T): T {
  if (shape?.type !== 'object') return value;
  const given = value as Readonly<Record<string, unknown>>;
  const result: Record<string, unknown> = {};
  for (const name in shape.fields) if (given[name] !== undefined) result[name] = given[name];
  return result as T;
}

/** Returns a frozen copy of a shared subtree with some members replaced, in published order. */
export const withMembers = <T extends object>(shape: Schema | undefined, value: T, members: Partial<T>): T =>
  deepFreeze(inOrder(shape, { ...value, ...members }));
