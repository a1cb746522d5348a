/** What one process knows: objects by kind as its watches delivered them, indexed, with aggregates kept up. It may lag behind the store; nothing below reads the store instead. */
import type { ApiObject } from '../../apiserver/vocabulary/index.ts';
import { createTable, type IndexName, type Table } from '../../apiserver/store/index.ts';
import { holdAggregate, type Aggregate, type AggregateHolder, type AnyAggregate } from './aggregate.ts';
import type { ObjectOf } from './kind-types.ts';

/** The reading side. Reads of a kind that the process does not watch throw: it would silently see nothing. */
export interface CacheView {
  get<K extends string>(kind: K, namespace: string | undefined, name: string): ObjectOf<K> | undefined;
  byKey<K extends string>(kind: K, key: string): ObjectOf<K> | undefined;
  /** Objects with an indexed value, oldest first. */
  by<K extends string>(kind: K, index: IndexName, value: string): readonly ObjectOf<K>[];
  countBy(kind: string, index: IndexName, value: string): number;
  /** Objects this one manages. */
  controlledBy<K extends string>(kind: K, owner: ApiObject): readonly ObjectOf<K>[];
  /** All objects of a kind, or of a kind in a namespace. Never call this per key of a large kind. */
  list<K extends string>(kind: K, namespace?: string): readonly ObjectOf<K>[];
  size(kind: string): number;
  /** The summary of a group. */
  aggregate<K extends string, S>(aggregate: Aggregate<K, S>, group: string): S;
  /** Kinds watched. */
  kinds(): readonly string[];
}

export interface Cache extends CacheView {
  /** Watches a kind from now on. */
  open(kind: string): void;
  /** Adds, replaces or (undefined) removes; returns what was there. */
  set(kind: string, key: string, object: ApiObject | undefined): ApiObject | undefined;
  keysOf(kind: string): readonly string[];
  addAggregate(aggregate: AnyAggregate): void;
  holders(): readonly AggregateHolder[];
}

/** An empty cache that watches nothing. */
export function createCache(): Cache {
  const tables = new Map<string, Table>();
  const holders = new Map<AnyAggregate, AggregateHolder>();
  const holdersByKind = new Map<string, AggregateHolder[]>();

  const table = (kind: string): Table => {
    const found = tables.get(kind);
    if (found === undefined) throw new Error(`this process does not watch ${kind}; add it to the controller's watches`);
    return found;
  };
  let lastNamespace: string | undefined;
  let lastName: string | undefined;
  let lastKey = '';
  /** Owners are looked up for one dependent after the other: the text made last is often the one wanted. */
  const keyAt = (namespace: string | undefined, name: string): string => {
    if (namespace === undefined || namespace === '') return name;
    if (name !== lastName || namespace !== lastNamespace) {
      lastNamespace = namespace;
      lastName = name;
      lastKey = `${namespace}/${name}`;
    }
    return lastKey;
  };
  // The registry of kinds guarantees that a table of kind K holds objects of type ObjectOf<K>.
  const typed = <K extends string>(objects: readonly ApiObject[]): readonly ObjectOf<K>[] => objects as readonly ObjectOf<K>[];

  return {
    open: (kind) => {
      if (!tables.has(kind)) tables.set(kind, createTable());
    },
    get: (kind, namespace, name) => table(kind).get(keyAt(namespace, name)) as ObjectOf<typeof kind> | undefined,
    byKey: (kind, key) => table(kind).get(key) as ObjectOf<typeof kind> | undefined,
    by: (kind, index, value) => typed(table(kind).by(index, value)),
    countBy: (kind, index, value) => table(kind).countBy(index, value),
    controlledBy: (kind, owner) => typed(table(kind).by('controllerUid', owner.metadata.uid)),
    list: (kind, namespace) => typed(namespace === undefined ? [...table(kind).values()] : table(kind).by('namespace', namespace)),
    size: (kind) => table(kind).size,
    aggregate<K extends string, S>(aggregate: Aggregate<K, S>, group: string): S {
      const holder = holders.get(aggregate);
      if (holder === undefined) throw new Error(`the aggregate ${aggregate.name} is not listed in the controller's aggregates`);
      return holder.get(group) as S;
    },
    kinds: () => [...tables.keys()],
    set(kind, key, object) {
      const before = table(kind).set(key, object);
      const concerned = holdersByKind.get(kind);
      if (concerned !== undefined) for (const holder of concerned) holder.apply(before, object);
      return before;
    },
    keysOf: (kind) => [...table(kind).sortedKeys()],
    addAggregate(aggregate) {
      if (holders.has(aggregate)) return;
      const holder = holdAggregate(aggregate);
      holders.set(aggregate, holder);
      const { kind } = aggregate;
      const list = holdersByKind.get(kind);
      if (list === undefined) holdersByKind.set(kind, [holder]);
      else list.push(holder);
      for (const object of tables.get(kind)?.values() ?? []) holder.apply(undefined, object);
    },
    holders: () => [...holders.values()],
  };
}
