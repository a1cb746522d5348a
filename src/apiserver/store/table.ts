/**
 * All objects of one kind: by key, indexed on demand, with sorted keys for paging. The approximate memory size of a value, equal on every
 * host: it bounds the history.
 */
import type { ApiObject } from '../machinery/index.ts';
import { compareText } from '../../schema/values/index.ts';
import { createIndex, OBJECT_INDEXES, type Index, type IndexName } from './indexes.ts';
import { newItems } from '../../engine/index.ts';

export interface Table {
  readonly size: number;
  readonly tally: Tally;
  get(key: string): ApiObject | undefined;
  set(key: string, object: ApiObject | undefined): ApiObject | undefined;
  values(): IterableIterator<ApiObject>;
  /** Returns the objects with an indexed value, oldest first. The index is built at its first use. */
  by(index: IndexName, value: string): ApiObject[];
  countBy(index: IndexName, value: string): number;
  /** Returns the keys in byte order, as the real store lists them. */
  sortedKeys(): readonly string[];
  clear(): void;
}

/** The number of changes of a kind's objects. Results derived from them are valid as long as it stays the same. */
export interface Tally {
  changes: number;
}

/** The cell of an object, so that a change looks it up once. */
interface Cell {
  object: ApiObject;
}

/** What was looked up or sorted last. */
interface Last {
  key: string | undefined;
  cell: Cell | undefined;
  sorted: readonly string[] | undefined;
}

function* objectsIn(cells: Iterable<Cell>): IterableIterator<ApiObject> {
  for (const { object } of cells) yield object;
}

function found(cells: ReadonlyMap<string, Cell>, keys: Iterable<string>): ApiObject[] {
  const objects: ApiObject[] = [];
  for (const key of keys) {
    const cell = cells.get(key);
    if (cell !== undefined) objects.push(cell.object);
  }
  return objects;
}

export function createTable(tally: Tally = { changes: 0 }): Table {
  const cells = new Map<string, Cell>();
  const indexes = new Map<IndexName, Index>();
  /** The built indexes as a list, for iteration at every change. */
  const built: Index[] = [];
  const last: Last = { key: undefined, cell: undefined, sorted: undefined };
  /** Cached: an object is read before it is changed, and an owner is read for one dependent after the other. */
  const cellOf = (key: string): Cell | undefined => {
    if (last.cell !== undefined && key === last.key) return last.cell;
    const cell = cells.get(key);
    if (cell !== undefined) {
      last.key = key;
      last.cell = cell;
    }
    return cell;
  };

  const indexOf = (name: IndexName): Index => {
    let index = indexes.get(name);
    if (index === undefined) {
      index = createIndex(OBJECT_INDEXES[name]);
      for (const [key, { object }] of cells) index.update(key, undefined, object);
      indexes.set(name, index);
      built.push(index);
    }
    return index;
  };

  // A plain member and not an accessor, because a literal with an accessor takes ten times the memory. There may be tens of thousands of
  // tables.
  const table: { -readonly [K in keyof Table]: Table[K] } = {
    size: 0,
    tally,
    get: (key) => cellOf(key)?.object,
    set(key, object) {
      tally.changes++;
      const cell = cellOf(key);
      const before = cell?.object;
      if (cell !== undefined && object !== undefined) cell.object = object;
      else if (cell !== undefined || object !== undefined) {
        if (object === undefined) {
          cells.delete(key);
          last.cell = undefined;
        } else cells.set(key, { object });
        last.sorted = undefined;
        table.size = cells.size;
      }
      for (const index of built) index.update(key, before, object);
      return before;
    },
    values: () => objectsIn(cells.values()),
    by: (name, value) => found(cells, indexOf(name).keys(value)),
    countBy: (name, value) => indexOf(name).count(value),
    sortedKeys: () => (last.sorted ??= [...cells.keys()].sort(compareText)),
    clear() {
      cells.clear();
      last.cell = undefined;
      table.size = 0;
      last.sorted = undefined;
      for (const index of built) index.clear();
    },
  };
  return table;
}

/** Bytes of a reference and of a small value. */
const SLOT = 8;
/** Bytes of an object or list before its members. */
const HEADER = 32;
/** Deeper than any kind; a body that nests deeper is refused earlier. */
const DEEPEST = 200;

/** Returns the size of a value in bytes, without the parts that it shares by reference with another revision (`beside`). */
export function weightOf(value: unknown, beside?: unknown, depth = 0): number {
  if (typeof value === 'string') return SLOT + HEADER + value.length;
  if (typeof value !== 'object' || value === null || value === beside || depth > DEEPEST) return SLOT;
  return Array.isArray(value) ? weightOfList(value, beside, depth) : weightOfMembers(value, beside, depth);
}

function weightOfMembers(value: object, beside: unknown, depth: number): number {
  const members = value as Readonly<Record<string, unknown>>;
  const other = typeof beside === 'object' && beside !== null ? (beside as Readonly<Record<string, unknown>>) : undefined;
  let bytes = HEADER;
  for (const key in members) {
    const member = members[key];
    const same = other?.[key];
    bytes += SLOT + (member === same ? 0 : weightOf(member, same, depth + 1));
  }
  return bytes;
}

/** By index: iterating over property names would allocate each of them. */
function weightOfList(value: readonly unknown[], beside: unknown, depth: number): number {
  const other: readonly unknown[] = Array.isArray(beside) ? beside : [];
  const { from, to } = newItems(value, other);
  let bytes = HEADER + SLOT * value.length;
  for (let at = from; at < to; at++) {
    const item = value[at];
    if (item !== other[at]) bytes += weightOf(item, other[at], depth + 1);
  }
  return bytes;
}
