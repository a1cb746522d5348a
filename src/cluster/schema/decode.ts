/**
 * From any JSON value to a canonical object of a schema: what Go's decoder, defaulting and encoder would make of it, in one walk.
 * Canonical means: known fields in published order, map keys sorted, empty values dropped as `omitempty` drops them, `always` fields
 * filled, defaults applied, quantities and times in their one form. A canonical value comes back by reference, so that templates stay
 * shared; subtrees marked `memo` are frozen and recognised by identity the next time.
 * Models: encoding/json, apimachinery pkg/runtime/serializer/json, the defaulters of pkg/apis.
 */
import { cannotUnmarshal, DecodeError, jsonWord } from './decode-error.ts';
import { deepFreeze } from './freeze.ts';
import { RawNumber } from './raw-number.ts';
import { readAmount, readQuantity, scalarReader } from './scalars.ts';
import { goType, isEmpty } from './shape.ts';
import type { ObjectShape, Schema } from './types.ts';

/** Reads one value. `depth` is the length of the field path that led here; a mismatch is noted in the walk and answered with `undefined`. */
type Read = (value: unknown, depth: number) => unknown;

/** The state of the walk in progress: there is one at a time, the walk is synchronous. */
const path: string[] = [];
const structs: (string | undefined)[] = [];
/** Go goes on after a type mismatch and reports the first one at the end. */
let mismatch: string | undefined;

function refuse(value: unknown, depth: number, type: string, exact = false): undefined {
  mismatch ??= cannotUnmarshal(jsonWord(value, exact), structs[depth], path.slice(0, depth), type);
  return undefined;
}

const readers = new WeakMap<Schema, Read>();

/** The reader of a schema, compiled once. */
function readerOf(schema: Schema): Read {
  let reader = readers.get(schema);
  if (reader === undefined) readers.set(schema, (reader = compile(schema)));
  return reader;
}

function compile(schema: Schema): Read {
  switch (schema.type) {
    case 'object': return objectReader(schema);
    case 'list': return listReader(schema.items, goType(schema));
    case 'map': return mapReader(schema.values, goType(schema));
    case 'quantity': return schema.milli === true ? readAmount : readQuantity;
    default: return scalarReader(schema.type, goType(schema), refuse);
  }
}

interface Field {
  readonly name: string;
  readonly index: number;
  readonly schema: Schema;
  readonly read: Read;
  /** What stands there when the field is absent or empty: a default, or the zero value of an `always` field. */
  readonly fill: unknown;
  /** An empty value given explicitly stays. */
  readonly keepsEmpty: boolean;
}

/** One per Go struct: schemas that differ in flags only share it, and with it the memory of canonical instances. */
const structReaders = new WeakMap<ObjectShape['fields'], Read>();

function objectReader(shape: ObjectShape): Read {
  // `complete` makes a different canonical form of the same fields.
  if (shape.complete !== undefined) return structReader(shape);
  let reader = structReaders.get(shape.fields);
  if (reader === undefined) structReaders.set(shape.fields, (reader = structReader(shape)));
  return reader;
}

function structReader(shape: ObjectShape): Read {
  const type = goType(shape);
  const seen = shape.memo ? new WeakMap<object, object>() : undefined;
  let fields: readonly Field[] | undefined;
  let byName: ReadonlyMap<string, Field>;
  let fills: readonly Field[];
  const prepare = (): readonly Field[] => {
    const made = Object.entries(shape.fields).map(([name, schema], index) => fieldOf(name, index, schema));
    byName = new Map(made.map((field) => [field.name, field]));
    fills = made.filter((field) => field.fill !== undefined);
    return made;
  };

  return (value, depth) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof RawNumber) return refuse(value, depth, type);
    if (seen !== undefined) {
      const known = seen.get(value);
      if (known !== undefined) return known;
    }
    fields ??= prepare();
    const given = value as Record<string, unknown>;
    const failedBefore = mismatch;
    /** The first field not passed yet: members mostly come in published order. */
    let next = 0;
    let tidy = true;
    let changed: unknown[] | undefined;
    let emptied: Readonly<Record<string, unknown>> | undefined;
    for (const key in given) {
      let at = next;
      while (at < fields.length && fields[at]?.name !== key) at += 1;
      let field = fields[at];
      if (field === undefined) {
        tidy = false;
        field = byName.get(key);
        if (field === undefined) continue;
      }
      next = field.index + 1;
      const raw = given[key];
      let read: unknown;
      if (raw !== null && raw !== undefined) {
        path[depth] = key;
        structs[depth + 1] = shape.go;
        read = field.read(raw, depth + 1);
      }
      if (field.keepsEmpty ? read === undefined : isEmpty(field.schema, read)) {
        if (typeof read === 'object' && read !== null) emptied = { ...emptied, [key]: read };
        read = field.fill;
      }
      if (read !== raw) {
        changed ??= new Array<unknown>(fields.length);
        changed[field.index] = read === undefined ? DROPPED : read;
      }
    }
    let complete = tidy && changed === undefined;
    if (complete) for (const field of fills) if (given[field.name] === undefined) { complete = false; break; }
    let result: Readonly<Record<string, unknown>> = complete ? given : rebuild(fields, given, changed);
    const additions = shape.complete?.(result);
    if (additions !== undefined) result = rebuild(fields, result, fields.map((field) => additions[field.name]));
    if (emptied !== undefined) givenEmpty.set(result, emptied);
    if (seen !== undefined && mismatch === failedBefore) {
      deepFreeze(result);
      seen.set(result, result);
      if (result !== value && Object.isFrozen(value)) seen.set(value, result);
    }
    return result;
  };
}

/** Lists and maps that came empty and were dropped, by the object they were dropped from: error texts tell `{}` from nothing. */
const givenEmpty = new WeakMap<object, Readonly<Record<string, unknown>>>();

/** The object as it came: with the empty lists and maps that its canonical form leaves out. For error texts. */
export function asGiven<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asGiven) as T;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) result[key] = asGiven(item);
  return { ...givenEmpty.get(value), ...result } as T;
}

/** Quantities as they were written, where their canonical text is another. */
const givenAmounts = new WeakMap<object, Readonly<Record<string, string>>>();

/** An amount of a map as it came. For error texts, which show what was read and not what it was made into. */
export const amountAsGiven = (amounts: Readonly<Record<string, string>>, name: string): string => givenAmounts.get(amounts)?.[name] ?? amounts[name] ?? '0';

const DROPPED = Symbol('dropped');

function rebuild(fields: readonly Field[], given: Readonly<Record<string, unknown>>, changed: readonly unknown[] | undefined): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    const altered = changed?.[field.index];
    if (altered === DROPPED) continue;
    let value = altered;
    if (value === undefined && Object.hasOwn(given, field.name)) value = given[field.name];
    if (value === undefined) value = field.fill;
    if (value !== undefined) result[field.name] = value;
  }
  return result;
}

function fieldOf(name: string, index: number, schema: Schema): Field {
  // An empty list or map never survives storage: it comes back as nothing, or `null` where the field is always written.
  const keepsEmpty = schema.type !== 'list' && schema.type !== 'map' && (schema.pointer === true || (schema.always === true && schema.default === undefined));
  return {
    name, index, schema, keepsEmpty,
    read: readerOf(schema),
    fill: schema.default ?? (schema.always === true ? zeroOf(schema) : undefined),
  };
}

/** What Go encodes for a field that nobody set and that has no `omitempty`. */
function zeroOf(schema: Schema): unknown {
  if (schema.pointer === true) return null;
  switch (schema.type) {
    case 'string': case 'duration': return '';
    case 'boolean': return false;
    case 'int32': case 'int64': case 'float64': case 'intOrString': return 0;
    case 'quantity': return '0';
    case 'object': return deepFreeze(readerOf(schema)({}, 0));
    default: return null;
  }
}

function listReader(items: Schema, type: string): Read {
  const read = readerOf(items);
  /** Frozen lists found to be canonical: many objects share them. */
  const seen = new WeakSet<readonly unknown[]>();
  return (value, depth) => {
    if (!Array.isArray(value)) return refuse(value, depth, type);
    if (seen.has(value)) return value as unknown[];
    const failedBefore = mismatch;
    let result: unknown[] | undefined;
    for (let i = 0; i < value.length; i += 1) {
      const raw: unknown = value[i];
      let item = raw === null || raw === undefined ? undefined : read(raw, depth);
      if (item === undefined) item = zeroOf(items);
      if (result !== undefined) result.push(item);
      else if (item !== raw) result = [...value.slice(0, i) as unknown[], item];
    }
    if (result !== undefined) return result;
    if (mismatch === failedBefore && Object.isFrozen(value)) seen.add(value);
    return value as unknown[];
  };
}

const isIndexKey = (key: string): boolean => /^(0|[1-9]\d{0,9})$/.test(key);

function mapReader(values: Schema, type: string): Read {
  const read = readerOf(values);
  return (value, depth) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof RawNumber) return refuse(value, depth, type);
    const given = value as Record<string, unknown>;
    let previous = '';
    let tidy = true;
    for (const key in given) {
      // The host puts keys that look like indexes first, in their own order; nobody can sort those.
      if (key < previous && !(isIndexKey(previous) || isIndexKey(key))) tidy = false;
      previous = key;
      const raw = given[key];
      if (raw === null || raw === undefined || read(raw, depth) !== raw) tidy = false;
    }
    if (tidy) return given;
    const result: Record<string, unknown> = {};
    let came: Record<string, string> | undefined;
    for (const key of Object.keys(given).sort(bytewise)) {
      const raw = given[key];
      let item = raw === null || raw === undefined ? undefined : read(raw, depth);
      // What is stored knows no missing bytes in a map, only none.
      if (item === undefined) item = values.type === 'bytes' ? '' : zeroOf(values);
      else if (item !== raw && values.type === 'quantity' && typeof raw === 'string') came = { ...came, [key]: raw };
      // Plain assignment to this key would set the prototype.
      if (key === '__proto__') Object.defineProperty(result, key, { value: item, enumerable: true, configurable: true, writable: true });
      else result[key] = item;
    }
    if (came !== undefined) givenAmounts.set(result, came);
    return result;
  };
}

const bytewise = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The canonical form of `value`, or a `DecodeError` with Go's text. Same input, same answer; canonical input, same reference.
 * Everything reachable from the answer is to be treated as frozen.
 */
export function decode(schema: Schema, value: unknown): unknown {
  mismatch = undefined;
  structs[0] = undefined;
  const result = readerOf(schema)(value, 0);
  // Taken out first: the message must not leak into the next walk when this one throws.
  const failure = mismatch;
  mismatch = undefined;
  if (failure !== undefined) throw new DecodeError(failure);
  return result;
}
