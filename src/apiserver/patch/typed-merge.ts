/**
 * Merges a configuration into an object: leaves of the configuration win, maps and keyed lists are merged, nothing is removed. Models:
 * structured-merge-diff v4 typed/merge.go.
 */
import type { Schema } from '../../schema/shape/index.ts';
import { identify, memberSchema, shapeOf, type Shape } from './typed-schema.ts';
import { isList, isMap, member, put, sameJson } from './values.ts';

/** Returns the merged value; `live` itself where the configuration adds nothing. List items keep the live order, new ones follow. */
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

function mergeMembers(
  shape: Shape & { kind: 'map' },
  live: Readonly<Record<string, unknown>>,
  config: Readonly<Record<string, unknown>>,
): unknown {
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
