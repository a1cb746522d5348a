/**
 * The objects at a step, with random access: the effect of every write is recorded once, so a move applies or reverts the records in
 * between. It also has the step of each object's last write, and the pods of each node.
 */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { renewalIntervalsOf, type Trace } from '../../../lab/trace/index.ts';
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
  /** The pods of a node, unordered; of the empty name: those without a node. */
  podsOn(node: string): ReadonlySet<Held>;
  /** The current version of an object, with elided lease renewals. */
  current(held: Held): ApiObject;
  /** The versions of an object up to now, the first one first. */
  versions(held: Held): readonly Held[];
  /** The requests that a budget or a quota has refused up to now: the last one, and their number. */
  refusals(kind: string, key: string): { readonly last?: Refusal; readonly count: number };
  /** The instant of the last entry. */
  readonly endsAt: number;
}

interface Delta {
  readonly step: number;
  readonly revision: number;
  readonly revisionBefore: number;
  readonly kind: string;
  readonly key: string;
  readonly before: Held | undefined;
  readonly after: Held | undefined;
}

const NONE: ReadonlySet<Held> = new Set();

/** The mutable tables. */
interface Place {
  readonly tables: Map<string, Map<string, Held>>;
  readonly nodes: Map<string, Set<Held>>;
  revision: number;
}

/** The objects at the start, and every later write. */
export interface Records {
  readonly first: readonly Held[];
  readonly firstRevision: number;
  readonly deltas: readonly Delta[];
  /** By `kind key` of the object that refuses. */
  readonly refusals: ReadonlyMap<string, readonly Refusal[]>;
}

/** The world of a trace, at its start. */
export function worldOf(trace: Trace, { first, firstRevision, deltas, refusals }: Records): PageWorld {
  const place: Place = { tables: new Map(), nodes: new Map(), revision: firstRevision };
  for (const held of first) put(place, held.kind, held.key, held);
  const renewalIntervals = renewalIntervalsOf(trace);
  const instantAt = (step: number): number => trace.entries[step - 1]?.at ?? beginsAt(trace);
  // Collected when a card first asks, because few objects have a history that is drawn.
  const histories = new Map<string, readonly Held[]>();
  let applied = 0;
  let here = 0;
  return {
    get step() {
      return here;
    },
    get at() {
      return instantAt(here);
    },
    get revision() {
      return place.revision;
    },
    moveTo(to) {
      here = Math.max(0, Math.min(to, trace.entries.length));
      for (let delta = deltas[applied]; delta !== undefined && delta.step <= here; delta = deltas[++applied]) {
        put(place, delta.kind, delta.key, delta.after);
        place.revision = delta.revision;
      }
      for (let delta = deltas[applied - 1]; delta !== undefined && delta.step > here; delta = deltas[--applied - 1]) {
        put(place, delta.kind, delta.key, delta.before);
        place.revision = delta.revisionBefore;
      }
    },
    find: (kind, key) => place.tables.get(kind)?.get(key),
    list: (kind) => [...(place.tables.get(kind)?.values() ?? [])].sort((a, b) => a.order - b.order),
    each: (kind) => place.tables.get(kind)?.values() ?? [],
    count: (kind) => place.tables.get(kind)?.size ?? 0,
    kinds: () => [...place.tables.keys()].filter((kind) => (place.tables.get(kind)?.size ?? 0) > 0),
    podsOn: (node) => place.nodes.get(node) ?? NONE,
    current: ({ kind, key, object }) => renewalIntervals.objectAt(kind, key, object, instantAt(here)),
    versions({ kind, key, object: { metadata } }) {
      let all = histories.get(metadata.uid);
      if (all === undefined) {
        const later = deltas.flatMap(({ after }) => (after === undefined ? [] : [after]));
        all = [...first, ...later].filter((held) => held.kind === kind && held.key === key && held.object.metadata.uid === metadata.uid);
        histories.set(metadata.uid, all);
      }
      return all.filter(({ step }) => step <= here);
    },
    refusals(kind, key) {
      const all = refusals.get(`${kind} ${key}`);
      const last = lastAt(all, here);
      return last === undefined ? { count: 0 } : { last, count: last.number };
    },
    endsAt: trace.entries.at(-1)?.at ?? beginsAt(trace),
  };
}

/** Collects all writes as records; writes before the start become the first objects. */
export function readRecords(): Reader<Records> {
  const deltas: Delta[] = [];
  const first = new Map<string, Held>();
  const now = new Map<string, Held>();
  const refusals = new Map<string, Refusal[]>();
  let firstRevision = 0;
  let births = 0;
  let last = 0;
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
      const id = `${kind} ${key}`;
      const before = now.get(id);
      const order = before?.object.metadata.uid === object.metadata.uid && before !== undefined ? before.order : births++;
      const after: Held | undefined = type === 'DELETED' ? undefined : { kind, key, object, at: entry.at, step, order };
      for (const table of step === 0 ? [now, first] : [now])
        if (after === undefined) table.delete(id);
        else table.set(id, after);
      if (step === 0) firstRevision = revision;
      else deltas.push({ step, revision, revisionBefore: last, kind, key, before, after });
      last = revision;
    },
    soFar: () => ({ first: [...first.values()], firstRevision, deltas, refusals }),
  };
}

function put({ tables, nodes }: Place, kind: string, key: string, held: Held | undefined): void {
  let table = tables.get(kind);
  if (table === undefined) tables.set(kind, (table = new Map()));
  if (kind === 'Pod') {
    const before = table.get(key);
    if (before !== undefined) nodes.get(nodeOf(before.object))?.delete(before);
    if (held !== undefined) {
      const node = nodeOf(held.object);
      const there = nodes.get(node);
      if (there === undefined) nodes.set(node, new Set([held]));
      else there.add(held);
    }
  }
  if (held === undefined) table.delete(key);
  else table.set(key, held);
}
