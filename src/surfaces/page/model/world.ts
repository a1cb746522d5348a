/**
 * The objects at a step, with random access: the effect of every write is recorded once, so a move applies or reverts the records in
 * between, of a kind only when its objects are asked for: Events, a fifth of the writes of a large run, are not drawn. It also has the step of
 * each object's last write, and the pods of each node.
 */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { renewalIntervalsOf, type Trace } from '../../../lab/trace/index.ts';
import { pushTo } from '../../../schema/values/index.ts';
import { counters } from '../counters.ts';
import { lastAt } from './actors.ts';
import { beginsAt } from './axis.ts';
import { nodeOf } from './phase.ts';
import { refusalIn, requestIn, type Refusal } from './refusals.ts';
import type { Reader } from './reader.ts';

/** An object after a write. */
export interface Held {
  readonly kind: string;
  readonly key: string;
  readonly object: ApiObject;
  /** The instant and step of the write (0: before the start). */
  readonly at: number;
  readonly step: number;
  /** Numbers objects by creation, so that layouts have a stable order. */
  readonly order: number;
}

export interface PageWorld {
  readonly step: number;
  readonly at: number;
  /** The revision of the last write. */
  readonly revision: number;
  moveTo(step: number): void;
  find(kind: string, key: string): Held | undefined;
  /** In order of creation. */
  list(kind: string): readonly Held[];
  /** Unordered, without a copy. */
  each(kind: string): Iterable<Held>;
  count(kind: string): number;
  kinds(): readonly string[];
  /** An object of a kind, of any step. */
  example(kind: string): ApiObject | undefined;
  /** The pods of a node, unordered; of the empty name: those without a node. */
  podsOn(node: string): ReadonlySet<Held>;
  /** A number that is another one whenever the pods of a node, or their versions, have changed. */
  podStamp(node: string): number;
  /** The current version of an object, with elided lease renewals. */
  current(held: Held): ApiObject;
  /** The versions of an object up to now, the first one first. */
  versions(held: Held): readonly Held[];
  /** The step of the last write of an object, which may have deleted it; undefined: that is in the prologue, or there is none. */
  writtenAt(kind: string, key: string): number | undefined;
  /** The requests that a budget or a quota has refused up to now: the last one, and their number. */
  refusals(kind: string, key: string): { readonly last?: Refusal; readonly count: number };
  /** The instant of the last entry. */
  readonly endsAt: number;
}

interface Delta {
  readonly step: number;
  readonly revision: number;
  /** The number of objects of the kind after it. */
  readonly size: number;
  readonly key: string;
  readonly before: Held | undefined;
  readonly after: Held | undefined;
}

const NONE: ReadonlySet<Held> = new Set();

/** The objects of a kind at a step. */
interface Table {
  readonly objects: Map<string, Held>;
  readonly deltas: readonly Delta[];
  /** How many of the deltas are applied. */
  applied: number;
}

/** The mutable tables, by kind; and the pods by node. */
interface Place {
  readonly tables: ReadonlyMap<string, Table>;
  readonly nodes: Map<string, PodsOfNode>;
}

interface PodsOfNode {
  readonly pods: Set<Held>;
  stamp: number;
}

/** The objects at the start, and every later write. */
export interface Records {
  readonly first: readonly Held[];
  readonly firstRevision: number;
  readonly deltas: readonly Delta[];
  /** The same by kind. */
  readonly byKind: ReadonlyMap<string, readonly Delta[]>;
  /** By `kind key` of the object that refuses. */
  readonly refusals: ReadonlyMap<string, readonly Refusal[]>;
}

/** The world of a trace, at its start. */
export function worldOf(trace: Trace, { first, firstRevision, deltas, byKind, refusals }: Records): PageWorld {
  const place = placeOf(first, byKind);
  const renewalIntervals = renewalIntervalsOf(trace);
  const instantAt = (step: number): number => trace.entries[step - 1]?.at ?? beginsAt(trace);
  // Collected when a card first asks, because few objects have a history that is drawn.
  const histories = new Map<string, readonly Held[]>();
  let here = 0;
  const objectsOf = (kind: string): Map<string, Held> | undefined => {
    const table = place.tables.get(kind);
    if (table !== undefined) bring(place, kind, table, here);
    return table?.objects;
  };
  return {
    get step() {
      return here;
    },
    get at() {
      return instantAt(here);
    },
    get revision() {
      return lastAt(deltas, here)?.revision ?? firstRevision;
    },
    moveTo(to) {
      here = Math.max(0, Math.min(to, trace.entries.length));
    },
    find: (kind, key) => objectsOf(kind)?.get(key),
    list: (kind) => [...(objectsOf(kind)?.values() ?? [])].sort((a, b) => a.order - b.order),
    each: (kind) => objectsOf(kind)?.values() ?? [],
    count: (kind) => objectsOf(kind)?.size ?? 0,
    kinds: () => [...place.tables].filter(([, table]) => sizeAt(table, here) > 0).map(([kind]) => kind),
    example(kind) {
      const first = place.tables.get(kind)?.deltas[0];
      return (first?.after ?? first?.before)?.object ?? objectsOf(kind)?.values().next().value?.object;
    },
    podsOn(node) {
      objectsOf('Pod');
      return place.nodes.get(node)?.pods ?? NONE;
    },
    podStamp(node) {
      objectsOf('Pod');
      return place.nodes.get(node)?.stamp ?? 0;
    },
    current: ({ kind, key, object }) => renewalIntervals.objectAt(kind, key, object, instantAt(here)),
    versions({ kind, key, object: { metadata } }) {
      let all = histories.get(metadata.uid);
      if (all === undefined) {
        const later = (byKind.get(kind) ?? []).flatMap(({ after }) => (after === undefined ? [] : [after]));
        all = [...first, ...later].filter((held) => held.kind === kind && held.key === key && held.object.metadata.uid === metadata.uid);
        histories.set(metadata.uid, all);
      }
      return all.filter(({ step }) => step <= here);
    },
    writtenAt(kind, key) {
      const held = objectsOf(kind)?.get(key);
      if (held !== undefined) return held.step === 0 ? undefined : held.step;
      return byKind.get(kind)?.findLast((delta) => delta.step <= here && delta.key === key)?.step;
    },
    refusals(kind, key) {
      const all = refusals.get(`${kind} ${key}`);
      const last = lastAt(all, here);
      return last === undefined ? { count: 0 } : { last, count: last.number };
    },
    endsAt: trace.entries.at(-1)?.at ?? beginsAt(trace),
  };
}

/** The tables at the start. */
function placeOf(first: readonly Held[], byKind: Records['byKind']): Place {
  const tables = new Map<string, Table>();
  const place: Place = { tables, nodes: new Map() };
  const tableOf = (kind: string): Table => {
    let table = tables.get(kind);
    if (table === undefined) tables.set(kind, (table = { objects: new Map(), deltas: byKind.get(kind) ?? [], applied: 0 }));
    return table;
  };
  for (const held of first) put(place, held.kind, tableOf(held.kind), held.key, held);
  for (const kind of byKind.keys()) tableOf(kind);
  return place;
}

/** Brings the table of a kind to a step. */
function bring(place: Place, kind: string, table: Table, to: number): void {
  const { deltas, applied } = table;
  for (let delta = deltas[table.applied]; delta !== undefined && delta.step <= to; delta = deltas[++table.applied])
    put(place, kind, table, delta.key, delta.after);
  for (let delta = deltas[table.applied - 1]; delta !== undefined && delta.step > to; delta = deltas[--table.applied - 1])
    put(place, kind, table, delta.key, delta.before);
  counters.recordsApplied += Math.abs(table.applied - applied);
}

/** The number of objects of a table at a step, without bringing it there. */
function sizeAt({ objects, deltas, applied }: Table, step: number): number {
  const next = deltas[applied];
  const last = deltas[applied - 1];
  if ((next === undefined || next.step > step) && (last === undefined || last.step <= step)) return objects.size;
  const before = lastAt(deltas, step);
  const [first] = deltas;
  return (
    before?.size ??
    (first === undefined ? objects.size : first.size - (first.after === undefined ? -1 : first.before === undefined ? 1 : 0))
  );
}

/** Collects all writes as records; writes before the start become the first objects. */
export function readRecords(): Reader<Records> {
  const deltas: Delta[] = [];
  const byKind = new Map<string, Delta[]>();
  const first = new Map<string, Held>();
  const now = new Map<string, Map<string, Held>>();
  const refusals = new Map<string, Refusal[]>();
  let firstRevision = 0;
  let births = 0;
  return {
    follow(entry, step) {
      if (entry.type === 'refusal') {
        const by = refusalIn(entry);
        if (by === undefined) return;
        const list = refusals.get(by) ?? [];
        refusals.set(by, list);
        list.push({ step, request: requestIn(entry.request), number: list.length + 1 });
      }
      if (entry.type !== 'write') return;
      const { kind, key, type, object, revision } = entry.change;
      const table = now.get(kind) ?? new Map<string, Held>();
      now.set(kind, table);
      const before = table.get(key);
      const order = before?.object.metadata.uid === object.metadata.uid && before !== undefined ? before.order : births++;
      const after: Held | undefined = type === 'DELETED' ? undefined : { kind, key, object, at: entry.at, step, order };
      if (after === undefined) table.delete(key);
      else table.set(key, after);
      if (step > 0) {
        const delta = { step, revision, size: table.size, key, before, after };
        deltas.push(delta);
        pushTo(byKind, kind, delta);
        return;
      }
      firstRevision = revision;
      if (after === undefined) first.delete(`${kind} ${key}`);
      else first.set(`${kind} ${key}`, after);
    },
    soFar: () => ({ first: [...first.values()], firstRevision, deltas, byKind, refusals }),
  };
}

function put({ nodes }: Place, kind: string, { objects }: Table, key: string, held: Held | undefined): void {
  if (kind === 'Pod') {
    const before = objects.get(key);
    if (before !== undefined) podsOf(nodes, nodeOf(before.object)).delete(before);
    if (held !== undefined) podsOf(nodes, nodeOf(held.object)).add(held);
  }
  if (held === undefined) objects.delete(key);
  else objects.set(key, held);
}

/** The pods of a node, which are about to change. */
function podsOf(nodes: Place['nodes'], node: string): Set<Held> {
  let there = nodes.get(node);
  if (there === undefined) nodes.set(node, (there = { pods: new Set(), stamp: 0 }));
  there.stamp++;
  return there.pods;
}
