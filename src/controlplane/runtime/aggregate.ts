/**
 * Incremental summaries over groups of objects, so that a controller need not read each of its 100,000 pods. The cache updates them as
 * objects are added, changed and removed. They must always agree with a recount from scratch (tests check it).
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { ObjectNamed as ObjectOf } from '../../apiserver/kinds/index.ts';

// The author chooses the type of the summary; holders only store it.
export interface Aggregate<K extends string = string, Summary = unknown> {
  readonly name: string;
  readonly kind: K;
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

/** Summaries by group of one aggregate. */
export interface AggregateHolder {
  readonly aggregate: AnyAggregate;
  apply(before: ApiObject | undefined, after: ApiObject | undefined): void;
  get(group: string): unknown;
  clear(): void;
  /** Groups with at least one object. */
  groups(): IterableIterator<string>;
}

interface Group {
  count: number;
  readonly summary: unknown;
}

/** Defines an aggregate; the type of its objects follows from `kind`. */
export const defineAggregate = <K extends string, S>(aggregate: Aggregate<K, S>): Aggregate<K, S> => aggregate;

/** An empty holder. */
export function holdAggregate(aggregate: AnyAggregate): AggregateHolder {
  const groups = new Map<string, Group>();
  let lastName: string | undefined;
  let last: Group | undefined;
  /** Changes of one group's objects usually come one after another. */
  const open = (name: string): Group => {
    if (last !== undefined && name === lastName) return last;
    let group = groups.get(name);
    if (group === undefined) groups.set(name, (group = { count: 0, summary: aggregate.empty() }));
    lastName = name;
    last = group;
    return group;
  };
  const close = (name: string): void => {
    groups.delete(name);
    last = undefined;
  };
  return {
    aggregate,
    apply(before, after) {
      const from = before === undefined ? undefined : aggregate.groupOf(before);
      const to = after === undefined ? undefined : aggregate.groupOf(after);
      if (before !== undefined && after !== undefined && from !== undefined && from === to && aggregate.change !== undefined) {
        aggregate.change(open(from).summary, before, after);
        return;
      }
      if (before !== undefined && from !== undefined) {
        const group = open(from);
        aggregate.remove(group.summary, before);
        if (--group.count === 0 && to !== from) close(from);
      }
      if (after !== undefined && to !== undefined) {
        const group = open(to);
        group.count++;
        aggregate.add(group.summary, after);
      }
    },
    get: (name) => groups.get(name)?.summary ?? aggregate.empty(),
    clear() {
      groups.clear();
      last = undefined;
    },
    groups: () => groups.keys(),
  };
}

/** The summary of a group, counted from scratch. */
export function recount(aggregate: AnyAggregate, objects: Iterable<ApiObject>, group: string): unknown {
  const summary = aggregate.empty();
  for (const object of objects) if (object.kind === aggregate.kind && aggregate.groupOf(object) === group) aggregate.add(summary, object);
  return aggregate.plain(summary);
}
