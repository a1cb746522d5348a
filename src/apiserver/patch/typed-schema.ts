/** How a schema node merges: as a leaf, a map or a keyed list. Models: v1.24 kube-openapi pkg/schemaconv, typed/helpers.go. */
import { memo } from '../../engine/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { keyElement, valueElement } from './path-element.ts';
import { isList, isMap, member } from './values.ts';

export type ListSchema = Schema & { readonly type: 'list' };
export type MapSchema = Schema & { readonly type: 'map' | 'object' | 'any' };

/** The identity of list items: none (the list is one value), their own value, or the values of some fields. */
export type Identity = 'atomic' | 'set' | readonly string[];

const identities = memo(new WeakMap<ListSchema, Identity>());

/** Lists without a list type follow their patch strategy. */
export function identityOf(list: ListSchema): Identity {
  let identity = identities.get(list);
  if (identity === undefined) identities.set(list, (identity = decide(list)));
  return identity;
}

function decide(list: ListSchema): Identity {
  if (list.listType === 'atomic' || list.listType === 'set') return list.listType;
  if (list.listType === 'map') return list.listMapKeys ?? 'set';
  if (!(list.patchStrategy ?? '').split(',').includes('merge')) return 'atomic';
  return list.patchMergeKey === undefined || list.patchMergeKey === '' ? 'set' : [list.patchMergeKey];
}

export type Shape =
  | { readonly kind: 'leaf' }
  | { readonly kind: 'map'; readonly schema: MapSchema }
  | { readonly kind: 'list'; readonly schema: ListSchema; readonly identity: Exclude<Identity, 'atomic'> };

const LEAF_SHAPE: Shape = { kind: 'leaf' };

export const isOneValue = (schema: Schema): boolean =>
  schema.type === 'list'
    ? identityOf(schema) === 'atomic'
    : (schema.type === 'map' || schema.type === 'object') && schema.mapType === 'atomic';

/** Returns the type of a value. Where the schema leaves it open, the value decides; null counts as a map. */
export function shapeOf(schema: Schema, value: unknown): Shape {
  switch (schema.type) {
    case 'object':
    case 'map':
      return schema.mapType === 'atomic' ? LEAF_SHAPE : { kind: 'map', schema };
    case 'list': {
      const identity = identityOf(schema);
      return identity === 'atomic' ? LEAF_SHAPE : { kind: 'list', schema, identity };
    }
    case 'any':
      return isMap(value) || value === null ? { kind: 'map', schema: { type: 'any' } } : LEAF_SHAPE;
    default:
      return LEAF_SHAPE;
  }
}

/** Returns the schema of a map's member; undefined where a struct does not declare it. */
export function memberSchema(schema: MapSchema, key: string): Schema | undefined {
  if (schema.type === 'any') return schema;
  if (schema.type === 'map') return schema.values;
  return Object.hasOwn(schema.fields, key) ? schema.fields[key] : schema.open === true ? { type: 'any' } : undefined;
}

export type Identified = { readonly element: string; readonly error?: never } | { readonly error: string; readonly element?: never };

export const identify = (list: ListSchema, identity: Exclude<Identity, 'atomic'>, item: unknown): Identified =>
  identity === 'set' ? identifyValue(item) : identifyByKeys(list.items, identity, item);

function identifyValue(item: unknown): Identified {
  if (isMap(item)) return { error: "associative list without keys has an element that's a map type" };
  if (isList(item)) return { error: 'not supported: associative list with lists as elements' };
  return item === null
    ? { error: "associative list without keys has an element that's an explicit null" }
    : { element: valueElement(item) };
}

function identifyByKeys(items: Schema, names: readonly string[], item: unknown): Identified {
  if (item === null) return { error: 'associative list with keys may not have a null element' };
  if (!isMap(item)) return { error: 'associative list with keys may not have non-map elements' };
  const keys: (readonly [string, unknown])[] = [];
  for (const name of names) {
    const value = member(item, name) ?? (Object.hasOwn(item, name) ? null : keyDefault(items, name));
    if (value === undefined)
      return {
        error: `associative list with keys has an element that omits key field ${JSON.stringify(name)} (and doesn't have default value)`,
      };
    keys.push([name, value]);
  }
  return { element: keyElement(keys) };
}

/** Returns the value of an omitted key field: its default, or the zero value of a field that is always encoded. */
function keyDefault(items: Schema, name: string): unknown {
  const field = items.type === 'object' && Object.hasOwn(items.fields, name) ? items.fields[name] : undefined;
  if (field === undefined || field.default !== undefined) return field?.default;
  if (field.pointer === true || (field.required !== true && field.always !== true)) return undefined;
  if (field.type === 'string') return '';
  return field.type === 'int32' || field.type === 'int64' || field.type === 'float64' ? 0 : field.type === 'boolean' ? false : undefined;
}
