/** The fields of a configuration, which its applier owns. Models: structured-merge-diff v4 typed/tofieldset.go. */
import { memo } from '../../engine/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { childSchema, type FieldNode, type FieldSet, LEAF, NO_FIELDS, nodeOf } from './field-set.ts';
import { fieldElement } from './path-element.ts';
import { identify, isOneValue, memberSchema, type Shape, shapeOf } from './typed-schema.ts';
import { put } from '../../schema/values/index.ts';
import { isList, isMap, type JsonMap, member, sameJson } from './values.ts';

/** Returns all leaves, list items and map members of a value that fits its schema. */
export const fieldsOf = (schema: Schema, value: unknown): FieldSet => collect(schema, value)?.children ?? NO_FIELDS;

function collect(schema: Schema, value: unknown): FieldNode | undefined {
  const shape = shapeOf(schema, value);
  if (shape.kind === 'leaf') return nodeOf(true, NO_FIELDS);
  const children = new Map<string, FieldNode>();
  const add = (element: string, node: FieldNode | undefined): void => {
    if (node !== undefined) children.set(element, node);
  };
  if (shape.kind === 'map' && isMap(value)) {
    for (const [key, item] of Object.entries(value)) {
      const field = memberSchema(shape.schema, key);
      if (field === undefined) continue;
      const below = collect(field, item);
      // A struct field is owned through its members; a map member, and an explicitly empty value, is owned itself.
      const empty = item === null || (isMap(item) && Object.keys(item).length === 0);
      const self = below?.member === true || empty || shape.schema.type !== 'object';
      add(fieldElement(key), nodeOf(self, below?.children ?? NO_FIELDS));
    }
  }
  if (shape.kind === 'list' && isList(value)) {
    for (const item of value) {
      const { element } = identify(shape.schema, shape.identity, item);
      if (element !== undefined) add(element, nodeOf(true, collect(shape.schema.items, item)?.children ?? NO_FIELDS));
    }
  }
  return nodeOf(false, children);
}

// Models: structured-merge-diff v4 typed/remove.go.
/** Returns the value without the members of the set; itself if it has none. A container that loses its last member becomes null. */
export function removeFields(schema: Schema, value: unknown, removed: FieldSet): unknown {
  if (removed.size === 0) return value;
  const shape = shapeOf(schema, value);
  let changed = false;
  const left = (element: string | undefined, item: unknown, field: Schema | undefined): unknown => {
    const node = element === undefined ? undefined : removed.get(element);
    const after = node === undefined || node.member || field === undefined ? item : removeFields(field, item, node.children);
    changed ||= node?.member === true || after !== item;
    return node?.member === true ? REMOVED : after;
  };
  if (shape.kind === 'map' && isMap(value)) {
    const kept: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const after = left(fieldElement(key), item, memberSchema(shape.schema, key));
      if (after !== REMOVED) put(kept, key, after);
    }
    return !changed ? value : Object.keys(kept).length === 0 ? null : kept;
  }
  if (shape.kind !== 'list' || !isList(value)) return value;
  const kept = value
    .map((item) => left(identify(shape.schema, shape.identity, item).element, item, shape.schema.items))
    .filter((after) => after !== REMOVED);
  return !changed ? value : kept.length === 0 ? null : kept;
}

const REMOVED = Symbol('removed');

const reconciled = memo(new WeakMap<FieldSet, { readonly schema: Schema; readonly set: FieldSet }>());

/** Returns the set for the current schema; the same reference when it fits already. */
export function reconcileFields(schema: Schema, set: FieldSet): FieldSet {
  const known = reconciled.get(set);
  if (known?.schema === schema) return known.set;
  const result = reconcile(schema, set);
  reconciled.set(set, { schema, set: result });
  return result;
}

function reconcile(schema: Schema, set: FieldSet): FieldSet {
  let out: Map<string, FieldNode> | undefined;
  for (const [element, node] of set) {
    const [child] = childSchema(schema, element);
    if (child === undefined || node.children.size === 0) continue;
    const children = isOneValue(child) ? undefined : reconcile(child, node.children);
    if (children !== node.children) (out ??= new Map(set)).set(element, children === undefined ? LEAF : { member: node.member, children });
  }
  return out ?? set;
}

// Models: structured-merge-diff v4 typed/merge.go.

/**
 * Merges a configuration into an object: leaves of the configuration win, maps and keyed lists are merged, nothing is removed. Returns
 * `live` itself where the configuration adds nothing. List items keep the live order, new ones follow.
 */
export function mergeTyped(schema: Schema, live: unknown, config: unknown): unknown {
  if (config === undefined || Object.is(live, config)) return live;
  if (live === undefined) return config;
  const shape = shapeOf(schema, config);
  if (shape.kind === 'map' && isMap(live) && isMap(config)) return mergeMembers(shape, live, config);
  if (shape.kind === 'list' && isList(live) && isList(config)) return mergeItems(shape, live, config);
  if (shape.kind !== 'leaf' && isNothing(config) && !isNothing(live)) return live;
  return sameJson(live, config) ? live : config;
}

/** Empty maps and lists, and null, add nothing to a non-empty container. */
const isNothing = (value: unknown): boolean =>
  value === null || (isList(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0);

function mergeMembers(shape: Shape & { kind: 'map' }, live: JsonMap, config: JsonMap): unknown {
  let merged: Record<string, unknown> | undefined;
  for (const key of Object.keys(config)) {
    const field = memberSchema(shape.schema, key);
    const before = member(live, key);
    const after = field === undefined ? config[key] : mergeTyped(field, before, config[key]);
    if (after !== before || !Object.hasOwn(live, key)) put((merged ??= { ...live }), key, after);
  }
  return merged ?? live;
}

function mergeItems(shape: Shape & { kind: 'list' }, live: readonly unknown[], config: readonly unknown[]): unknown {
  const named = new Map<string, unknown>();
  for (const item of config) {
    const { element } = identify(shape.schema, shape.identity, item);
    if (element !== undefined) named.set(element, item);
  }
  let changed = false;
  const merged = live.map((item) => {
    const { element } = identify(shape.schema, shape.identity, item);
    if (element === undefined || !named.has(element)) return item;
    const after = mergeTyped(shape.schema.items, item, named.get(element));
    named.delete(element);
    changed ||= after !== item;
    return after;
  });
  return changed || named.size > 0 ? [...merged, ...named.values()] : live;
}
