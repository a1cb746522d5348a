/**
 * Reads the members of one Go struct: those it knows, in published order, with defaults for what is absent or empty. An object that is
 * as it should be comes back by reference without anything being made; structs with a memory know it the next time.
 */
import { RawNumber } from '../values/index.ts';
import { emptinessOf, goType, hasNothing, plainType, type Emptiness } from './shape.ts';
import type { ObjectShape, Schema } from './types.ts';
import { enterField, refuse, walk, type Read } from './walk.ts';

interface Field {
  readonly name: string;
  readonly index: number;
  readonly read: Read;
  /** Values of this `typeof` are what they are: most members are texts, and a call for each is what reading them would cost. */
  readonly plain: 'string' | 'boolean' | undefined;
  /** `never`: an empty value given explicitly stays. */
  readonly empty: Emptiness;
  /** What stands there when the field is absent or empty: a default, or the zero value of an `always` field. */
  readonly fill: unknown;
}

/** How to read the values of a schema, and what Go encodes where nobody set one. */
export interface Readers {
  readerOf(schema: Schema): Read;
  zeroOf(schema: Schema): unknown;
}

/** A struct's fields, looked at when it is first read: shapes may contain themselves. */
class Layout {
  readonly fields: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  /** Fields that are there whether given or not. */
  readonly filled: readonly Field[];
  /** The members in `#shown`, as an object: what `complete` looks at before the result is made. */
  readonly #view: Readonly<Record<string, unknown>>;
  #shown: readonly unknown[] = [];
  /** Whether the last one read was not as it should be. */
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

  /** The values by index of their field; those there already stand for what was given. */
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
  // An empty list or map never survives storage: it comes back as nothing, or `null` where the field is always written.
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
  const seen = shape.memo === true ? new WeakMap<object, object>() : undefined;
  let layout: Layout | undefined;

  return (value, depth) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof RawNumber)
      return refuse(value, depth, type);
    layout ??= new Layout(shape, readers);
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

/** A struct's members, each read by its field: the same object where that changes nothing. */
function readMembers(layout: Layout, { go, complete }: ObjectShape, given: Readonly<Record<string, unknown>>, depth: number): object {
  const { fields, byName, filled } = layout;
  /** The first field not passed yet: members mostly come in published order. */
  let next = 0;
  let tidy = true;
  let changed = false;
  // What had to be made anew last time most often has to be again: then one pass does.
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
  if (emptied !== undefined) givenEmpty.set(result, emptied);
  return result;
}

/** The slots with what a shape's own rule adds; undefined as before when it adds nothing to an object that is taken as it is. */
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
 * What is known by sight must never change. What lies in something that is to last is found again with it, so it is remembered when it
 * comes frozen.
 */
function remember(seen: WeakMap<object, object>, value: object, result: object): void {
  if (walk.within === 0 && walk.lasting !== undefined) walk.lasting.push({ seen, value, result });
  else if (result === value && Object.isFrozen(value)) seen.set(value, value);
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
