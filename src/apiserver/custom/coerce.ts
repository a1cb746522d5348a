/**
 * The stored form of a value of a custom resource: unknown fields are pruned, null is dropped where it is not allowed, defaults are set,
 * and empty values are kept. A value that does not fit its schema is kept, and validation reports it. Models: v1.24 apiextensions-apiserver
 * pkg/apiserver/schema pruning/algorithm.go, defaulting/prunenulls.go, defaulting/algorithm.go.
 */
import { compareText, own } from '../../schema/values/index.ts';
import { isLong } from '../../schema/shape/index.ts';
import type { Structural } from './structural.ts';

type Members = Readonly<Record<string, unknown>>;

const OPEN = 'x-kubernetes-preserve-unknown-fields';

/** Returns the value itself when nothing changes, so that it stays shared. Names are sorted, as Go writes maps. */
export function coerced(value: unknown, node: Structural): unknown {
  if (Array.isArray(value)) return list(value, node);
  return typeof value === 'object' && value !== null && !isLong(value) ? members(value as Members, node) : value;
}

function list(value: readonly unknown[], node: Structural): readonly unknown[] {
  const { items } = node;
  return sharedList(value, (item) => {
    if (items === undefined) return node[OPEN] === true ? sorted(item) : emptied(item);
    return item === null && items.nullable !== true ? coerced(items.default ?? null, items) : coerced(item, items);
  });
}

function members(value: Members, node: Structural): Members {
  const { properties = {} } = node;
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    const kept = member(value[name], name, node);
    if (kept !== undefined) entries.push([name, kept]);
  }
  for (const [name, of] of Object.entries(properties))
    if (of.default !== undefined && !Object.hasOwn(value, name)) entries.push([name, coerced(of.default, of)]);
  return sharedMembers(value, entries);
}

/** Returns the stored form of a member; undefined: it is dropped. */
function member(value: unknown, name: string, node: Structural): unknown {
  const { additionalProperties: others } = node;
  const of = own(node.properties ?? {}, name) ?? (typeof others === 'object' ? others : undefined);
  if (of === undefined) {
    if (node[OPEN] === true) return sorted(value);
    return others === true ? emptied(value) : undefined;
  }
  if (value !== null || of.nullable === true) return coerced(value, of);
  return of.default === undefined ? undefined : coerced(of.default, of);
}

/** Objects without a schema keep none of their members. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return sharedList(value, emptied);
  return typeof value === 'object' && value !== null && !isLong(value) ? {} : value;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return sharedList(value, sorted);
  if (typeof value !== 'object' || value === null || isLong(value)) return value;
  return sharedMembers(
    value as Members,
    Object.entries(value).map(([name, item]) => [name, sorted(item)]),
  );
}

function sharedList(value: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const made = value.map(change);
  return made.every((item, at) => item === value[at]) ? value : made;
}

function sharedMembers(value: Members, entries: [string, unknown][]): Members {
  entries.sort(([a], [b]) => compareText(a, b));
  // The host orders names that look like indexes on its own, so the comparison uses the object made of the entries.
  const made = Object.fromEntries(entries);
  const names = Object.keys(made);
  const given = Object.keys(value);
  return names.length === given.length && names.every((name, at) => name === given[at] && made[name] === value[name]) ? value : made;
}
