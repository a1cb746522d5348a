/**
 * The objects at a step, with random access: the effect of every write is recorded once, so a move applies or reverts the records in
 * between, of a kind only when its objects are asked for: Events, a fifth of the writes of a large run, are not drawn. It also has the step of
 * each object's last write, and the pods of each node.
 */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { renewalIntervalsOf, type Trace } from '../../../lab/trace/index.ts';
import { counters } from '../counters.ts';
import { lastAt } from './actors.ts';
import { beginsAt } from './axis.ts';
import type { Held, Records, RecordsOfKind } from './records.ts';

export type { Held } from './records.ts';

export type PageWorld = Readonly<ReturnType<typeof worldOf>>;

/** The objects of a kind at a step. */
interface Table extends RecordsOfKind {
  /** By place: a move of many thousands of writes changes numbered places, and no key is looked up. */
  readonly objects: (Held | undefined)[];
  /** Their number at the start. */
  readonly size: number;
  /** How many of the deltas are applied. */
  applied: number;
}

interface PodsOfNode {
  /** Places of its pods. */
  readonly places: Set<number>;
  stamp: number;
  /** The pods as they were when the stamp was `readAt`. */
  pods: readonly Held[];
  readAt: number;
}

/** The world of a trace, at its start. */
export function worldOf(trace: Trace, { first, firstRevision, deltas, byKind, nodes, refusals }: Records) {
  const tables = tablesOf(first, byKind);
  const podsOf = (node: string): PodsOfNode | undefined => tables.nodes[nodes.get(node) ?? -1];
  const renewalIntervals = renewalIntervalsOf(trace);
  const instantAt = (step: number): number => trace.entries[step - 1]?.at ?? beginsAt(trace);
  const historyOf = historiesOf(first, byKind);
  let here = 0;
  const tableOf = (kind: string): Table | undefined => {
    const table = tables.byKind.get(kind);
    if (table !== undefined) bring(tables.nodes, table, here);
    return table;
  };
  const objectsOf = (kind: string): readonly Held[] => tableOf(kind)?.objects.filter((held) => held !== undefined) ?? [];
  return {
    get step() {
      return here;
    },
    get at() {
      return instantAt(here);
    },
    /** The revision of the last write. */
    get revision() {
      return lastAt(deltas, here)?.revision ?? firstRevision;
    },
    moveTo(to: number): void {
      here = Math.max(0, Math.min(to, trace.entries.length));
    },
    find: (kind: string, key: string): Held | undefined => findIn(tableOf(kind), key),
    /** In order of creation. */
    list: objectsOf,
    count: (kind: string): number => sizeAt(tables.byKind.get(kind), here),
    kinds: (): readonly string[] => [...tables.byKind].filter(([, table]) => sizeAt(table, here) > 0).map(([kind]) => kind),
    /** An object of a kind, of any step. */
    example(kind: string): ApiObject | undefined {
      const first = tables.byKind.get(kind)?.deltas[0];
      return (first?.after ?? first?.before ?? objectsOf(kind)[0])?.object;
    },
    /** The pods of a node in order of creation; of the empty name: those without a node. */
    podsOn(node: string): readonly Held[] {
      const pods = tableOf('Pod');
      const there = podsOf(node);
      return pods === undefined || there === undefined ? [] : podsIn(pods, there);
    },
    /** A number that is another one whenever the pods of a node, or their versions, have changed. */
    podStamp(node: string): number {
      tableOf('Pod');
      return podsOf(node)?.stamp ?? 0;
    },
    /** The current version of an object, with elided lease renewals. */
    current: ({ kind, key, object }: Held): ApiObject => renewalIntervals.objectAt(kind, key, object, instantAt(here)),
    /** The versions of an object up to now, the first one first. */
    versions: (held: Held): readonly Held[] => historyOf(held).filter(({ step }) => step <= here),
    /** The step of the last write of an object, which may have deleted it; undefined: that is in the prologue, or there is none. */
    writtenAt(kind: string, key: string): number | undefined {
      const held = findIn(tableOf(kind), key);
      if (held !== undefined) return held.step === 0 ? undefined : held.step;
      return byKind.get(kind)?.deltas.findLast(({ step, before, after }) => step <= here && (after ?? before)?.key === key)?.step;
    },
    /** The requests that a budget or a quota has refused up to now: the last one, and their number. */
    refusals(kind: string, key: string) {
      const last = lastAt(refusals.get(`${kind} ${key}`), here);
      return { last, count: last?.number ?? 0 };
    },
    endsAt: trace.entries.at(-1)?.at ?? beginsAt(trace),
  };
}

/** The versions of an object. Collected when a card first asks, because few objects have a history that is drawn. */
function historiesOf(first: readonly Held[], byKind: Records['byKind']) {
  const histories = new Map<string, readonly Held[]>();
  return ({ kind, key, object: { metadata } }: Held): readonly Held[] => {
    let all = histories.get(metadata.uid);
    if (all === undefined) {
      const later = (byKind.get(kind)?.deltas ?? []).flatMap(({ after }) => after ?? []);
      all = [...first, ...later].filter((held) => held.kind === kind && held.key === key && held.object.metadata.uid === metadata.uid);
      histories.set(metadata.uid, all);
    }
    return all;
  };
}

/** The mutable tables, by kind; and the pods of each node, by its number. */
function tablesOf(first: readonly Held[], byKind: Records['byKind']) {
  const nodes: PodsOfNode[] = [];
  const tableOf = (kind: string, records: RecordsOfKind): Table => {
    const held = first.filter((each) => each.kind === kind);
    const table: Table = { ...records, objects: [], size: held.length, applied: 0 };
    for (const each of held) put(nodes, table, undefined, each);
    return table;
  };
  return { byKind: new Map([...byKind].map(([kind, records]) => [kind, tableOf(kind, records)])), nodes };
}

function bring(nodes: PodsOfNode[], table: Table, to: number): void {
  const { deltas, applied } = table;
  for (let delta = deltas[table.applied]; delta !== undefined && delta.step <= to; delta = deltas[++table.applied])
    put(nodes, table, delta.before, delta.after);
  for (let delta = deltas[table.applied - 1]; delta !== undefined && delta.step > to; delta = deltas[--table.applied - 1])
    put(nodes, table, delta.after, delta.before);
  counters.recordsApplied += Math.abs(table.applied - applied);
}

/** The object of a key: of those that ever had it the one that exists. */
function findIn(table: Table | undefined, key: string): Held | undefined {
  let place = table?.places.get(key);
  while (place !== undefined && table?.objects[place] === undefined) place = table?.former[place];
  return place === undefined ? undefined : table?.objects[place];
}

/** The pods of a node in order of creation, which are collected once for each change. */
function podsIn({ objects }: Table, of: PodsOfNode): readonly Held[] {
  if (of.readAt !== of.stamp) {
    const pods: Held[] = [];
    for (const place of Uint32Array.from(of.places).sort()) {
      const held = objects[place];
      if (held !== undefined) pods.push(held);
    }
    of.pods = pods;
    of.readAt = of.stamp;
  }
  return of.pods;
}

/** The number of objects of a table at a step, without bringing it there. */
const sizeAt = (table: Table | undefined, step: number): number => lastAt(table?.deltas, step)?.size ?? table?.size ?? 0;

function put(nodes: PodsOfNode[], { objects }: Table, before: Held | undefined, after: Held | undefined): void {
  if (before !== undefined) objects[before.place] = undefined;
  if (after !== undefined) objects[after.place] = after;
  const [from, to] = [podsOf(nodes, before), podsOf(nodes, after)];
  if (from !== undefined) from.stamp++;
  if (to !== undefined) to.stamp++;
  if (from === to && before?.place === after?.place) return;
  if (before !== undefined) from?.places.delete(before.place);
  if (after !== undefined) to?.places.add(after.place);
}

const podsOf = (nodes: PodsOfNode[], held: Held | undefined): PodsOfNode | undefined =>
  held?.node === undefined ? undefined : (nodes[held.node] ??= { places: new Set(), stamp: 0, pods: [], readAt: -1 });
