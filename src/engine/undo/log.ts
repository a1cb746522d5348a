/**
 * The undo log: while it records, every write is noted with what was there before. A log can be taken back, and forward again. Its entries
 * are four places each in one flat list: what was done, to what, where, and the other value.
 */

/** A member that an object does not have, or a key that a table does not have. */
export const ABSENT = Symbol('absent');
/** What immer's drafts answer to; a draft lives within one write, and the object that it becomes is frozen. */
const DRAFT = Symbol.for('immer-state');

const FIELD = 0;
const VARIABLE = 1;
const GROWN = 2;
const POPPED = 3;
const SHIFTED = 4;
const SPLICED = 5;
const WHOLE = 6;
const TABLE = 7;
const WEAK = 8;

type Fields = Record<PropertyKey, unknown>;
/** Sets a variable, and returns the value before. */
export type Exchange = (value: unknown) => unknown;
export interface Table {
  /** Undoes or redoes the change of a key, and returns what is needed for the opposite. */
  exchange(key: unknown, other: unknown): unknown;
}
interface Splice {
  readonly count: number;
  readonly items: readonly unknown[];
}

/** Whether writes are noted. */
export let recording = false;
/** The number of the log: what was made during it need not be noted in it. */
export let serial = 0;

/** What was noted. The places are more than are used while the log is written: a list that grows from nothing is copied six times a step. */
export interface Log {
  readonly entries: unknown[];
  used: number;
}
const PLACES = 192;
export const newLog = (): Log => ({ entries: new Array<unknown>(PLACES), used: 0 });
let log = newLog();

function note(what: number, of: unknown, where: unknown, value: unknown): void {
  const { entries, used } = log;
  entries[used] = what;
  entries[used + 1] = of;
  entries[used + 2] = where;
  entries[used + 3] = value;
  log.used = used + 4;
}

/** Whether a state that is noted as a whole has yet to be noted in the present log; `notedIn`: the log in which it was noted last. */
export const isUnnoted = (notedIn: number): boolean => recording && notedIn !== serial;

/** Notes writes to `to` from now on; undefined: notes nothing. */
export function recordTo(to: Log | undefined): void {
  serial++;
  log.entries.length = log.used;
  recording = to !== undefined;
  log = to ?? { entries: [], used: 0 };
}

const isTracked = (value: unknown): value is Fields =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') && (value as Fields)[DRAFT] === undefined;
const isList = (value: unknown): value is unknown[] => Array.isArray(value) && isTracked(value);

/** Before a member of an object is set or removed; `before`: its value, if that is known. Returns the object. */
export function noteField<O>(object: O, key: PropertyKey, before?: unknown): O {
  if (!recording) return object;
  if (before !== undefined && key !== 'length') {
    note(FIELD, object, key, before);
    return object;
  }
  if (!isTracked(object)) return object;
  if (!Array.isArray(object)) note(FIELD, object, key, Object.hasOwn(object, key) ? object[key] : ABSENT);
  else if (key === 'length') note(WHOLE, object, undefined, object.slice());
  else if (Number(key) >= object.length) note(GROWN, object, object.length, undefined);
  else note(FIELD, object, key, Object.hasOwn(object, key) ? object[Number(key)] : ABSENT);
  return object;
}

/** Sets a member whose object and key must be computed once. */
export function setField<V>(object: unknown, key: PropertyKey, value: V): V {
  noteField(object, key);
  (object as Fields)[key] = value;
  return value;
}

/** Before a member is deleted, because setting it again would put it behind all others; and before a list is sorted. */
export function noteAll<O>(object: O): O {
  if (recording && isTracked(object)) note(WHOLE, object, undefined, copyOf(object));
  return object;
}
const copyOf = (object: object): object =>
  Array.isArray(object) ? object.slice() : object instanceof Uint8Array ? object.slice() : { ...object };

export function noteDelete<O>(object: O, key: PropertyKey): O {
  return recording && isTracked(object) && Object.hasOwn(object, key) ? noteAll(object) : object;
}
export function deleteProperty(object: object, key: PropertyKey): boolean {
  noteDelete(object, key);
  return Reflect.deleteProperty(object, key);
}
export function assignAll<O extends object>(object: O, ...sources: readonly object[]): O {
  for (const source of sources) for (const key of Reflect.ownKeys(source ?? {})) noteField(object, key);
  return Object.assign(object, ...sources) as O;
}

export function noteVariable(exchange: Exchange, before: unknown): void {
  note(VARIABLE, exchange, undefined, before);
}

export function notePush<O>(object: O): O {
  if (recording && isList(object)) note(GROWN, object, object.length, undefined);
  return object;
}
export function notePop<O>(object: O): O {
  if (recording && isList(object) && object.length > 0) note(POPPED, object, undefined, object.at(-1));
  return object;
}
export function noteShift<O>(object: O): O {
  if (recording && isList(object) && object.length > 0) note(SHIFTED, object, undefined, object[0]);
  return object;
}
export function spliced(list: unknown[], from: number, count: number, ...items: readonly unknown[]): unknown[] {
  const start = from < 0 ? Math.max(0, list.length + from) : Math.min(from, list.length);
  const removed = list.splice(start, count, ...items);
  if (recording && isTracked(list)) note(SPLICED, list, start, { count: items.length, items: removed } satisfies Splice);
  return removed;
}
export function unshifted(list: unknown[], ...items: readonly unknown[]): number {
  spliced(list, 0, 0, ...items);
  return list.length;
}

/** Before a key of a table is added, set or removed: what `exchange` needs to undo it. */
export function noteTable(table: Table, key: unknown, other: unknown): void {
  note(TABLE, table, key, other);
}
export function noteWeak(table: WeakMap<object, unknown>, key: object): void {
  if (recording) note(WEAK, table, key, table.has(key) ? table.get(key) : ABSENT);
}

/** Takes the writes of a log back, or makes them again. Nothing is noted meanwhile. */
export function takeBack({ entries, used }: Log): void {
  for (let at = used - 4; at >= 0; at -= 4) exchange(entries, at, true);
}
export function takeForward({ entries, used }: Log): void {
  for (let at = 0; at < used; at += 4) exchange(entries, at, false);
}

/** Undoes an entry, or redoes it, and leaves in it what is needed for the opposite. */
function exchange(entries: unknown[], at: number, isBack: boolean): void {
  const what = entries[at];
  const of = entries[at + 1];
  const where = entries[at + 2];
  const value = entries[at + 3];
  switch (what) {
    case FIELD:
      entries[at + 3] = exchangeField(of as Fields, where as PropertyKey, value);
      break;
    case VARIABLE:
      entries[at + 3] = (of as Exchange)(value);
      break;
    case TABLE:
      entries[at + 3] = (of as Table).exchange(where, value);
      break;
    case WEAK:
      entries[at + 3] = exchangeWeak(of as WeakMap<object, unknown>, where as object, value);
      break;
    case WHOLE:
      entries[at + 3] = exchangeWhole(of as object, value as object);
      break;
    default:
      entries[at + 3] = !isWritable(of) ? value : exchangeItems(what, of as unknown[], where as number, value, isBack);
  }
}

function exchangeItems(what: unknown, list: unknown[], where: number, value: unknown, isBack: boolean): unknown {
  if (what === GROWN) {
    if (isBack) return list.splice(where);
    for (const each of value as unknown[]) list.push(each);
  } else if (what === SPLICED) {
    const { count, items } = value as Splice;
    return { count: items.length, items: list.splice(where, count, ...items) } satisfies Splice;
  } else if (what === POPPED) {
    if (isBack) list.push(value);
    else list.pop();
  } else if (isBack) list.unshift(value);
  else list.shift();
  return value;
}

/** What has been frozen since was made since, so nothing of before reaches it; so was a draft, which is revoked. */
function isWritable(object: unknown): boolean {
  try {
    return Object.isExtensible(object);
  } catch {
    return false;
  }
}

function exchangeField(object: Fields, key: PropertyKey, value: unknown): unknown {
  if (!isWritable(object)) return value;
  const now = Object.hasOwn(object, key) ? object[key] : ABSENT;
  if (value === ABSENT) Reflect.deleteProperty(object, key);
  else object[key] = value;
  return now;
}

function exchangeWeak(table: WeakMap<object, unknown>, key: object, value: unknown): unknown {
  const now = table.has(key) ? table.get(key) : ABSENT;
  if (value === ABSENT) table.delete(key);
  else table.set(key, value);
  return now;
}

function exchangeWhole(object: object, value: object): object {
  if (!isWritable(object)) return value;
  const now = copyOf(object);
  if (object instanceof Uint8Array) object.set(value as Uint8Array);
  else if (Array.isArray(object)) {
    object.length = 0;
    for (const each of value as unknown[]) object.push(each);
  } else {
    for (const key of Reflect.ownKeys(object)) Reflect.deleteProperty(object, key);
    Object.assign(object, value);
  }
  return now;
}
