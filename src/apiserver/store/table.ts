/** All objects of one kind: by key, indexed on demand, with their keys in order kept for paging. */
import type { ApiObject } from '../machinery/index.ts';
import { compareText } from '../../schema/values/index.ts';
import { createIndex, type Index } from './object-index.ts';
import { OBJECT_INDEXES, type IndexName } from './indexes.ts';

export interface Table {
  readonly size: number;
  readonly tally: Tally;
  get(key: string): ApiObject | undefined;
  set(key: string, object: ApiObject | undefined): ApiObject | undefined;
  values(): IterableIterator<ApiObject>;
  /** Objects with an indexed value, oldest first. The index is built when first asked for. */
  by(index: IndexName, value: string): ApiObject[];
  countBy(index: IndexName, value: string): number;
  /** Keys in byte order, as the real store lists them. */
  sortedKeys(): readonly string[];
  clear(): void;
}

/** How often a kind's objects changed: what was made of them holds while it stays the same. */
export interface Tally {
  changes: number;
}

/** Where an object stands: a change of it finds its place once. */
interface Cell {
  object: ApiObject;
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

/** An empty table. */
export function createTable(tally: Tally = { changes: 0 }): Table {
  const cells = new Map<string, Cell>();
  const indexes = new Map<IndexName, Index>();
  /** The same, for going through at every change. */
  const built: Index[] = [];
  let sorted: string[] | undefined;
  let lastKey: string | undefined;
  let lastCell: Cell | undefined;
  /** An object is read before it is changed, and an owner for one dependent after the other. */
  const cellOf = (key: string): Cell | undefined => {
    if (lastCell !== undefined && key === lastKey) return lastCell;
    const cell = cells.get(key);
    if (cell !== undefined) {
      lastKey = key;
      lastCell = cell;
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

  // Plain, not an accessor: a literal with one is a dictionary to the engine, ten times as large. There may be tens of thousands of tables.
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
          lastCell = undefined;
        } else cells.set(key, { object });
        sorted = undefined;
        table.size = cells.size;
      }
      for (const index of built) index.update(key, before, object);
      return before;
    },
    values: () => objectsIn(cells.values()),
    by: (name, value) => found(cells, indexOf(name).keys(value)),
    countBy: (name, value) => indexOf(name).count(value),
    sortedKeys: () => (sorted ??= [...cells.keys()].sort(compareText)),
    clear() {
      cells.clear();
      lastCell = undefined;
      table.size = 0;
      sorted = undefined;
      for (const index of built) index.clear();
    },
  };
  return table;
}
