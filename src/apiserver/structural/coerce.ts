/**
 * The schema of a kind from a structural schema, and the stored form of its values: unknown fields are pruned, null is dropped where it is not
 * allowed, defaults are set, and empty values are kept. A value that does not fit is kept, and validation reports it. Models: v1.24
 * apiextensions-apiserver pkg/apiserver/schema pruning/algorithm.go, defaulting/prunenulls.go, defaulting/algorithm.go.
 */
import { compareText, own } from '../../schema/values/index.ts';
import {
  any,
  atomicList,
  bool,
  deepFreeze,
  def,
  int32,
  int64,
  intOrString,
  isLong,
  list,
  map,
  mapList,
  obj,
  ptr,
  setList,
  str,
} from '../../schema/shape/index.ts';
import type { Fieldset, Schema } from '../../schema/shape/index.ts';
import type { Structural } from './members.ts';

type Members = Readonly<Record<string, unknown>>;

const OPEN = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';

/**
 * Returns the stored form of a value: pruned, with defaults; the value itself when nothing changes, so that it stays shared. Names are
 * sorted, as Go writes maps.
 */
export function storedForm(value: unknown, node: Structural): unknown {
  if (Array.isArray(value)) return coercedList(value, node);
  return typeof value === 'object' && value !== null && !isLong(value) ? members(value as Members, node) : value;
}

function coercedList(value: readonly unknown[], node: Structural): readonly unknown[] {
  const { items } = node;
  return sharedList(value, (item) => {
    if (items === undefined) return node[OPEN] === true ? sorted(item) : emptied(item);
    return item === null && items.nullable !== true ? storedForm(items.default ?? null, items) : storedForm(item, items);
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
    if (of.default !== undefined && !Object.hasOwn(value, name)) entries.push([name, storedForm(of.default, of)]);
  return sharedMembers(value, entries);
}

/** Returns the stored form of a member; undefined: it is dropped. */
function member(value: unknown, name: string, node: Structural): unknown {
  const { additionalProperties: others } = node;
  const of = own(node.properties ?? {}, name) ?? (typeof others === 'object' ? others : undefined);
  if (of === undefined) {
    if (node[EMBEDDED] === true && (name === 'apiVersion' || name === 'kind' || name === 'metadata')) return sorted(value);
    if (node[OPEN] === true) return sorted(value);
    return others === true ? emptied(value) : undefined;
  }
  if (value !== null || of.nullable === true) return storedForm(value, of);
  return of.default === undefined ? undefined : storedForm(of.default, of);
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

const float64: Schema = { type: 'float64' };
const titled = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** The shape of a node. `struct`: the name that a struct at this place has. */
const shapeOf = (node: Structural, struct: string): Schema => ({
  ...typeOf(node, struct),
  coerce: (value) => storedForm(value, node),
});

function typeOf(node: Structural, struct: string): Schema {
  if (node['x-kubernetes-int-or-string'] === true) return intOrString;
  switch (node.type) {
    case 'string':
      return str();
    case 'boolean':
      return bool;
    case 'integer':
      return node.format === 'int32' ? int32 : int64;
    case 'number':
      return float64;
    case 'array':
      return listOf(node, shapeOf(node.items ?? {}, struct));
    case 'object':
      return objectOf(node, struct);
    default:
      return any;
  }
}

function listOf(node: Structural, items: Schema): Schema {
  const [first, ...others] = node['x-kubernetes-list-map-keys'] ?? [];
  switch (node['x-kubernetes-list-type']) {
    case 'map':
      return first === undefined ? list(items) : mapList(items, first, ...others);
    case 'set':
      return setList(items);
    case 'atomic':
      return atomicList(items);
    default:
      return list(items);
  }
}

function objectOf(node: Structural, struct: string): Schema {
  if (node[OPEN] === true || node[EMBEDDED] === true) return any;
  if (node.properties === undefined) {
    const values = node.additionalProperties;
    if (values === true) return any;
    return values === undefined || values === false ? structOf(node, struct, {}) : map(shapeOf(values, struct));
  }
  return structOf(node, struct, fieldsOf(node, struct));
}

/** Returns the schema of a struct with these fields, described as its node is. */
export function structOf({ description, 'x-kubernetes-map-type': mapType, [OPEN]: open }: Structural, struct: string, fields: Fieldset) {
  const flags = { ...(mapType === 'atomic' ? ({ mapType } as const) : {}), ...(open === true ? ({ open } as const) : {}) };
  return description === undefined ? obj(struct, fields, flags) : obj(struct, description, fields, flags);
}

export function fieldsOf(node: Structural, struct: string): Readonly<Record<string, Schema>> {
  // The fields are in the order in which they are stored.
  const properties = Object.entries(node.properties ?? {}).sort(([one], [other]) => compareText(one, other));
  return Object.fromEntries(
    properties.map(([name, inner]) => {
      const shape = ptr(shapeOf(inner, `${struct}${titled(name)}`));
      const filled = inner.default === undefined ? shape : def(shape, deepFreeze(storedForm(inner.default, inner)));
      const said = inner.description === undefined ? filled : { ...filled, says: inner.description };
      return [name, node.required?.includes(name) === true ? { ...said, required: true as const } : said];
    }),
  );
}
