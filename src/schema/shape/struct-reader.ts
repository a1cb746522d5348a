/**
 * Reads the members of one Go struct: known fields in published order, with defaults for absent or empty ones. A canonical object is
 * returned by reference without any allocation; structs with a cache recognise it the next time.
 */
import { memo } from '../../engine/index.ts';
import { compareText, RawNumber } from '../values/index.ts';
import { enterField, refuse, walk, type Read } from './scalars.ts';
import { type Emptiness, emptinessOf, goType, hasNothing, type ObjectShape, plainType, type Schema } from './types.ts';

interface Field {
  readonly name: string;
  readonly index: number;
  readonly read: Read;
  /** Values of this `typeof` need no reading. Most members are texts, and a call for each would dominate the cost. */
  readonly plain: 'string' | 'boolean' | undefined;
  /** `never`: an empty value that was given explicitly is kept. */
  readonly empty: Emptiness;
  /** The value of an absent or empty field: its default, or the zero value of an `always` field. */
  readonly fill: unknown;
}

/** The reader of a schema's values, and Go's encoding of an unset one. */
export interface Readers {
  readerOf(schema: Schema): Read;
  zeroOf(schema: Schema): unknown;
}

/** The fields of a struct, resolved when it is first read, because schemas may contain themselves. */
class Layout {
  readonly fields: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  /** Fields that are present even if absent from the input. */
  readonly filled: readonly Field[];
  /** The members in `#shown` as an object: the argument of `complete` before the result is built. */
  readonly #view: Readonly<Record<string, unknown>>;
  #shown: readonly unknown[] = [];
  /** Whether the last object read was not canonical. */
  remade = false;

  constructor(shape: ObjectShape, readers: Readers) {
    this.fields = Object.entries(shape.fields).map(([name, schema], index) => fieldOf(name, index, schema, readers));
    this.byName = new Map(this.fields.map((field) => [field.name, field]));
    this.filled = this.fields.filter(({ fill }) => fill !== undefined);
    const get =
      ({ index, fill }: Field) =>
      (): unknown => {
        const value = this.#shown[index] ?? fill;
        return value === DROPPED ? undefined : value;
      };
    this.#view = Object.defineProperties(
      {},
      Object.fromEntries(this.fields.map((field) => [field.name, { enumerable: true, get: get(field) }])),
    );
  }

  /** Returns the values by the index of their field. Values that are already in `slots` replace the given ones. */
  arrange(given: Readonly<Record<string, unknown>>, slots: unknown[] = new Array<unknown>(this.fields.length)): unknown[] {
    for (const key in given) {
      const field = this.byName.get(key);
      if (field !== undefined && slots[field.index] === undefined) slots[field.index] = given[key];
    }
    return slots;
  }

  view(slots: readonly unknown[]): Readonly<Record<string, unknown>> {
    this.#shown = slots;
    return this.#view;
  }

  build(slots: readonly unknown[]): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const { name, index, fill } of this.fields) {
      const value = slots[index] ?? fill;
      if (value !== undefined && value !== DROPPED) result[name] = value;
    }
    return result;
  }
}

const DROPPED = Symbol('dropped');

function fieldOf(name: string, index: number, schema: Schema, { readerOf, zeroOf }: Readers): Field {
  // Storage drops an empty list or map: it is read back as absent, or as `null` where the field is always written.
  const keepsEmpty =
    schema.coerce !== undefined ||
    (schema.type !== 'list' &&
      schema.type !== 'map' &&
      (schema.pointer === true || (schema.always === true && schema.default === undefined)));
  return {
    name,
    index,
    read: readerOf(schema),
    plain: plainType(schema),
    empty: keepsEmpty ? 'never' : emptinessOf(schema),
    fill: schema.default ?? (schema.always === true ? zeroOf(schema) : undefined),
  };
}

export function structReader(shape: ObjectShape, readers: Readers): Read {
  const type = goType(shape);
  const seen = shape.memo === true ? memo(new WeakMap<object, object>()) : undefined;
  const memory = memo<{ layout: Layout | undefined }>({ layout: undefined });

  return (value, depth) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof RawNumber)
      return refuse(value, depth, type);
    const layout = (memory.layout ??= new Layout(shape, readers));
    const given = value as Readonly<Record<string, unknown>>;
    if (seen === undefined) return readMembers(layout, shape, given, depth);
    const known = seen.get(value);
    if (known !== undefined) return known;
    const failedBefore = walk.mismatch;
    walk.within += 1;
    const result = readMembers(layout, shape, given, depth);
    walk.within -= 1;
    if (walk.mismatch === failedBefore) remember(seen, value, result);
    return result;
  };
}

/** Reads the members of a struct, each by its field. Returns the same object when nothing changes. */
function readMembers(layout: Layout, { go, complete, open }: ObjectShape, given: Readonly<Record<string, unknown>>, depth: number): object {
  const { fields, byName, filled } = layout;
  /** The first field that has not been passed: members are mostly in published order. */
  let next = 0;
  let tidy = true;
  let changed = false;
  // If the last object had to be rebuilt, the next one usually has to be, too; then one pass is enough.
  const all = layout.remade ? new Array<unknown>(fields.length) : undefined;
  let slots = all;
  let emptied: Record<string, unknown> | undefined;
  for (const key in given) {
    let field = fields[next];
    if (field?.name !== key) field = fields[next + 1];
    if (field?.name !== key) {
      field = byName.get(key);
      tidy &&= field !== undefined && field.index >= next;
    }
    if (field === undefined) continue;
    next = field.index + 1;
    const raw = given[key];
    let read = raw;
    if (typeof raw === field.plain) {
      if (raw !== '' && raw !== false) {
        if (all !== undefined) all[field.index] = raw;
        continue;
      }
    } else {
      enterField(depth, go, key);
      read = raw === null || raw === undefined ? undefined : field.read(raw, depth + 1);
    }
    if (hasNothing(field.empty, read)) {
      if (typeof read === 'object' && read !== null) (emptied ??= {})[key] = read;
      read = field.fill;
    }
    if (read !== raw) {
      changed = true;
      slots ??= new Array<unknown>(fields.length);
      slots[field.index] = read === undefined ? DROPPED : read;
    } else if (all !== undefined) all[field.index] = raw;
  }
  layout.remade = changed || !tidy || lacks(given, filled);
  if (!layout.remade) slots = undefined;
  else if (all === undefined) slots = layout.arrange(given, slots);
  if (complete !== undefined) slots = completed(layout, complete, given, slots);
  const result = slots === undefined ? given : layout.build(slots);
  if (open === true && slots !== undefined) keepOthers(layout, given, result);
  if (emptied !== undefined) givenEmpty.set(result, emptied);
  return result;
}

/** Adds the members that no field has, by name. */
function keepOthers({ byName }: Layout, given: Readonly<Record<string, unknown>>, result: Record<string, unknown>): void {
  const others = Object.keys(given).filter((key) => !byName.has(key) && given[key] !== undefined);
  for (const key of others.sort(compareText))
    Object.defineProperty(result, key, { value: given[key], enumerable: true, configurable: true, writable: true });
}

/** Returns the slots with the fields that `complete` adds. Returns undefined where `slots` was undefined and nothing is added. */
function completed(
  layout: Layout,
  complete: NonNullable<ObjectShape['complete']>,
  given: Readonly<Record<string, unknown>>,
  slots: unknown[] | undefined,
): unknown[] | undefined {
  const additions = complete(slots === undefined ? given : layout.view(slots));
  if (additions === undefined) return slots;
  const arranged = slots ?? layout.arrange(given);
  for (const name in additions) {
    const field = layout.byName.get(name);
    if (field !== undefined) arranged[field.index] = additions[name] ?? arranged[field.index];
  }
  return arranged;
}

function lacks(given: Readonly<Record<string, unknown>>, fields: readonly Field[]): boolean {
  for (const { name } of fields) if (given[name] === undefined) return true;
  return false;
}

/**
 * Caches a canonical instance by identity, so it must be frozen. An instance inside a lasting one is found through the outer one; it is
 * cached only if it is frozen already.
 */
function remember(seen: WeakMap<object, object>, value: object, result: object): void {
  if (walk.within === 0 && walk.lasting !== undefined) walk.lasting.push({ seen, value, result });
  else if (result === value && Object.isFrozen(value)) seen.set(value, value);
}

/**
 * Empty lists and maps of the input that were dropped, by the object that they were dropped from: error texts distinguish `{}` from
 * nothing.
 */
const givenEmpty = memo(new WeakMap<object, Readonly<Record<string, unknown>>>());

/** Returns the object as it was given, with the empty lists and maps that its canonical form drops. For error texts. */
export function asGiven<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asGiven) as T;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) result[key] = asGiven(item);
  return { ...givenEmpty.get(value), ...result } as T;
}
