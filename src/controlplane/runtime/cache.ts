/**
 * The cache of one process: objects by kind as its watches delivered them, indexed, with aggregates. It may lag behind the store.
 * Controllers read this cache, never the store.
 */
import { memo } from '../../engine/index.ts';
import { controllerOf, type ApiObject, type OwnerReference } from '../../apiserver/machinery/index.ts';
import { createTable, type IndexName, type Table } from '../../apiserver/store/index.ts';
import type { ObjectNamed as ObjectOf } from '../../apiserver/kinds/index.ts';

/** The reading side. A read of a kind that the process does not watch throws, because it would silently find nothing. */
export interface CacheView {
  get<K extends string>(kind: K, namespace: string | undefined, name: string): ObjectOf<K> | undefined;
  byKey<K extends string>(kind: K, key: string): ObjectOf<K> | undefined;
  /** Objects with an indexed value, oldest first. */
  by<K extends string>(kind: K, index: IndexName, value: string): readonly ObjectOf<K>[];
  countBy(kind: string, index: IndexName, value: string): number;
  /** Objects whose controller reference names this one. */
  controlledBy<K extends string>(kind: K, owner: ApiObject): readonly ObjectOf<K>[];
  /** All objects of a kind, or of a kind in a namespace. Never call this per key of a large kind. */
  list<K extends string>(kind: K, namespace?: string): readonly ObjectOf<K>[];
  size(kind: string): number;
  /** The summary of a group. */
  aggregate<K extends string, S>(aggregate: Aggregate<K, S>, group: string): S;
  /** The kinds that are watched. */
  kinds(): readonly string[];
}

/** The objects of one kind, with the aggregates over them. Each stream refers to the table that it fills. */
export interface KindTable {
  readonly table: Table;
  readonly holders: AggregateHolder[];
}

/** The kind of the controller of an object; '' without one. */
export const ownerKindOf = (object: { readonly metadata: { readonly ownerReferences?: readonly OwnerReference[] } }): string =>
  controllerOf(object)?.kind ?? '';

/** Adds, replaces or (undefined) removes an object of a table; returns the previous one. */
export function replaceObject({ table, holders }: KindTable, key: string, object: ApiObject | undefined): ApiObject | undefined {
  const before = table.set(key, object);
  if (holders.length === 0) return before;
  const from = before === undefined ? undefined : ownerKindOf(before);
  const to = object === undefined ? undefined : ownerKindOf(object);
  for (let at = 0; at < holders.length; at++) {
    const holder = holders[at];
    if (holder === undefined) continue;
    const { owner } = holder;
    if (owner === undefined || owner === to || owner === from) holder.apply(before, object);
  }
  return before;
}

export interface Cache extends CacheView {
  /** Starts to hold a kind. */
  open(kind: string): KindTable;
  /** Adds, replaces or (undefined) removes an object; returns the previous one. */
  set(kind: string, key: string, object: ApiObject | undefined): ApiObject | undefined;
  addAggregate(aggregate: AnyAggregate): void;
}

interface State {
  readonly kindTables: Map<string, KindTable>;
  readonly holders: Map<AnyAggregate, AggregateHolder>;
  /** The kinds that were read last: one decision usually reads the same two or three kinds several times. */
  readonly recent: { readonly kind: string; readonly table: Table }[];
}

const MOST_RECENT = 3;

/** An empty cache that watches nothing. */
export function createCache(): Cache {
  const state: State = { kindTables: new Map(), holders: new Map(), recent: [] };
  const { kindTables, holders } = state;
  const table = (kind: string): Table => tableOf(state, kind);
  const keyAt = createKeys();
  return {
    open: (kind) => open(state, kind),
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
    kinds: () => [...kindTables.keys()],
    set: (kind, key, object) => replaceObject(kindTableOf(state, kind), key, object),
    addAggregate: (aggregate) => addAggregate(state, aggregate),
  };
}

// The registry of kinds guarantees that a table of kind K holds objects of type ObjectOf<K>.
const typed = <K extends string>(objects: readonly ApiObject[]): readonly ObjectOf<K>[] => objects as readonly ObjectOf<K>[];

function kindTableOf({ kindTables }: State, kind: string): KindTable {
  const found = kindTables.get(kind);
  if (found === undefined) throw new Error(`this process does not watch ${kind}; add it to the controller's watches`);
  return found;
}

function tableOf(state: State, kind: string): Table {
  const { recent } = state;
  for (let at = 0; at < recent.length; at++) {
    const each = recent[at];
    if (each?.kind === kind) return each.table;
  }
  const { table } = kindTableOf(state, kind);
  if (recent.length === MOST_RECENT) recent.shift();
  recent.push({ kind, table });
  return table;
}

function open({ kindTables, holders }: State, kind: string): KindTable {
  let opened = kindTables.get(kind);
  if (opened === undefined) {
    opened = { table: createTable(), holders: [...holders].flatMap(([aggregate, holder]) => (aggregate.kind === kind ? [holder] : [])) };
    kindTables.set(kind, opened);
  }
  return opened;
}

function addAggregate(state: State, aggregate: AnyAggregate): void {
  if (state.holders.has(aggregate)) return;
  const holder = new AggregateHolder(aggregate);
  state.holders.set(aggregate, holder);
  const kindTable = state.kindTables.get(aggregate.kind);
  kindTable?.holders.push(holder);
  for (const object of kindTable?.table.values() ?? []) holder.apply(undefined, object);
}

/** Builds the keys of objects. Dependents of one owner are usually read in a row, so the last key is kept. */
function createKeys(): (namespace: string | undefined, name: string) => string {
  const last = memo({ namespace: '', name: '', key: '' });
  return (namespace, name) => {
    if (namespace === undefined || namespace === '') return name;
    if (name !== last.name || namespace !== last.namespace) {
      last.namespace = namespace;
      last.name = name;
      last.key = `${namespace}/${name}`;
    }
    return last.key;
  };
}

/**
 * Incremental summaries over groups of objects, so that a controller need not read each of its 100,000 pods. The cache updates them as
 * objects are added, changed and removed. They must always agree with a recount from scratch (tests check it).
 */
export interface Aggregate<K extends string = string, Summary = unknown> {
  readonly name: string;
  readonly kind: K;
  /** Only objects with a controller of this kind are counted ('': those without one); absent: all. `groupOf` is not asked about others. */
  readonly owner?: string;
  /** The group of an object (the uid of its owner, for example); undefined: the object is not counted. */
  groupOf(object: ObjectOf<K>): string | undefined;
  empty(): Summary;
  add(summary: Summary, object: ObjectOf<K>): void;
  remove(summary: Summary, object: ObjectOf<K>): void;
  /** Handles a change within the group; default: remove, then add. */
  change?(summary: Summary, before: ObjectOf<K>, after: ObjectOf<K>): void;
  /** A comparable form (plain JSON) for the recount test. */
  plain(summary: Summary): unknown;
}

/** Erases the types: holders treat all aggregates in the same way. */
export type AnyAggregate = Aggregate;

interface Group {
  count: number;
  readonly summary: unknown;
}

/** Defines an aggregate; the type of its objects follows from `kind`. */
export const defineAggregate = <K extends string, S>(aggregate: Aggregate<K, S>): Aggregate<K, S> => aggregate;

/** Summaries by group of one aggregate. */
class AggregateHolder {
  private readonly aggregate: AnyAggregate;
  private readonly groups = new Map<string, Group>();
  /** Changes of one group's objects usually come one after another. */
  private readonly last = memo<{ name: string; group: Group | undefined }>({ name: '', group: undefined });
  /** The aggregate's. */
  readonly owner: string | undefined;

  constructor(aggregate: AnyAggregate) {
    this.aggregate = aggregate;
    this.owner = aggregate.owner;
  }

  get(name: string): unknown {
    return this.groups.get(name)?.summary ?? this.aggregate.empty();
  }

  apply(before: ApiObject | undefined, after: ApiObject | undefined): void {
    const { aggregate } = this;
    const from = before === undefined ? undefined : aggregate.groupOf(before);
    const to = after === undefined ? undefined : aggregate.groupOf(after);
    if (before !== undefined && after !== undefined && from !== undefined && from === to && aggregate.change !== undefined) {
      aggregate.change(this.open(from).summary, before, after);
      return;
    }
    if (before !== undefined && from !== undefined) {
      const group = this.open(from);
      aggregate.remove(group.summary, before);
      if (--group.count === 0 && to !== from) {
        this.groups.delete(from);
        this.last.group = undefined;
      }
    }
    if (after !== undefined && to !== undefined) {
      const group = this.open(to);
      group.count++;
      aggregate.add(group.summary, after);
    }
  }

  private open(name: string): Group {
    const { last, groups } = this;
    if (last.group !== undefined && name === last.name) return last.group;
    let group = groups.get(name);
    if (group === undefined) groups.set(name, (group = { count: 0, summary: this.aggregate.empty() }));
    last.name = name;
    last.group = group;
    return group;
  }
}

/** The summary of a group, counted from scratch. */
export function recount(aggregate: AnyAggregate, objects: Iterable<ApiObject>, group: string): unknown {
  const summary = aggregate.empty();
  for (const object of objects) if (object.kind === aggregate.kind && aggregate.groupOf(object) === group) aggregate.add(summary, object);
  return aggregate.plain(summary);
}
