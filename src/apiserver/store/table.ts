/**
 * All objects of one kind: by key, with sorted keys for paging, and by secondary indexes, which are built on demand: by owner, by controller,
 * by node, by namespace, and pods without a controller.
 */
import { type ApiObject, controllerOf } from '../machinery/index.ts';
import { addTo, compareText, removeFrom } from '../../schema/values/index.ts';

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

export type IndexName = 'ownerUid' | 'controllerUid' | 'nodeName' | 'namespace' | 'unmanagedInNamespace' | 'uid';

const nodeNameOf = (object: ApiObject): string | undefined => {
  const spec = object['spec'] as { readonly nodeName?: unknown } | undefined;
  return typeof spec?.nodeName === 'string' ? spec.nodeName : undefined;
};

interface IndexRule {
  /** Returns the values under which an object is found. */
  readonly values: (object: ApiObject) => readonly string[] | string | undefined;
  /** Returns the part that the values depend on: two revisions that share it have equal values. */
  readonly source: (object: ApiObject) => unknown;
}

const owners = (object: ApiObject): unknown => object.metadata.ownerReferences;

const OBJECT_INDEXES: Readonly<Record<IndexName, IndexRule>> = {
  uid: { values: (object) => object.metadata.uid, source: (object) => object.metadata.uid },
  ownerUid: { values: (object) => object.metadata.ownerReferences?.map((owner) => owner.uid), source: owners },
  controllerUid: { values: (object) => controllerOf(object)?.uid, source: owners },
  nodeName: { values: nodeNameOf, source: (object) => object['spec'] },
  namespace: { values: (object) => object.metadata.namespace, source: (object) => object.metadata.namespace },
  // The namespace of an object never changes.
  unmanagedInNamespace: {
    values: (object) => (controllerOf(object) === undefined ? object.metadata.namespace : undefined),
    source: owners,
  },
};

type Values = readonly string[] | string | undefined;

type Index = ReturnType<typeof createIndex>;

const NONE: ReadonlySet<string> = new Set();

const same = (a: Values, b: Values): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => value === b[i]));

function createIndex({ values: valuesOf, source }: IndexRule) {
  const byValue = new Map<string, Set<string>>();
  // Without closures, which would be allocated at each change.
  const addAll = (values: Values, key: string): void => {
    if (typeof values === 'string') addTo(byValue, values, key);
    else if (values !== undefined) for (const value of values) addTo(byValue, value, key);
  };
  const dropAll = (values: Values, key: string): void => {
    if (typeof values === 'string') removeFrom(byValue, values, key);
    else if (values !== undefined) for (const value of values) removeFrom(byValue, value, key);
  };
  return {
    update(key: string, before: ApiObject | undefined, after: ApiObject | undefined): void {
      if (before !== undefined && after !== undefined && source(before) === source(after)) return;
      const was = before === undefined ? undefined : valuesOf(before);
      const is = after === undefined ? undefined : valuesOf(after);
      if (same(was, is)) return;
      dropAll(was, key);
      addAll(is, key);
    },
    /** Returns the keys with this value, oldest first. */
    keys: (value: string): ReadonlySet<string> => byValue.get(value) ?? NONE,
    count: (value: string): number => byValue.get(value)?.size ?? 0,
    clear: (): void => byValue.clear(),
  };
}
