/**
 * How a schema node merges: as a leaf, a map or a keyed list; and whether a value may be merged by it. Models: v1.24 kube-openapi
 * pkg/schemaconv; structured-merge-diff v4 typed/{validate,helpers}.go, with its texts.
 */
import { perObject } from '../../engine/index.ts';
import { append } from '../../schema/values/index.ts';
import { isLong, type Schema, zeroOfType } from '../../schema/shape/index.ts';
import { goSyntax, goType, goValue } from './go-text.ts';
import { fieldElement, keyElement, showElement, valueElement } from './path-element.ts';
import { isList, isMap, member, sortedKeys } from './values.ts';

export type ListSchema = Schema & { readonly type: 'list' };
export type MapSchema = Schema & { readonly type: 'map' | 'object' | 'any' };

/** The identity of list items: none (the list is one value), their own value, or the values of some fields. */
export type Identity = 'atomic' | 'set' | readonly string[];

/** Lists without a list type follow their patch strategy. */
export const identityOf = perObject((list: ListSchema): Identity => {
  if (list.listType === 'atomic' || list.listType === 'set') return list.listType;
  if (list.listType === 'map') return list.listMapKeys ?? 'set';
  if (!(list.patchStrategy ?? '').split(',').includes('merge')) return 'atomic';
  return list.patchMergeKey === undefined || list.patchMergeKey === '' ? 'set' : [list.patchMergeKey];
});

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

/** Returns the text of all errors; undefined: none. */
export function misfits(schema: Schema, value: unknown): string | undefined {
  const found = check(schema, value);
  if (found.length === 0) return undefined;
  const texts = found.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n');
}

interface Misfit {
  readonly path: string;
  readonly message: string;
}

const FINE: readonly Misfit[] = [];
const misfit = (message: string): readonly Misfit[] => [{ path: '', message }];
const below = (element: string, found: readonly Misfit[]): readonly Misfit[] =>
  found.length === 0 ? FINE : found.map(({ path, message }) => ({ path: showElement(element) + path, message }));

function check(schema: Schema, value: unknown): readonly Misfit[] {
  if (value === null) return FINE;
  switch (schema.type) {
    case 'any':
      return FINE;
    case 'object':
    case 'map':
      return isMap(value) ? checkMembers(schema, value) : misfit(`expected map, got ${pointerTo(value)}`);
    case 'list':
      return isList(value) ? checkItems(schema, value) : misfit(`expected list, got ${pointerTo(value)}`);
    case 'int32':
    case 'int64':
    case 'float64':
      return typeof value === 'number' || isLong(value) ? FINE : misfit(`expected numeric (int or float), got ${goType(value, 'float')}`);
    case 'string':
    case 'bytes':
    case 'duration':
      return typeof value === 'string' ? FINE : misfit(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case 'boolean':
      return typeof value === 'boolean' ? FINE : misfit(`expected boolean, got ${pointerTo(value)}`);
    default:
      return FINE;
  }
}

/** Go prints a pointer to the value. */
const pointerTo = (value: unknown): string => `&{${goValue(value)}}`;

function checkMembers(schema: MapSchema, value: Readonly<Record<string, unknown>>): readonly Misfit[] {
  const found: Misfit[] = [];
  for (const key of sortedKeys(value)) {
    const element = fieldElement(key);
    const field = memberSchema(schema, key);
    // The first unknown field ends the check of its map.
    if (field === undefined) return found.concat(below(element, misfit('field not declared in schema')));
    append(found, below(element, check(field, value[key])));
  }
  return found;
}

function checkItems(schema: ListSchema, value: readonly unknown[]): readonly Misfit[] {
  const identity = identityOf(schema);
  const found: Misfit[] = [];
  const seen = new Set<string>();
  for (const [i, item] of value.entries()) {
    const identified = identity === 'atomic' ? { element: `i:${i}` } : identify(schema, identity, item);
    if (identified.error !== undefined) return found.concat(misfit(`element ${i}: ${identified.error}`));
    const { element } = identified;
    if (seen.has(element)) append(found, misfit(`duplicate entries for key ${showElement(element)}`));
    seen.add(element);
    append(found, below(element, check(schema.items, item)));
  }
  return found;
}

/**
 * Returns the encoding of an unset value: only fields that are encoded when empty, at every depth, without defaults, and null for pointers.
 * It is the state before a creation. The same schema gives the same reference.
 */
export const zeroValue = perObject((schema: Schema): unknown => {
  if (schema.pointer === true) return null;
  if (schema.type !== 'object') return zeroOfType(schema.type);
  const encoded = Object.entries(schema.fields).filter(([, field]) => field.always === true && field.default === undefined);
  return Object.freeze(Object.fromEntries(encoded.map(([name, field]) => [name, zeroValue(field)])));
});
