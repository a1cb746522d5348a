/**
 * Decodes any JSON value into a canonical object of a schema: the result of Go's decoder, defaulting and encoder in one walk. Canonical
 * means: known fields in published order, map keys sorted, empty values dropped as `omitempty` drops them, `always` fields filled, defaults
 * applied, quantities and times in their one form. A canonical value is returned by reference, so that templates stay shared. Models:
 * encoding/json, apimachinery pkg/runtime/serializer/json, the defaulters of pkg/apis.
 */
import { memo, LONG_LIST, newItems, perObject } from '../../engine/index.ts';
import { compareText, own, RawNumber } from '../values/index.ts';
import { beginWalk, DecodeError, deepFreeze, readAmount, readQuantity, refuse, scalarReader, walk } from './scalars.ts';
import type { Kept, Read, Revised } from './scalars.ts';
import { structReader } from './struct-reader.ts';
import { type Fieldset, goType, type ObjectShape, plainType, type Schema } from './types.ts';

/** The reader of a schema, compiled once. */
const readerOf = perObject(compile);

function compile(schema: Schema): Read {
  const { coerce } = schema;
  if (coerce !== undefined) {
    const read = scalarReader('any', '');
    return (value, depth) => coerce(read(value, depth));
  }
  switch (schema.type) {
    case 'object':
      return objectReader(schema);
    case 'list':
      return listReader(schema.items, goType(schema));
    case 'map':
      return mapReader(schema.values, goType(schema));
    case 'quantity':
      return schema.milli === true ? readAmount : readQuantity;
    default:
      return scalarReader(schema.type, goType(schema));
  }
}

/** One reader for each Go struct: schemas that differ only in flags share it, and with it the cache of canonical instances. */
const sharedReader = perObject((_: Fieldset, shape: ObjectShape): Read => structReader(shape, { readerOf, zeroOf }));

/** `complete` gives the same fields another canonical form. */
const objectReader = (shape: ObjectShape): Read =>
  shape.complete === undefined ? sharedReader(shape.fields, shape) : structReader(shape, { readerOf, zeroOf });

/** Quantities as they were written, where their canonical text differs. */
const givenAmounts = memo(new WeakMap<object, Readonly<Record<string, string>>>());

/** The amount of a map as it was written, for error texts: they show the input, not its canonical form. */
export const amountAsGiven = (amounts: Readonly<Record<string, string>>, name: string): string =>
  own(givenAmounts.get(amounts), name) ?? own(amounts, name) ?? '0';

const ZEROS: Readonly<Partial<Record<Schema['type'], unknown>>> = {
  string: '',
  duration: '',
  boolean: false,
  int32: 0,
  int64: 0,
  float64: 0,
  intOrString: 0,
  quantity: '0',
};

/** Go's encoding of an unset value of a type; null for lists, maps and others without one. */
export const zeroOfType = (type: Schema['type']): unknown => ZEROS[type] ?? null;

/** Go's encoding of an unset field without `omitempty`. */
function zeroOf(schema: Schema): unknown {
  if (schema.pointer === true) return null;
  return schema.type === 'object' ? deepFreeze(readerOf(schema)({}, 0)) : zeroOfType(schema.type);
}

function listReader(items: Schema, type: string): Read {
  const read = readerOf(items);
  const plain = plainType(items);
  /**
   * Frozen lists of objects that are known to be canonical, because many objects share them. Reading any other list is as fast as looking
   * it up.
   */
  const seen = items.type === 'object' ? memo(new WeakSet<readonly unknown[]>()) : undefined;
  const hasMemo = items.type === 'object' && items.memo === true;
  return (value, depth) => {
    if (!Array.isArray(value)) return refuse(value, depth, type);
    if (seen?.has(value) === true) return value as unknown[];
    const stored = hasMemo && walk.within === 0 ? storedRevision(value) : undefined;
    if (stored !== undefined) return readRevision(value, stored, { read, items, depth });
    const failedBefore = walk.mismatch;
    let result: unknown[] | undefined;
    for (let i = 0; i < value.length; i += 1) {
      const raw: unknown = value[i];
      let item = raw;
      if (typeof raw !== plain) {
        item = isNil(raw) ? undefined : read(raw, depth);
        if (item === undefined) item = zeroOf(items);
      }
      if (result !== undefined) result.push(item);
      else if (item !== raw) result = [...(value.slice(0, i) as unknown[]), item];
    }
    if (result !== undefined) return result;
    if (walk.mismatch === failedBefore && seen !== undefined && Object.isFrozen(value)) seen.add(value);
    return value as unknown[];
  };
}

const isNil = (value: unknown): boolean => value === null || value === undefined;

/** Returns the stored list that a long list is most likely a revision of. */
function storedRevision(list: readonly unknown[]): readonly unknown[] | undefined {
  if (walk.revised === undefined || list.length < LONG_LIST) return undefined;
  return walk.revised.stored.find((stored) => stored[0] === list[0] || stored[stored.length - 1] === list[list.length - 1]);
}

function readRevision(
  value: readonly unknown[],
  stored: readonly unknown[],
  { read, items, depth }: { readonly read: Read; readonly items: Schema; readonly depth: number },
): readonly unknown[] {
  const { from, to } = newItems(value, stored);
  let result: unknown[] | undefined;
  for (let at = from; at < to; at++) {
    const raw = value[at];
    const item = (isNil(raw) ? undefined : read(raw, depth)) ?? zeroOf(items);
    if (item !== raw) (result ??= [...value])[at] = item;
  }
  walk.revised?.lists.push(result ?? value);
  return result ?? value;
}

function revisedOf(value: unknown): Revised | undefined {
  const stored = longListsOf(value, undefined);
  return stored === undefined ? undefined : { stored, lists: [] };
}

/** Returns `found` with the long lists of a value: few values have any, and each patch is asked. */
function longListsOf(value: unknown, found: (readonly unknown[])[] | undefined): (readonly unknown[])[] | undefined {
  if (typeof value !== 'object' || value === null) return found;
  let all = found;
  if (Array.isArray(value) && value.length >= LONG_LIST) (all ??= []).push(value);
  else for (const name in value) all = longListsOf((value as Record<string, unknown>)[name], all);
  return all;
}

const isIndexKey = (key: string): boolean => /^(0|[1-9]\d{0,9})$/.test(key);

function mapReader(values: Schema, type: string): Read {
  const read = readerOf(values);
  const plain = plainType(values);
  return (value, depth) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof RawNumber)
      return refuse(value, depth, type);
    const given = value as Record<string, unknown>;
    let previous = '';
    let tidy = true;
    for (const key in given) {
      // The host puts keys that look like indexes first, in an order of its own, which cannot be changed.
      if (key < previous && !(isIndexKey(previous) || isIndexKey(key))) tidy = false;
      previous = key;
      const raw = given[key];
      if (typeof raw !== plain && (raw === null || raw === undefined || read(raw, depth) !== raw)) tidy = false;
    }
    if (tidy) return given;
    const result: Record<string, unknown> = {};
    let came: Record<string, string> | undefined;
    for (const key of sorted(Object.keys(given))) {
      const raw = given[key];
      let item = raw === null || raw === undefined ? undefined : read(raw, depth);
      // Stored maps hold empty bytes in place of missing ones.
      if (item === undefined) item = values.type === 'bytes' ? '' : zeroOf(values);
      else if (item !== raw && values.type === 'quantity' && typeof raw === 'string')
        (came ??= Object.create(null) as Record<string, string>)[key] = raw;
      // A plain assignment to this key would set the prototype. As in `present`, no helper assigns.
      if (key === '__proto__') Object.defineProperty(result, key, { value: item, enumerable: true, configurable: true, writable: true });
      else result[key] = item;
    }
    if (came !== undefined) givenAmounts.set(result, came);
    return result;
  };
}

/** Up to this many keys, moving keys one by one is faster than a call to compare them. */
const FEW = 12;

function sorted(keys: string[]): readonly string[] {
  if (keys.length > FEW) return keys.sort(compareText);
  for (const [from, key] of keys.entries()) {
    let to = from;
    for (let before = keys[to - 1]; before !== undefined && before > key; before = keys[to - 1]) keys[to--] = before;
    keys[to] = key;
  }
  return keys;
}

/**
 * Returns the canonical form of `value`: the same result for the same input, and the input itself when it is canonical. Everything
 * reachable from the result must be treated as frozen.
 * @throws {DecodeError} with Go's text, where the value does not fit.
 */
export function decode(schema: Schema, value: unknown): unknown {
  beginWalk();
  return finished(readerOf(schema)(value, 0));
}

/**
 * Decodes a value that is to be stored, and will be shared by reference. Subtrees marked `memo` are frozen, and recognised by identity the
 * next time. `stored`: the value that it replaces; items that a long list shares with it are not read again.
 * @throws {DecodeError} with Go's text, where the value does not fit.
 */
export function decodeLasting(schema: Schema, value: unknown, stored?: unknown): unknown {
  const lasting: Kept[] = [];
  const revised = stored === undefined ? undefined : revisedOf(stored);
  beginWalk(lasting, revised);
  const made = finished(readerOf(schema)(value, 0));
  if (lasting.length > 0) keep(lasting);
  if (revised !== undefined) for (const list of revised.lists) Object.freeze(list);
  return made;
}

function keep(lasting: readonly Kept[]): void {
  for (const { seen, value, result } of lasting) {
    const kept = deepFreeze(result);
    seen.set(kept, kept);
    if (Object.isFrozen(value)) seen.set(value, kept);
  }
}

function finished(made: unknown): unknown {
  if (walk.mismatch !== undefined) throw new DecodeError(walk.mismatch);
  return made;
}
