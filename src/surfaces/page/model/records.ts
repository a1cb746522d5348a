/** The writes of a run as records, which are read once: the effect of each, by kind, with the places of its objects in their table. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { nodeOf } from './phase.ts';
import type { Reader } from './log.ts';
import type { Entry } from '../../../lab/trace/index.ts';

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
  /** The same among the objects of its kind: its place in their table. */
  readonly place: number;
  /** The number of the node of a pod, so that far moves need not read the object; absent: it is no pod. */
  readonly node?: number;
}

/** A write: what it changed. */
export interface Delta {
  readonly step: number;
  readonly revision: number;
  /** The number of objects of the kind after it. */
  readonly size: number;
  readonly before: Held | undefined;
  readonly after: Held | undefined;
}

/** All that a kind ever has. */
export interface RecordsOfKind {
  /** The writes after the start. */
  readonly deltas: Delta[];
  /** The place of the last object of a key. */
  readonly places: Map<string, number>;
  /** By place: that of the former object with the same key; undefined: there is none. */
  readonly former: (number | undefined)[];
}

/** The objects at the start, and every later write. */
export interface Records {
  readonly first: readonly Held[];
  readonly firstRevision: number;
  readonly deltas: readonly Delta[];
  readonly byKind: ReadonlyMap<string, RecordsOfKind>;
  /** The numbers of nodes, by name. */
  readonly nodes: ReadonlyMap<string, number>;
  /** By `kind key` of the object that refuses. */
  readonly refusals: ReadonlyMap<string, readonly Refusal[]>;
}

/** Collects all writes as records; writes before the start become the first objects. */
export function readRecords(): Reader<Records> {
  const deltas: Delta[] = [];
  const byKind = new Map<string, RecordsOfKind & { readonly now: Map<string, Held> }>();
  const nodes = new Map<string, number>();
  const first = new Map<string, Held>();
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
      const of = byKind.get(kind) ?? { deltas: [], places: new Map<string, number>(), former: [], now: new Map<string, Held>() };
      byKind.set(kind, of);
      const before = of.now.get(key);
      const isSame = before?.object.metadata.uid === object.metadata.uid;
      const { order, place } = isSame && before !== undefined ? before : numbered(of, key, births++);
      const pod = kind === 'Pod' ? { node: numberOf(nodes, nodeOf(object)) } : {};
      const after = type === 'DELETED' ? undefined : { kind, key, object, at: entry.at, step, order, place, ...pod };
      if (after === undefined) of.now.delete(key);
      else of.now.set(key, after);
      if (step > 0) {
        const delta = { step, revision, size: of.now.size, before, after };
        deltas.push(delta);
        of.deltas.push(delta);
        return;
      }
      firstRevision = revision;
      if (after === undefined) first.delete(`${kind} ${key}`);
      else first.set(`${kind} ${key}`, after);
    },
    soFar: () => ({ first: [...first.values()], firstRevision, deltas, byKind, nodes, refusals }),
  };
}

function numberOf(nodes: Map<string, number>, node: string): number {
  const number = nodes.get(node) ?? nodes.size;
  nodes.set(node, number);
  return number;
}

function numbered({ places, former }: RecordsOfKind, key: string, order: number): Pick<Held, 'order' | 'place'> {
  const place = former.push(places.get(key)) - 1;
  places.set(key, place);
  return { order, place };
}

export interface Refusal {
  readonly step: number;
  /** `create Pod web-*`, `eviction of web-0`. */
  readonly request: string;
  /** Its number among those of one object, from 1. */
  readonly number: number;
}

/** The texts of the server that name the object which refuses. */
const BY = [
  ['PodDisruptionBudget', /disruption budget (\S+) (?:needs|is still)/],
  ['ResourceQuota', /exceeded quota: ([^,\s]+)/],
] as const;
/** The namespace of a request: `create Pod default/web-*`. */
const NAMESPACE = / ([a-z0-9-]+)\//;

/** Returns the object that refused a request, as `kind key`; undefined: neither a budget nor a quota. */
function refusalIn({ status, request }: Extract<Entry, { type: 'refusal' }>): string | undefined {
  const texts = [status.message ?? '', ...(status.details?.causes ?? []).map(({ message }) => message ?? '')];
  for (const [kind, by] of BY)
    for (const text of texts) {
      const name = by.exec(text)?.[1];
      if (name !== undefined) return `${kind} ${NAMESPACE.exec(request)?.[1] ?? 'default'}/${name}`;
    }
  return undefined;
}

const EVICTION = /^create Pod\/eviction (\S+)$/;

/** A request in a few words; the namespace `default` is left out. */
const requestIn = (request: string): string => request.replace(EVICTION, 'eviction of $1').replace(' default/', ' ');
